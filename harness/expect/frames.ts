import type { Answered } from '../engine/exchange.ts';
import { framesOf } from '../engine/live-exchange.ts';
import { outputs } from '../streams/frames.ts';
import { expectValue } from './expect.ts';

/** What a stream carried, per output, as texts. */
export interface Output {
  readonly stdin?: string;
  readonly stdout?: string;
  readonly stderr?: string;
}

/**
 * The bytes are frames (Document 2, Stream framing) whose payloads, joined per stream, are these texts; a stream that
 * is left out carried nothing.
 */
export function expectFrames(evidence: Answered, bytes: Uint8Array, output: Output): void {
  const { stdin, stdout, stderr } = outputs(framesOf(bytes));
  const actual = { stdin: stdin.toString(), stdout: stdout.toString(), stderr: stderr.toString() };
  expectValue('the payloads of the frames', actual, [evidence]).toBe({ stdin: '', stdout: '', stderr: '', ...output });
}

/** The bytes are raw output without framing, exactly this text (Document 2, Stream framing). */
export function expectRaw(evidence: Answered, bytes: Uint8Array, text: string): void {
  expectValue('the raw stream', Buffer.from(bytes).toString('latin1'), [evidence]).toBe(text);
}
