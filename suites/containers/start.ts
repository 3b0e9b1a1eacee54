import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { type Fault, onRepeats } from '../../harness/faults/fault.ts';
import { ignoresQuery, swallows } from '../../harness/faults/requests.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { keysOf } from '../../specs/keys.ts';
import { afterOthers, ifRight, ifThere, itself, withOtherMembers } from '../support/shared-results.ts';
import { noKeys } from './support/malformed-keys.ts';
import { checkOperation } from './support/operation-checks.ts';
import { runningIn, startedAt } from './support/state-values.ts';

export const started = checkOperation('start', 'created', (container) => container.start());

/** The first run takes so long that a start after it differs even in whole seconds. */
const readyLate = ['sleep', '1100', 'out', 'ready\\n', 'forever'];

/**
 * A container that was started, once more while it ran, and again after its end. It runs; the one check that stops it is
 * about what the stop answers.
 */
export const startedInTurn = fixture('a container that was started three times', async ({ engine }) => {
  const container = await makeContainer(engine, { run: readyLate, network: 'any' });
  const first = await given(container.start(), 204);
  const second = await container.start();
  return { container, first, second, ...(await startedAfterKill(container)) };
});

interface StartedAgain {
  readonly before: Exchange;
  readonly again: Exchange;
  readonly after: Exchange;
}

/** Kills a container that runs `readyLate`, starts it again, and inspects it before and after. */
async function startedAfterKill(container: Container): Promise<StartedAgain> {
  const before = await given(container.inspect(), 200);
  await container.hasWritten('ready');
  await given(container.kill(), 204);
  await container.hasEnded();
  const again = await container.start();
  return { before, again, after: await given(container.inspect(), 200) };
}

check('containers.start.started-answers-304', { faults: [answersStatus(204, 304)] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(startedInTurn)))?.second;
  const alone = async () => {
    const container = await makeContainer(engine, { network: 'any' });
    await control(container.start(), 204);
    return container.start();
  };
  const isTold = ({ status }: Exchange) => status === 304;
  expect(ifRight(shared, isTold, afterOthers, itself) ?? (await alone())).toHaveStatus(304);
});

check('containers.start.container-runs', { faults: [swallows(204)] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(startedInTurn)))?.before;
  const alone = async () => {
    const container = await makeContainer(engine, { network: 'any' });
    await given(container.start(), 204);
    return given(container.inspect(), 200);
  };
  const runs = (inspect: Exchange) => runningIn(inspect) === true;
  const inspect = ifRight(shared, runs, afterOthers, itself) ?? (await alone());
  expect(inspect).field('State.Running').toBe(true);
});

check(
  'containers.start.starts-again',
  { faults: [answersStatus(304, 204), swallows(204)].map(onRepeats) },
  async ({ engine, use }) => {
    const shared = await ifThere(use(startedInTurn));
    const alone = async () => startedAfterKill(await makeContainer(engine, { run: readyLate, state: 'running' }));
    const isAgain = (one: StartedAgain) => one.again.status === 204 && startedAt(one.before) !== startedAt(one.after);
    const { again, before, after } = ifRight(shared, isAgain, afterOthers, (one) => one.again) ?? (await alone());
    expect(again).toHaveStatus(204);
    expectValue('State.StartedAt after the second start', startedAt(after), [before, after]).toDiffer(
      startedAt(before),
    );
  },
);

check('containers.start.body-optional', { faults: [answersStatus(400, 204)] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(startedInTurn)))?.first;
  const alone = async () => (await makeContainer(engine, { network: 'any' })).start();
  expect(shared ?? (await alone())).toHaveStatus(204);
});

/** What became of a container that was started with a body. */
const startedWithBody = fixture('a container that was started with a body', async ({ engine }) => {
  const container = await makeContainer(engine);
  const answer = await container.start({ json: { Binds: [], Privileged: false, Dns: ['192.0.2.1'] } });
  return { answer, inspect: await given(container.inspect(), 200) };
});

