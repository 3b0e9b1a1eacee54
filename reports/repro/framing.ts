import type { RecordedExchange, Result } from '../../harness/events.ts';
import { FrameDecoder } from '../../harness/streams/frames.ts';
import { FrameViolation } from '../../harness/streams/violation.ts';
import { received } from './recorded.ts';

/** Whether a verdict says that a stream is not made of frames (Document 2, Stream framing). */
export function isAboutFraming({ expected, reason }: Pick<Result, 'expected' | 'reason'>): boolean {
  return /^frames of/.test(expected) || /^the stream cannot be read/.test(reason);
}

/** Whether a header in the recorded stream is wrong by itself, which a shell can see as well. */
export function hasWrongHeader(exchange: RecordedExchange): boolean {
  try {
    new FrameDecoder().push(received(exchange));
    return false;
  } catch (error) {
    if (error instanceof FrameViolation) return true;
    throw error;
  }
}

/** The end of a script that looks for such a header in the answer of a step. */
export function framingLines(step: number): string[] {
  return [`wrong_header ${step} >"$D/came"`, '[ -s "$D/came" ] && found', 'mended'];
}
