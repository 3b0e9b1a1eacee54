import type { Answered } from '../../../harness/engine/exchange.ts';
import { FrameViolation } from '../../../harness/streams/violation.ts';
import { Deviation } from '../../../harness/verdict/outcomes.ts';

const headerLength = 8;

/** A part of a stream delimited by bytes 4 to 7 of its header; the rest of the header is ignored. */
export interface LooseFrame {
  readonly header: Buffer;
  readonly payload: Buffer;
}

/**
 * Splits a stream into frames by their sizes alone (Document 2, Stream framing), so that each rule can judge its own
 * part of the header.
 * @param of the exchange of the stream
 * @throws Deviation where a size points past the end, or the stream ends inside a header
 */
export function looseFrames(bytes: Buffer, of?: Pick<Answered, 'id'>): LooseFrame[] {
  const frames: LooseFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const header = bytes.subarray(at, at + headerLength);
    const left = bytes.length - at - headerLength;
    if (left < 0) throw noFrame('the stream ends inside the header', at, header, of);
    const size = header.readUInt32BE(4);
    if (size > left) throw noFrame('fewer bytes follow than the size says in the header', at, header, of);
    frames.push({ header, payload: bytes.subarray(at + headerLength, at + headerLength + size) });
    at += headerLength + size;
  }
  return frames;
}

function noFrame(says: string, at: number, header: Buffer, of: Pick<Answered, 'id'> | undefined): Deviation {
  const { message } = new FrameViolation(says, at, header);
  const shown = of && { exchange: of.id };
  return new Deviation('frames of an 8-byte header and a payload', message, 'must', undefined, { shown });
}

/** The joined payloads of all frames, or of those with a given number in byte 0. */
export function payloadOf(frames: readonly LooseFrame[], type?: number): Buffer {
  const wanted = frames.filter(({ header }) => type === undefined || header[0] === type);
  return Buffer.concat(wanted.map(({ payload }) => payload));
}
