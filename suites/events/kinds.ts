import { check, type FixtureContext, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Answered } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { changesEvents, losesEvents } from '../../harness/faults/events.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { containerWith, makeVolume, volumePath } from '../volumes/support/volumes.ts';
import { toldTogether } from './support/caused-events.ts';
import { isAbout, kindOf } from './support/event.ts';
import { labelledVolume } from './support/labelled-things.ts';
import { listen } from './support/listen.ts';
import type { Listener } from './support/listener.ts';
import { type ContainerKind, containerKinds, operations } from './support/operations.ts';

/** The kind occurs among the events of a thing. */
async function expectKind(listener: Listener, object: string, kind: string, ...refs: readonly string[]): Promise<void> {
  await listener.hearsInTime((event) => kindOf(event) === kind && isAbout(event, ...refs));
  expectToldKind(listener, object, kind, ...refs);
}

/** The same where it was already waited for. */
function expectToldKind(listener: Listener, object: string, kind: string, ...refs: readonly string[]): void {
  const kinds = [...new Set(listener.about(...refs).map(kindOf))];
  expectValue(`the kinds of events of the ${object}`, kinds, [listener.live]).toContain(kind);
}

for (const kind of containerKinds) {
  check(
    `events.kind.container.${kind}`,
    { faults: [losesEvents('container', kind)], looksAt: ['freezer'] },
    async ({ engine, use }) => {
      // Many concurrent operations can prove that the kind is sent. That it is not sent is judged on a container that
      // nothing else is done to.
      const told = await (isOfExec(kind) ? toldOfExec(kind, use) : toldTogether(kind, use));
      if (told) return expectToldKind(told.listener, 'container', kind, told.id);
      const listener = await listen(engine);
      for (let time = 0; time < (operations[kind].times ?? 1); time++) {
        await expectKind(listener, 'container', kind, await operatedOn(engine, kind));
      }
    },
  );
}

/** Performs an operation on a new container, and returns the container's identifier. */
async function operatedOn(engine: Engine, kind: ContainerKind): Promise<string> {
  const { options, statuses, operate } = operations[kind];
  const container = await makeContainer(engine, options);
  await given<Answered>(operate(container, engine), ...statuses);
  return container.id;
}

/** The events of a container on which only this was done. Two rules are about the kinds of exec. */
const aloneOn = (kind: ContainerKind) =>
  fixture(`the events of ${kind} on a container of its own`, async ({ engine }) => {
    const listener = await listen(engine);
    const id = await operatedOn(engine, kind);
    await listener.hearsInTime((event) => kindOf(event) === kind && isAbout(event, id));
    return { listener, id };
  });

const alone = { exec_create: aloneOn('exec_create'), exec_start: aloneOn('exec_start') };

const isOfExec = (kind: ContainerKind): kind is keyof typeof alone => Object.hasOwn(alone, kind);

/** The listener and the container of a kind of exec, during many concurrent operations or on a container of its own. */
async function toldOfExec(kind: keyof typeof alone, use: FixtureContext['use']) {
  return (await toldTogether(kind, use)) ?? (await use(alone[kind]));
}

const tellsCommands = changesEvents('tells the command behind the kinds of exec', (event) => {
  if (!kindOf(event).startsWith('exec_')) return event;
  const { Action, status } = event;
  const kinds = { ...(Action !== undefined && { Action: `${Action}: /probe` }) };
  return { ...event, ...kinds, ...(status !== undefined && { status: `${status}: /probe` }) };
});

check('events.exec-kinds-alone', { faults: [tellsCommands], looksAt: ['freezer'] }, async ({ use }) => {
  for (const kind of ['exec_create', 'exec_start'] as const) {
    const { listener, id } = await toldOfExec(kind, use);
    const events = listener.about(id).filter((event) => kindOf(event) === kind);
    if (events.length === 0) throw new Blocked(`${kind} of a container was not told`);
    for (const { Action, status } of events) {
      for (const [member, value] of Object.entries({ Action, status })) {
        if (value !== undefined) expectValue(`${member} of ${kind}`, value, [listener.live]).toBe(kind);
      }
    }
  }
});

/** The events while a container that has a volume runs. */
const mounted = fixture('the events of a volume that a container has', async ({ engine }) => {
  const listener = await listen(engine);
  const name = await makeVolume(engine);
  await containerWith(engine, name, ['exit', '0']);
  return { listener, name };
});

const removed = fixture('the events of a volume that is removed', async ({ engine }) => {
  const listener = await listen(engine);
  const name = await makeVolume(engine);
  await given(engine.delete(volumePath(name)), 204);
  return { listener, name };
});

for (const [kind, caused] of [
  ['create', labelledVolume],
  ['mount', mounted],
  ['unmount', mounted],
  ['destroy', removed],
] as const) {
  check(`events.kind.volume.${kind}`, { faults: [losesEvents('volume', kind)] }, async ({ use }) => {
    const { listener, name } = await use(caused);
    await expectKind(listener, 'volume', kind, name);
  });
}
