import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { type Fault, onRepeats } from '../../harness/faults/fault.ts';
import { ignoresQuery, swallows } from '../../harness/faults/requests.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { noKeys } from './support/malformed-keys.ts';
import { checkOperation } from './support/operation-checks.ts';

export const started = checkOperation('start', 'created', (container) => container.start());

check('containers.start.started-answers-304', { faults: [answersStatus(204, 304)] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  await control(container.start(), 204);
  expect(await container.start()).toHaveStatus(304);
});

check('containers.start.container-runs', { faults: [swallows(204)] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  await given(container.start(), 204);
  expect(await given(container.inspect(), 200))
    .field('State.Running')
    .toBe(true);
});

check(
  'containers.start.starts-again',
  { faults: [answersStatus(304, 204), swallows(204)].map(onRepeats) },
  async ({ engine }) => {
    // The first run takes so long that the second start differs even in whole seconds.
    const container = await makeContainer(engine, { run: ['sleep', '1100'], state: 'exited' });
    const before = await given(container.inspect(), 200);
    expect(await container.start()).toHaveStatus(204);
    await container.hasEnded();
    const after = await given(container.inspect(), 200);
    const [first, second] = [before, after].map(({ json }) => valuesAt(json, 'State.StartedAt')[0]);
    expectValue('State.StartedAt after the second start', second, [before, after]).toDiffer(first);
  },
);

check('containers.start.body-optional', { faults: [answersStatus(400, 204)] }, async ({ engine }) => {
  expect(await (await makeContainer(engine)).start()).toHaveStatus(204);
});

check('containers.start.host-config-body', { faults: [answersStatus(400, 204)] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  expect(await container.start({ json: { Binds: [], Privileged: false } })).toHaveStatus(204);
});

/** Reports that it refuses a body, but starts the container. */
const refusesAndStarts: Fault = {
  name: 'answers 400 to a body and starts the container all the same',
  request: ({ body: _, ...request }) => ({ ...request, headers: {} }),
  answer: (answer, request) => (request.body?.toString().includes('Privileged') ? { ...answer, status: 400 } : answer),
};

check(
  'containers.start.body-refused-400',
  { faults: [answersStatus(204, 400), refusesAndStarts] },
  async ({ engine }) => {
    const container = await makeContainer(engine);
    expect(await container.start({ json: { Privileged: false, Binds: [] } })).toHaveStatus(400);
    expect(await given(container.inspect(), 200))
      .field('State.Running')
      .toBe(false);
    await control(container.start({ json: {} }), 204);
  },
);

check('containers.start.body-effect', { faults: [] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  const answer = await container.start({ json: { Dns: ['192.0.2.1'] } });
  const inspect = await given(container.inspect(), 200);
  const changed = valuesAt(inspect.json, 'HostConfig.Dns').flat().includes('192.0.2.1');
  observe(`answers ${answer.status}, and the body ${changed ? 'changes' : 'does not change'} Dns`, answer, inspect);
});

/** Keys that start accepts. Which keys end a session is judged at attach, where there is one. */
function checkKeys(id: RuleId, keys: readonly string[]): void {
  check(id, { faults: [answersStatus(400, 204)] }, async ({ engine }) => {
    for (const detachKeys of keys) {
      const container = await makeContainer(engine, { config: { Tty: true, OpenStdin: true } });
      expect(await container.start({ query: { detachKeys } })).toHaveStatus(204);
    }
  });
}

check('containers.start.detachKeys-refused', { faults: [ignoresQuery('detachKeys')] }, async ({ engine }) => {
  const container = await makeContainer(engine, { config: { Tty: true, OpenStdin: true } });
  for (const detachKeys of noKeys) expect(await container.start({ query: { detachKeys } })).toBeRefused();
  await control(container.start({ query: { detachKeys: 'ctrl-p' } }), 204);
});

check('containers.start.detachKeys-effect', { faults: [] }, async ({ engine }) => {
  const run = ['raw', 'out', 'ready\\n', 'echo'];
  const container = await makeContainer(engine, { run, config: { Tty: true, OpenStdin: true } });
  await given(container.start({ query: { detachKeys: 'ctrl-x' } }), 204);
  await container.hasWritten('ready');
  const attach = await given(container.attach({ stream: true, stdin: true, stdout: true }), 101, 200);
  // Where the keys mean nothing, they are echoed together with what follows them.
  attach.write('\x18after');
  const bytes = await attach.receivedUntil('the keys or the end', (come) => attach.ended || come.includes('after'));
  observe(bytes.includes('after') ? 'the session goes on' : 'the session ends', attach);
});

checkKeys('containers.start.detachKeys', ['ctrl-p']);
checkKeys('containers.start.detachKeys-letter', ['a', 'Z']);
checkKeys('containers.start.detachKeys-ctrl', ['ctrl-a', 'ctrl-@', 'ctrl-^', 'ctrl-[', 'ctrl-,', 'ctrl-_']);
