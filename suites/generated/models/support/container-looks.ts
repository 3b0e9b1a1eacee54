import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { lookUntil } from '../../../../harness/engine/look-until.ts';
import { expect, expectValue } from '../../../../harness/expect/expect.ts';
import type { JsonValue } from '../../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../../harness/streams/json-path.ts';
import { isStatedRuleId, type StatedRuleId } from '../../../../specs/stated.ts';
import { isNamedState } from '../../../containers/support/named-states.ts';
import { kindOf } from '../../../events/support/event.ts';
import type { Look } from './command.ts';
import type { Scene } from './scene.ts';
import type { ContainerModel, World } from './world.ts';

/** Compares what list, inspect and events say about the containers with the model. */
export const lookAtContainers: Look = async (world, scene) => {
  await lookAtList(world, scene);
  for (const container of world.containers.values()) await lookAtInspect(container, scene);
  for (const container of [...world.containers.values(), ...world.gone]) await lookAtEvents(container, scene);
};

async function lookAtList(world: World, scene: Scene): Promise<void> {
  const { trial, engine } = scene;
  const all = await listOnceEnded(world, scene);
  const usual = await engine.get('/containers/json');
  await trial.decides('containers.list.answers-200', () => expect(all).toHaveStatus(200));
  const there = [...world.containers.values()].map(({ letter }) => scene.name('container', letter));
  const listed = namesIn(all, scene.names('container'));
  await scene.lists(
    'container',
    all,
    { listed, there },
    { lacks: 'containers.list.all-true', goesOn: 'containers.remove.container-gone' },
  );
  const ended = world.in('created', 'exited').map(({ letter }) => scene.name('container', letter));
  await trial.decides('containers.list.all-default-false', () =>
    expectValue('what does not run in the usual list', namesIn(usual, ended), [usual]).toBe([]),
  );
  for (const container of world.containers.values()) await lookAtItem(container, all, scene);
}

/**
 * For a moment after wait has answered, the list may show a container as running or in an undocumented state in
 * between: no document says that it is up to date at once.
 */
const tidiedUpMs = 5_000;

/** All containers, once those that have ended are listed as ended, or when this takes too long. */
function listOnceEnded(world: World, scene: Scene): Promise<Exchange> {
  const ended = world.in('exited').map(({ letter }) => scene.name('container', letter));
  const look = () => scene.engine.get('/containers/json', { all: true });
  const hasEnded = (state: unknown) => state !== 'running' && isNamedState(state);
  const isTidiedUp = (list: Exchange) => ended.every((one) => hasEnded(itemNamed(list, one)?.State));
  return lookUntil(look, isTidiedUp, tidiedUpMs);
}

async function lookAtItem({ letter, state, exitCode }: ContainerModel, list: Exchange, scene: Scene): Promise<void> {
  const item = itemNamed(list, scene.name('container', letter));
  if (!item) return;
  if (typeof item.State === 'string') {
    await scene.trial.decides('containers.list.states-agree', () =>
      expectValue(`State of ${letter} in the list`, item.State, [list]).toBe(state),
    );
  }
  if (state !== 'exited' || exitCode === undefined) return;
  await scene.trial.decides('containers.list.status-exited', () =>
    expectValue(`Status of ${letter} in the list`, item.Status, [list], { level: 'should' }).toMatch(
      new RegExp(`exit.*\\b${exitCode}\\b`, 'i'),
    ),
  );
}

async function lookAtInspect(container: ContainerModel, scene: Scene): Promise<void> {
  const { trial } = scene;
  const { letter, state, exitCode, handle } = container;
  const inspect = await handle.inspect();
  await trial.decides('containers.create.name', () => {
    expect(inspect).toHaveStatus(200);
    expect(inspect)
      .field('Name')
      .toBe(`/${scene.name('container', letter)}`);
  });
  const runs = state === 'running' || state === 'paused';
  await trial.decides(runs ? 'containers.start.container-runs' : 'containers.stop.container-not-running', () =>
    expectValue(`Running of ${letter}`, valuesAt(inspect.json, 'State.Running')[0], [inspect]).toBe(runs),
  );
  await trial.decides('containers.inspect.field.State.Paused', () =>
    expectValue(`Paused of ${letter}`, valuesAt(inspect.json, 'State.Paused')[0], [inspect]).toBe(state === 'paused'),
  );
  if (state !== 'exited' || exitCode === undefined) return;
  await trial.decides('containers.inspect.field.State.ExitCode', () =>
    expectValue(`ExitCode of ${letter}`, valuesAt(inspect.json, 'State.ExitCode')[0], [inspect]).toBe(exitCode),
  );
}

async function lookAtEvents(container: ContainerModel, { trial, listener }: Scene): Promise<void> {
  const refs = [container.id];
  for (const [kind, times] of container.told) {
    const rule = ruleOfKind(kind);
    if (!trial.holds(rule)) continue;
    const told = () => listener.about(...refs).filter((event) => kindOf(event) === kind).length;
    await listener.hearsInTime(() => told() >= times);
    await trial.decides(told() === 0 ? rule : 'events.none-lost', () =>
      expectValue(`events ${kind} of ${container.letter}`, told(), [listener.live]).toBeAtLeast(times),
    );
  }
}

function ruleOfKind(kind: string): StatedRuleId {
  const rule = `events.kind.container.${kind}`;
  if (!isStatedRuleId(rule)) throw new Error(`no rule is about the event ${kind}`);
  return rule;
}

/** Those of the names that the list has. */
function namesIn(list: Exchange, names: readonly string[]): string[] {
  return names.filter((name) => itemNamed(list, name) !== undefined);
}

function itemNamed(list: Exchange, name: string): Record<string, JsonValue> | undefined {
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  return items.find(({ Names }) => Array.isArray(Names) && Names.includes(`/${name}`));
}
