import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { makeExec } from '../../harness/engine/exec.ts';
import { given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { on } from '../../harness/faults/fault.ts';
import { changesInput } from '../../harness/faults/streams.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import { FrameDecoder } from '../../harness/streams/frames.ts';
import { atLeast } from '../../specs/versions.ts';
import { host } from '../support/common-containers.ts';
import { expectBytes } from '../support/streams/expect-bytes.ts';

/** What a client sends at once. */
interface Piece {
  readonly bytes: Buffer;
  readonly afterMs: number;
}

/** The keys that leave a terminal here, where they can be chosen: no rule states which ones do otherwise. */
const leaving = { keys: 'ctrl-x', byte: 0x18 } as const;

/** What engines in the field leave a terminal with, also where they ignore the keys that are chosen. */
const usualKeys = [0x10, 0x11];

/** Whether a byte may be part of the keys that leave a terminal: where they cannot be chosen, each control character may. */
function mayLeave(byte: number, { tty, canChoose }: { readonly tty: boolean; readonly canChoose: boolean }): boolean {
  if (tty && !canChoose) return byte < 0x20;
  return byte === leaving.byte || usualKeys.includes(byte);
}

const anyBytes = fc
  .record({ first: fc.nat({ max: 255 }), size: fc.integer({ min: 1, max: 300 }) })
  .map(({ first, size }) => Buffer.from(Array.from({ length: size }, (_, at) => first + 7 * at)));

const pieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.record({
    bytes: fc.oneof(
      { weight: 8, arbitrary: anyBytes },
      { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 40_000 }).map((size) => Buffer.alloc(size, 'echo, ')) },
    ),
    afterMs: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) },
    ),
  }),
  { minLength: 1, maxLength: 10, size: 'max' },
);

/** Typing more than a terminal holds before reading its echo may block forever; that is how terminals work. */
function typedAtOnce({ bytes, afterMs }: Piece): Piece {
  return { bytes: bytes.subarray(0, 300), afterMs };
}

/** The piece with a space in place of some bytes. */
function without({ bytes, afterMs }: Piece, isLeftOut: (byte: number) => boolean): Piece {
  return { bytes: Buffer.from(bytes.map((byte) => (isLeftOut(byte) ? 0x20 : byte))), afterMs };
}

const run = ['raw', 'out', 'ready\\n', 'echo'];
const swaps = changesInput('swaps what comes together', (piece) => Buffer.from(piece.map((byte) => byte ^ 1)));
const loses = changesInput('loses the last byte that comes together', (piece) =>
  piece.length > 1 ? piece.subarray(0, -1) : Buffer.from('?'),
);

check(
  'generated.streams.input',
  {
    faults: [
      on('POST /exec/{id}/start', swaps),
      on('POST /exec/{id}/start', loses),
      on('POST /containers/{id}/attach', swaps),
    ],
  },
  (context) =>
    forAll(context, fc.record({ tty: fc.boolean(), pieces }), { runs: 2 }, async (value, trial) => {
      const { engine } = trial;
      const { tty } = value;
      const canChoose = atLeast(engine.api, '1.23');
      const staying = value.pieces.map((piece) => without(piece, (byte) => mayLeave(byte, { tty, canChoose })));
      const pieces = tty ? staying.map(typedAtOnce) : staying;
      const terminal = tty ? ' with a terminal' : '';
      trial.step(`starts a command${terminal} that writes back what it gets`);
      const chosen = canChoose && { DetachKeys: leaving.keys };
      const exec = await makeExec(engine, await context.use(host), {
        run,
        config: { Tty: tty, AttachStdin: true, ...chosen },
      });
      const started = await given(exec.start({ tty }), 101, 200);
      await judgeEcho(trial, 'exec.start.stdin', started, { tty, pieces });

      trial.step(`attaches to a container${terminal} that writes back what it gets`);
      const config = { OpenStdin: true, StdinOnce: true, Tty: tty };
      const container = await makeContainer(engine, { run, config, state: 'running' });
      await container.hasWritten('ready');
      const query = { stream: true, stdin: true, stdout: true, ...(canChoose && { detachKeys: leaving.keys }) };
      const attached = await given(container.attach(query), 101, 200);
      await judgeEcho(trial, 'containers.attach.stream-stdin', attached, { tty, pieces });
    }),
);

async function judgeEcho(
  trial: Trial,
  rule: 'exec.start.stdin' | 'containers.attach.stream-stdin',
  live: LiveExchange,
  { tty, pieces }: { readonly tty: boolean; readonly pieces: readonly Piece[] },
): Promise<void> {
  // On a terminal that is not raw yet, typed input would come back twice.
  const opening = rule === 'exec.start.stdin' ? 'ready\n' : '';
  if (opening !== '') await settled(live.receivedText(opening), 'waiting for the process');
  trial.step(
    `sends ${pieces.map(({ bytes, afterMs }) => `${bytes.length} bytes${afterMs > 0 ? ` after ${afterMs} ms` : ''}`).join(', ')}`,
  );
  for (const { bytes, afterMs } of pieces) {
    if (afterMs > 0) await delay(afterMs);
    live.write(bytes);
  }
  const sent = Buffer.concat([Buffer.from(opening), ...pieces.map(({ bytes }) => bytes)]);
  const came = (bytes: Buffer) => (tty ? bytes : stdoutOf(bytes));
  await trial.decides(rule, async () => {
    await live.satisfiesWithin(echoMs, (bytes) => came(bytes).length >= sent.length || !isSame(came(bytes), sent));
    expectBytes(live, 'stdin', came(live.received), sent);
  });
  // A half-close is the end of input; what happens to the stream afterwards is left open.
  live.endInput();
}

const echoMs = 10_000;

/** Whether bytes are a prefix of others. */
function isSame(begin: Buffer, whole: Buffer): boolean {
  return begin.equals(whole.subarray(0, begin.length));
}

function stdoutOf(bytes: Buffer): Buffer {
  const parts = new FrameDecoder().push(bytes).filter(({ stream }) => stream === 'stdout');
  return Buffer.concat(parts.map(({ data }) => data));
}
