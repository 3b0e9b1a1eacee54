import type { Answered } from '../../../harness/engine/exchange.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { FrameDecoder, FrameViolation, type StreamName } from '../../../harness/streams/frames.ts';
import { currentJudgement } from '../../../harness/verdict/judgement.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';

/** The text carried by the frames of a stream, per output. */
export type Carried = Readonly<Record<StreamName, string>>;

/**
 * What frames carry (Document 2, Stream framing), including the received part of an incomplete frame. For rules that
 * are not about the framing itself.
 * @throws Blocked when the bytes are not frames
 */
export function carriedBy(answered: Answered, bytes: Uint8Array): Carried {
  try {
    return carriedIn(bytes);
  } catch (error) {
    if (error instanceof FrameViolation) {
      currentJudgement().judged([answered.id]);
      throw new Blocked(`the stream cannot be read: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The same of a stream that has just begun; undefined when the bytes are not frames. */
export function carriedSoFar(bytes: Uint8Array): Carried | undefined {
  try {
    return carriedIn(bytes);
  } catch (error) {
    if (error instanceof FrameViolation) return undefined;
    throw error;
  }
}

/** @throws FrameViolation */
function carriedIn(bytes: Uint8Array): Carried {
  const pieces = new FrameDecoder().push(bytes);
  const joined = (name: StreamName) =>
    Buffer.concat(pieces.filter(({ stream }) => stream === name).map(({ data }) => data)).toString('utf8');
  return { stdin: joined('stdin'), stdout: joined('stdout'), stderr: joined('stderr') };
}

/** Waits until an output has carried a text. @throws TransportError when it does not come */
export async function carriedUntil(live: LiveExchange, output: StreamName, text: string): Promise<Carried> {
  const what = `${JSON.stringify(text)} on ${output}`;
  return carriedBy(live, await live.receivedUntil(what, (bytes) => carriedBy(live, bytes)[output].includes(text)));
}