check('containers.start.host-config-body', { faults: [answersStatus(400, 204)] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(startedWithBody)))?.answer;
  const alone = async () => (await makeContainer(engine)).start({ json: { Binds: [], Privileged: false } });
  const isTaken = ({ status }: Exchange) => status === 204;
  expect(ifRight(shared, isTaken, withOtherMembers, itself) ?? (await alone())).toHaveStatus(204);
});

/** Reports that it refuses a body, but starts the container. */
const refusesAndStarts: Fault = {
  name: 'answers 400 to a body and starts the container all the same',
  request: ({ body: _, ...request }) => ({ ...request, headers: {} }),
  answer: (answer, request) => (request.body?.toString().includes('Privileged') ? { ...answer, status: 400 } : answer),
};

check(
  'containers.start.body-refused-400',
  { faults: [answersStatus(204, 400), answersStatus(400, 204), refusesAndStarts] },
  async ({ engine }) => {
    const container = await makeContainer(engine);
    expect(await container.start({ json: { Privileged: false, Binds: [] } })).toHaveStatus(400);
    expect(await given(container.inspect(), 200))
      .field('State.Running')
      .toBe(false);
    expect(await container.start({ json: {} })).toHaveStatus(204);
  },
);

check('containers.start.body-effect', { faults: [] }, async ({ use }) => {
  const { answer, inspect } = await use(startedWithBody);
  const changed = valuesAt(inspect.json, 'HostConfig.Dns').flat().includes('192.0.2.1');
  observe(`answers ${answer.status}, and the body ${changed ? 'changes' : 'does not change'} Dns`, answer, inspect);
});

const keysOfRules = {
  'containers.start.detachKeys': ['ctrl-p'],
  'containers.start.detachKeys-letter': ['a', 'Z'],
  'containers.start.detachKeys-ctrl': ['ctrl-a', 'ctrl-@', 'ctrl-^', 'ctrl-[', 'ctrl-,', 'ctrl-_'],
} as const satisfies Readonly<Partial<Record<RuleId, readonly string[]>>>;

const withTerminal = { config: { Tty: true, OpenStdin: true }, network: 'any' } as const;

/** The answers to starts of one container with all of the keys in turn; those after a refusal are missing. */
const startedWithKeys = fixture('a container that was started with detach keys', async ({ engine }) => {
  const container = await makeContainer(engine, withTerminal);
  const answers = new Map<string, Exchange>();
  for (const detachKeys of Object.values(keysOfRules).flat()) {
    const answer = await container.start({ query: { detachKeys } });
    if (answer.status !== 204) break;
    answers.set(detachKeys, answer);
    await given(container.kill(), 204);
  }
  return answers;
});

/** Keys that start accepts. Which keys end a session is judged at attach, where there is one. */
for (const id of keysOf(keysOfRules)) {
  check(id, { faults: [answersStatus(400, 204)] }, async ({ engine, use }) => {
    const shared = await ifThere(use(startedWithKeys));
    for (const detachKeys of keysOfRules[id]) {
      const alone = async () => (await makeContainer(engine, withTerminal)).start({ query: { detachKeys } });
      expect(shared?.get(detachKeys) ?? (await alone())).toHaveStatus(204);
    }
  });
}

check('containers.start.detachKeys-refused', { faults: [ignoresQuery('detachKeys')] }, async ({ engine }) => {
  const container = await makeContainer(engine, withTerminal);
  for (const detachKeys of noKeys) expect(await container.start({ query: { detachKeys } })).toBeRefused();
  await control(container.start({ query: { detachKeys: 'ctrl-p' } }), 204);
});

check('containers.start.detachKeys-effect', { faults: [] }, async ({ engine }) => {
  const container = await makeContainer(engine, { run: ['raw', 'out', 'ready\\n', 'echo'], ...withTerminal });
  await given(container.start({ query: { detachKeys: 'ctrl-x' } }), 204);
  await container.hasWritten('ready');
  const attach = await given(container.attach({ stream: true, stdin: true, stdout: true }), 101, 200);
  // Where the keys mean nothing, they are echoed together with what follows them.
  attach.write('\x18after');
  const bytes = await attach.receivedUntil('the keys or the end', (come) => attach.ended || come.includes('after'));
  observe(bytes.includes('after') ? 'the session goes on' : 'the session ends', attach);
});
