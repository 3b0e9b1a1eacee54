import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { check } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../../harness/expect/json-path.ts';
import { show } from '../../../harness/expect/show.ts';
import { on } from '../../../harness/faults/fault.ts';
import { swallows } from '../../../harness/faults/requests.ts';
import { forAll } from '../../../harness/property/for-all.ts';
import type { StatedRuleId } from '../../../specs/catalogue.ts';
import { type Done, type Operation, type Outcome, outcomesOf } from './orders.ts';
import { openScene, type Scene } from './scene.ts';

/** What two clients do to a container at the same time. */
function clients(...operations: readonly Operation[]): fc.Arbitrary<[Operation[], Operation[]]> {
  const some = fc.array(fc.constantFrom(...operations), { minLength: 1, maxLength: 2 });
  return fc.tuple(some, some);
}

const renames: Operation = { does: 'rename', to: 'b' };
const removes: Operation = { does: 'remove-by-force' };

/**
 * What the two do. A container that is renamed while it is removed stays in the list of some engines until they are
 * started again, so that is tried only on a daemon that may break.
 */
function meetings(mayBreak: boolean) {
  const names = mayBreak ? [removes] : [];
  const process = [{ does: 'start' }, { does: 'kill' }] as const;
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ runs: fc.boolean(), pair: clients(...process) }) },
    { weight: 2, arbitrary: fc.record({ runs: fc.boolean(), pair: clients(...process, { does: 'remove' }, removes) }) },
    {
      weight: 3,
      arbitrary: fc.record({ runs: fc.boolean(), pair: clients(renames, { does: 'create', to: 'b' }, ...names) }),
    },
    // Pausing is kept apart: what comes of killing or removing what is paused is not said.
    {
      weight: 1,
      arbitrary: fc.record({ runs: fc.constant(true), pair: clients({ does: 'pause' }, { does: 'unpause' }, renames) }),
    },
  );
}

/** How long a daemon may take to show the outcome everywhere. */
const settlesWithinMs = 1_500;

check(
  'generated.models.parallel',
  {
    faults: [
      on('DELETE /containers/{id}', swallows(204)),
      on('POST /containers/{id}/start', swallows(204)),
      on('POST /containers/{id}/kill', swallows(204)),
    ],
  },
  (context) =>
    forAll(
      context,
      meetings(context.target.lacks.hostile === undefined),
      { runs: 40, unbiased: true },
      async ({ runs, pair }, trial) => {
        const scene = await openScene(trial);
        trial.step(`makes the container a, which is ${runs ? 'running' : 'created'}`);
        const container = await makeContainer(scene.engine, { state: runs ? 'running' : 'created' });
        const name = container.name;
        trial.step(
          pair.map((operations) => `one client ${operations.map(words).join(', then ')}`).join('; at the same time '),
        );
        const done = await Promise.all(pair.map((operations) => client(operations, container, scene)));
        const first: Outcome = { container: { name, runs, paused: false }, others: [] };
        await expectOneOf(outcomesOf(first, done), container, scene);
      },
    ),
);

function words(operation: Operation): string {
  if (operation.does === 'create') return `creates the container ${operation.to}`;
  if (operation.does === 'rename') return `renames a to ${operation.to}`;
  return {
    start: 'starts',
    kill: 'kills',
    pause: 'pauses',
    unpause: 'unpauses',
    remove: 'removes',
    'remove-by-force': 'removes by force',
  }[operation.does].concat(' a');
}

/** One client does one thing after another. */
async function client(operations: readonly Operation[], container: Container, scene: Scene): Promise<Done[]> {
  const done: Done[] = [];
  for (const operation of operations) {
    const named: Operation =
      'to' in operation ? { ...operation, to: scene.name('container', operation.to) } : operation;
    const { status } = await send(named, container, scene);
    done.push({ operation: named, status });
  }
  return done;
}

function send(operation: Operation, container: Container, { engine }: Scene): Promise<Exchange> {
  switch (operation.does) {
    case 'create':
      return create(engine, createBody(engine), { name: operation.to });
    case 'rename':
      return container.rename(operation.to);
    case 'remove':
      return container.remove();
    case 'remove-by-force':
      return container.remove({ force: true });
    case 'start':
    case 'kill':
    case 'pause':
    case 'unpause':
      return container[operation.does]();
  }
}

/** What the daemon shows, and whether its list agrees with inspect. */
interface Look {
  readonly outcome: Outcome;
  readonly evidence: readonly Exchange[];
}

async function look(container: Container, scene: Scene): Promise<Look> {
  const list = await scene.engine.get('/containers/json', { all: true });
  const inspect = await container.inspect();
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  const others = scene
    .names('container')
    .filter((name) => items.some(({ Id, Names }) => Id !== container.id && isNamed(Names, name)))
    .sort();
  const evidence = [list, inspect];
  const item = items.find(({ Id }) => Id === container.id);
  if (inspect.status === 404 && !item) return { outcome: { others }, evidence };
  const shown = inspect.status === 200 ? inspect.json : {};
  const name = String(valuesAt(shown, 'Name')[0] ?? '').slice(1);
  const [runs, paused] = ['Running', 'Paused'].map((field) => valuesAt(shown, `State.${field}`)[0] === true);
  const listed = item && isNamed(item.Names, name) ? name : 'another name in the list, or none';
  return { outcome: { container: { name: listed, runs: runs === true, paused: paused === true }, others }, evidence };
}

function isNamed(value: unknown, name: string): boolean {
  return Array.isArray(value) && value.includes(`/${name}`);
}

async function expectOneOf(outcomes: readonly Outcome[], container: Container, scene: Scene): Promise<void> {
  const explained = ({ outcome }: Look) => outcomes.some((one) => isDeepStrictEqual(one, outcome));
  const deadline = Date.now() + settlesWithinMs;
  let seen = await look(container, scene);
  while (!explained(seen) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    seen = await look(container, scene);
  }
  await scene.trial.decides(ruleAgainst(outcomes, seen.outcome), () =>
    expectValue('what the daemon shows', seen.outcome, seen.evidence).toSatisfy(
      outcomes.length === 0 ? 'that the two did not both succeed' : `one of ${show(outcomes)}`,
      () => explained(seen),
    ),
  );
}

/** The rule that an outcome is judged by: what it is about that no order explains. */
function ruleAgainst(outcomes: readonly Outcome[], { container, others }: Outcome): StatedRuleId {
  if (outcomes.length === 0) return 'containers.create.name-taken-409';
  if (!outcomes.some((one) => isDeepStrictEqual(one.others, others))) return 'containers.list.all-true';
  if (container && !outcomes.some((one) => one.container)) return 'containers.remove.container-gone';
  const alike = outcomes.filter((one) => one.container?.name === container?.name);
  if (alike.length === 0) return 'containers.rename.taken-answers-409';
  if (alike.some((one) => one.container?.runs === container?.runs)) return 'containers.list.states-agree';
  return container?.runs ? 'containers.stop.container-not-running' : 'containers.start.container-runs';
}
