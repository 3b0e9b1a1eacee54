import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import { isClosed, openWebSocket, sendMessage } from '../../harness/engine/websocket.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import { losesInput } from '../../harness/faults/streams.ts';
import { idle } from '../common-containers.ts';
import { no, yes } from '../spellings.ts';
import { type Client, type Echo, makeEcho } from './echo.ts';
import { expectKeysRefused } from './no-keys.ts';

async function connected(engine: Engine, container: Container, query: Query): Promise<LiveExchange> {
  const { live } = await openWebSocket(engine, container.path('attach/ws'), { stream: true, stdout: true, ...query });
  return given(Promise.resolve(live), 101);
}

async function clientOf(engine: Engine, { container }: Echo, stdin: string | undefined): Promise<Client> {
  const live = await connected(engine, container, { stdin });
  return { live, send: (text) => sendMessage(live, text) };
}

check('containers.attach-ws.stdin', { faults: [losesInput(), ignoresQuery('stdin')] }, async ({ engine }) => {
  const echo = await makeEcho(engine);
  await echo.expectHeard(await clientOf(engine, echo, '1'));
});

check('containers.attach-ws.stdin-default-false', { faults: [takesQueryAs('stdin', '1')] }, async ({ engine }) => {
  const echo = await makeEcho(engine);
  await echo.expectUnheard(await clientOf(engine, echo, undefined));
});

check(
  'containers.attach-ws.stdin-spellings',
  { faults: [knowsOnly('stdin', '1'), takesQueryAs('stdin', '1')] },
  async ({ engine }) => {
    const echo = await makeEcho(engine, 2 * yes.length + 2 * no.length);
    for (const stdin of yes) await echo.expectHeard(await clientOf(engine, echo, stdin));
    for (const stdin of no) await echo.expectUnheard(await clientOf(engine, echo, stdin));
  },
);

check(
  'containers.attach-ws.bad-parameter-400',
  { faults: [ignoresQuery('detachKeys'), answersStatus(500, 400)] },
  async ({ engine, use }) => {
    const { name } = await use(idle);
    const attach = async (detachKeys: string) => {
      const query = { stream: true, stdout: true, detachKeys };
      return (await openWebSocket(engine, `/containers/${name}/attach/ws`, query)).live;
    };
    await control(attach('ctrl-x'), 101);
    await expectKeysRefused(attach);
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
