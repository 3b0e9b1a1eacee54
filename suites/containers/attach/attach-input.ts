import { check, fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { expect, observe } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { ignoresQuery } from '../../../harness/faults/requests.ts';
import { holdsText } from '../../../harness/streams/text.ts';
import { idle } from '../../support/common-containers.ts';
import { checkInput } from '../support/input-checks.ts';
import { expectKeysRefused } from '../support/malformed-keys.ts';

checkInput(
  'containers.attach',
  'containers.attach.stream-stdin',
  async (_engine, { container }, query) => {
    const live = await given(container.attach({ stream: true, stdout: true, ...query }), 101, 200);
    return { live, send: (text) => live.write(text) };
  },
  { lasting: 'containers.create.config.stdin-stays-open' },
);

/** A running container with a terminal that echoes its input. */
async function makeTerminal(engine: Engine): Promise<Container> {
  const run = ['raw', 'out', 'ready\\n', 'echo'];
  const container = await makeContainer(engine, { run, state: 'running', config: { Tty: true, OpenStdin: true } });
  await container.hasWritten('ready');
  return container;
}

/** The keys end the session, and the container keeps running. */
async function expectDetach(container: Container, detachKeys: string, sent: string): Promise<void> {
  const attach = await container.attach({ stream: true, stdin: true, stdout: true, detachKeys });
  expect(attach).toHaveStatus(101, 200);
  attach.write(Buffer.from(sent, 'latin1'));
  await attach.rest();
  expect(await given(container.inspect(), 200))
    .field('State.Running')
    .toBe(true);
}

const keyless = ignoresQuery('detachKeys');
// The ends of each range and one letter in between: every key costs an attach, and monitors accept few in a row.
const letters = 'amz';

check('containers.attach.detachKeys', { faults: [keyless], slowToFail: true }, async ({ engine }) => {
  await expectDetach(await makeTerminal(engine), 'ctrl-x', '\x18');
});

check(
  'containers.attach.detachKeys-letter',
  { faults: [keyless, answersStatus(400, 101)], slowToFail: true },
  async ({ engine }) => {
    const container = await makeTerminal(engine);
    for (const letter of letters + letters.toUpperCase()) await expectDetach(container, letter, letter);
  },
);

check(
  'containers.attach.bad-parameter-400',
  { faults: [keyless, answersStatus(500, 400)] },
  async ({ engine, use }) => {
    const { name } = await use(idle);
    const attach = (detachKeys: string) => {
      const query = { stream: true, stdout: true, detachKeys };
      return engine.open('POST', `/containers/${name}/attach`, { query });
    };
    await control(attach('ctrl-x'), 101, 200);
    await expectKeysRefused(attach);
  },
);

check(
  'containers.attach.detachKeys-ctrl',
  { faults: [keyless, answersStatus(400, 101)], slowToFail: true },
  async ({ engine }) => {
    const container = await makeTerminal(engine);
    for (const value of `${letters}@^[_`) {
      const control = String.fromCharCode(value.toUpperCase().charCodeAt(0) & 0x1f);
      await expectDetach(container, `ctrl-${value}`, control);
    }
    // Which byte a terminal sends for ctrl and a comma is not stated, so the key only has to be accepted.
    const attach = await container.attach({ stream: true, stdin: true, stdout: true, detachKeys: 'ctrl-,' });
    expect(attach).toHaveStatus(101, 200);
  },
);

/** Once for all versions, as it is a property of the daemon. */
const halfClosed = fixture(
  'what a client gets that has ended its input',
  async ({ engine }) => {
    const config = { OpenStdin: true, StdinOnce: true };
    const container = await makeContainer(engine, { run: ['out', 'ready\\n', 'count'], state: 'running', config });
    await container.hasWritten('ready');
    const attach = await given(container.attach({ stream: true, stdin: true, stdout: true }), 101, 200);
    attach.write('four');
    attach.endInput();
    return { attach, bytes: await attach.rest() };
  },
  { allVersions: (made) => made },
);

check('containers.attach.half-close', { faults: [] }, async ({ use }) => {
  const { attach, bytes } = await use(halfClosed);
  observe(holdsText(bytes, '4\n') ? 'the output goes on' : 'the output ends', attach);
});
