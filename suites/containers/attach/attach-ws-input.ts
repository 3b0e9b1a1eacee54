import { check } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { control, given } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { isClosed, openWebSocket, sendMessage } from '../../../harness/engine/websocket.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { ignoresQuery } from '../../../harness/faults/requests.ts';
import { idle } from '../../support/common-containers.ts';
import { checkInput } from '../support/input-checks.ts';
import { expectKeysRefused } from '../support/malformed-keys.ts';

async function connected(engine: Engine, container: Container, query: Query): Promise<LiveExchange> {
  const { live } = await openWebSocket(engine, container.path('attach/ws'), { stream: true, stdout: true, ...query });
  return given(Promise.resolve(live), 101);
}

checkInput(
  'containers.attach-ws',
  'containers.attach-ws.stdin',
  async (engine, { container }, query) => {
    const live = await connected(engine, container, query);
    return { live, send: (text) => sendMessage(live, text) };
  },
  { selected: 'containers.attach-ws.selects-stdin' },
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

check(
  'containers.attach-ws.detachKeys',
  { faults: [ignoresQuery('detachKeys')], slowToFail: true },
  async ({ engine }) => {
    const config = { Tty: true, OpenStdin: true };
    const container = await makeContainer(engine, {
      run: ['raw', 'out', 'ready\\n', 'echo'],
      state: 'running',
      config,
    });
    await container.hasWritten('ready');
    const live = await connected(engine, container, { stdin: true, detachKeys: 'ctrl-x' });
    sendMessage(live, '\x18');
    const bytes = await live.receivedUntil('the end of the session', (come) => isClosed(live, come));
    expectValue('whether the session has ended', isClosed(live, bytes), [live]).toBe(true);
    expect(await given(container.inspect(), 200))
      .field('State.Running')
      .toBe(true);
  },
);
