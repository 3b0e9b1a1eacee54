import type { Answered } from '../../../harness/engine/exchange.ts';
import { settled } from '../../../harness/engine/given.ts';
import { framesOf, type LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import type { Write } from '../../../harness/generators/writes.ts';
import type { Trial } from '../../../harness/property/trial.ts';
import { type Frame, FrameDecoder, FrameViolation, outputs } from '../../../harness/streams/frames.ts';
import { expectBytes } from '../../support/streams/expect-bytes.ts';
import { escaped, fill } from '../../support/streams/probe-text.ts';

/** The probe's steps for these writes. */
export function stepsOf(writes: readonly Write[]): string[] {
  return writes.flatMap(({ to, what, afterMs }) => {
    const verb = to === 'stdout' ? 'out' : 'err';
    const pause = afterMs > 0 ? ['sleep', `${afterMs}`] : [];
    return [...pause, ...(typeof what === 'number' ? [`${verb}-fill`, `${what}`] : [verb, escaped(what)])];
  });
}

/** All bytes that are written, or those to one output. */
export function bytesOf(writes: readonly Write[], to?: Write['to']): Buffer {
  const wanted = writes.filter((write) => to === undefined || write.to === to);
  return Buffer.concat(wanted.map(({ what }) => (typeof what === 'number' ? Buffer.from(fill(what)) : what)));
}

/** The writes in words, one step of the trial each. */
export function sayWrites(trial: Trial, writes: readonly Write[], who: string): void {
  for (const { to, what, afterMs } of writes) {
    const size = typeof what === 'number' ? what : what.length;
    const shown = typeof what === 'number' || size > 40 ? '' : ` (${JSON.stringify(what.toString('latin1'))})`;
    trial.step(`${who} writes ${size} bytes to ${to}${shown}${afterMs > 0 ? ` after ${afterMs} ms` : ''}`);
  }
}

/** What a stream has to carry. */
export interface Expected {
  readonly tty: boolean;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** For a terminal: both outputs in the order written. */
  readonly all: Buffer;
}

type Endpoint = 'containers.attach' | 'containers.logs' | 'exec.start';

/** Judges everything that came of a stream (Document 2, Stream framing). */
export async function judgeBytes(
  trial: Trial,
  endpoint: Endpoint,
  [evidence, bytes]: readonly [Answered, Buffer],
  { tty, stdout, stderr, all }: Expected,
): Promise<void> {
  if (tty) {
    return trial.decides(`${endpoint}.stream.tty-raw`, () => expectBytes(evidence, 'the terminal', bytes, all));
  }
  await trial.decides(`${endpoint}.stream.frame-header`, () => {
    const unframed = whyUnframed(bytes);
    expectValue('what is wrong with the frames', unframed, [evidence]).toBe(undefined);
  });
  if (whyUnframed(bytes) !== undefined) return;
  const came = outputs(framesOf(bytes));
  await trial.decides(`${endpoint}.stream.payload-whole`, () => {
    expectBytes(evidence, 'stdout', came.stdout, stdout);
    expectBytes(evidence, 'stderr', came.stderr, stderr);
  });
}

/** Reads a stream to its end, which must come. */
export async function readToEnd(trial: Trial, endpoint: Endpoint, live: LiveExchange): Promise<Buffer> {
  await trial.decides(`${endpoint}.stream.payload-whole`, async () => void (await live.rest()));
  return settled(live.rest(), 'reading the stream');
}

/** The frames of a stream; undefined when there are none that can be read. */
export function readableFrames(bytes: Buffer): Frame[] | undefined {
  return whyUnframed(bytes) === undefined ? framesOf(bytes) : undefined;
}

function whyUnframed(bytes: Buffer): string | undefined {
  const decoder = new FrameDecoder();
  try {
    decoder.push(bytes);
    decoder.end();
    return undefined;
  } catch (error) {
    if (error instanceof FrameViolation) return error.message;
    throw error;
  }
}
