import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import { isClosed, openWebSocket, sendMessage } from '../../harness/engine/websocket.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import { losesInput } from '../../harness/faults/streams.ts';
import { no, yes } from '../spellings.ts';
import { carriedUntil } from '../streams/carried.ts';

async function connected(engine: Engine, container: Container, query: Query): Promise<LiveExchange> {
  const { live } = await openWebSocket(engine, container.path('attach/ws'), { stream: true, stdout: true, ...query });
  return given(Promise.resolve(live), 101);
}

/** A running container that writes back the first two lines of its stdin. */
async function makeEcho(engine: Engine): Promise<Container> {
  const run = ['out', 'ready\\n', 'echo-line', 'echo-line', 'forever'];
  const container = await makeContainer(engine, { run, state: 'running', config: { OpenStdin: true } });
  await container.hasWritten('ready');
  return container;
}

/** What is sent comes to the process, whose log shows it. */
async function expectTaken(engine: Engine, stdin: string): Promise<void> {
  const container = await makeEcho(engine);
  const live = await connected(engine, container, { stdin });
  const log = await given(container.openLogs({ follow: true, stdout: true }), 200);
  sendMessage(live, 'a line\nanother\n');
  const { stdout } = await carriedUntil(log, 'stdout', 'another\n');
  expectValue('what the process wrote', stdout, [live, log]).toBe('ready\na line\nanother\n');
}

/** What is sent without stdin does not come to the process; what another client sends after it with stdin does. */
async function expectNotTaken(engine: Engine, query: Query): Promise<void> {
  const container = await makeEcho(engine);
  const deaf = await connected(engine, container, query);
  sendMessage(deaf, 'unheard\n');
  // Once the daemon has answered another request, it has had time to take what was sent.
  await given(container.inspect(), 200);
  const attach = await given(container.attach({ stream: true, stdin: true, stdout: true }), 101, 200);
  attach.write('heard\n');
  const log = await given(container.openLogs({ follow: true, stdout: true }), 200);
  const { stdout } = await settled(carriedUntil(log, 'stdout', '\nheard\n'), 'waiting for the second line');
  expectValue('what the process wrote', stdout, [deaf, log]).toBe('ready\nheard\n');
}

check('containers.attach-ws.stdin', { faults: [losesInput(), ignoresQuery('stdin')] }, async ({ engine }) => {
  await expectTaken(engine, '1');
});

check(
  'containers.attach-ws.stdin-spellings',
  { faults: [knowsOnly('stdin', '1'), takesQueryAs('stdin', '1')] },
  async ({ engine }) => {
    for (const stdin of yes) await expectTaken(engine, stdin);
    for (const stdin of no) await expectNotTaken(engine, { stdin });
  },
);

check('containers.attach-ws.detachKeys', { faults: [ignoresQuery('detachKeys')] }, async ({ engine }) => {
  const config = { Tty: true, OpenStdin: true };
  const container = await makeContainer(engine, { run: ['raw', 'out', 'ready\\n', 'echo'], state: 'running', config });
  await container.hasWritten('ready');
  const live = await connected(engine, container, { stdin: true, detachKeys: 'ctrl-x' });
  sendMessage(live, '\x18');
  const bytes = await live.receivedUntil('the end of the session', (come) => isClosed(live, come));
  expectValue('whether the session has ended', isClosed(live, bytes), [live]).toBe(true);
  expect(await given(container.inspect(), 200))
    .field('State.Running')
    .toBe(true);
});
