import { setTimeout as delay } from 'node:timers/promises';
import { check, fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expectValue, observe } from '../../../harness/expect/expect.ts';
import { onRepeats } from '../../../harness/faults/fault.ts';
import { changesFrames } from '../../../harness/faults/streams.ts';
import { looseFrames, payloadOf } from '../../support/streams/loose-frames.ts';
import { signal } from './support/attached-writer.ts';

/** A process that waits for a line, then writes this many bytes to stdout and ends. */
async function makeWriter(engine: Engine, bytes: number): Promise<Container> {
  const run = ['out', 'ready\\n', 'echo-line', 'out-fill', `${bytes}`, 'out', 'last\\n'];
  const container = await makeContainer(engine, { run, state: 'running', config: { OpenStdin: true } });
  await container.hasWritten('ready');
  return container;
}

function listen(container: Container, takesMs = 0): Promise<LiveExchange> {
  return given(container.attach({ stream: true, stdout: true }, { takesMs }), 101, 200);
}

/** Triggers the process through a client that then goes on as a reader. */
async function begin(container: Container): Promise<LiveExchange> {
  const live = await speak(container);
  live.write('go\n');
  return live;
}

function speak(container: Container): Promise<LiveExchange> {
  return given(container.attach({ stream: true, stdin: true, stdout: true }), 101, 200);
}

/** How many bytes of stdout a client received, and how they end. */
async function got(live: LiveExchange): Promise<{ bytes: number; end: string }> {
  const bytes = payloadOf(looseFrames(await live.rest(), live), 1);
  return { bytes: bytes.length, end: bytes.subarray(-5).toString('latin1') };
}

const whole = (first: string, bytes: number) => ({ bytes: first.length + bytes + 'last\n'.length, end: 'last\n' });
const losesLast = changesFrames('loses the last frame', (frames) => frames.slice(0, -1));

check('containers.attach.several-clients', { faults: [losesLast, onRepeats(losesLast)] }, async ({ engine }) => {
  const container = await makeWriter(engine, 100_000);
  const listeners = [await listen(container), await listen(container)];
  const writer = await begin(container);
  for (const live of [...listeners, writer]) {
    expectValue('what came of stdout to one of three clients', await got(live), [live]).toBe(whole('go\n', 100_000));
  }
});

// More than the buffers of all pipes and sockets in between can hold.
const much = 4_000_000;
/** So long may that take besides, as in small frames on a busy machine. */
const muchMs = 90_000;
/** Long enough for the buffers to fill. */
const slowMs = 1_000;

check('containers.attach.slow-client', { faults: [losesLast] }, async ({ engine }) => {
  // Begun by a signal and not by a line of another client: what several clients get at once is for another rule.
  const run = ['catch', 'out', 'ready\\n', 'wait-signal', 'out-fill', `${much}`, 'out', 'last\\n'];
  const container = await makeContainer(engine, { run, state: 'running' });
  await container.hasWritten('ready');
  const slow = await listen(container, muchMs);
  slow.stopReading();
  await signal(container);
  await delay(slowMs);
  slow.readOn();
  expectValue('what came of stdout', await got(slow), [slow]).toBe(whole('signal 10\n', much));
});

/** Once for all versions, as it is a property of the daemon. */
const leftByOne = fixture(
  'what a client gets when another has gone',
  async ({ engine }) => {
    const container = await makeWriter(engine, 100_000);
    const gone = await listen(container);
    const stays = await listen(container);
    const writer = await speak(container);
    gone.drop();
    // By the time the daemon has answered another request, it has had time to see that the client is gone.
    await given(container.inspect(), 200);
    writer.write('go\n');
    return { gone, stays, writer, ...(await settled(got(stays), 'reading as the client that stays')) };
  },
  { allVersions: (made) => made },
);

check('containers.attach.gone-client', { faults: [] }, async ({ use }) => {
  const { gone, stays, writer, end } = await use(leftByOne);
  observe(end === 'last\n' ? 'the others get the whole output' : 'the others lose output', gone, stays, writer);
});
