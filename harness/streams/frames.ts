import { FrameViolation } from './violation.ts';

export { FrameViolation };

/** The outputs that frames tell apart, by their number in byte 0 (Document 2, Stream framing). */
const streams = ['stdin', 'stdout', 'stderr'] as const;

export type StreamName = (typeof streams)[number];

const headerLength = 8;

/** A run of payload bytes of one frame; a frame arrives in as many pieces as the reads cut it into. */
export interface FramePiece {
  readonly stream: StreamName;
  /** Ordinal of the frame in the stream, from 0. */
  readonly frame: number;
  /** Size of the frame's whole payload. */
  readonly size: number;
  /** A view of the chunk that was pushed, not a copy. Empty for a frame without payload. */
  readonly data: Uint8Array;
  /** Whether the frame is complete with this piece. */
  readonly last: boolean;
}

/**
 * Takes a multiplexed stream apart (Document 2, Stream framing), whatever way it is cut into chunks. Holds no payload.
 */
export class FrameDecoder {
  readonly #header = Buffer.alloc(headerLength);
  #headerFilled = 0;
  #offset = 0;
  #frame = -1;
  #stream: StreamName = 'stdin';
  #size = 0;
  #left = 0;

  /**
   * The payload pieces in the next bytes of the stream.
   * @throws FrameViolation at a header with an unknown stream type or with bytes 1 to 3 that are not 0
   */
  push(chunk: Uint8Array): FramePiece[] {
    const pieces: FramePiece[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const data = chunk.subarray(at, at + this.#left);
        this.#left -= data.length;
        at += data.length;
        pieces.push(this.#piece(data));
        continue;
      }
      const taken = this.#takeHeader(chunk, at);
      at += taken;
      if (this.#headerFilled < headerLength) break;
      this.#beginFrame(at);
      if (this.#size === 0) pieces.push(this.#piece(chunk.subarray(at, at)));
    }
    this.#offset += chunk.length;
    return pieces;
  }

  /** @throws FrameViolation when the stream ends inside a header or a payload */
  end(): void {
    if (this.#headerFilled > 0) {
      const start = this.#offset - this.#headerFilled;
      throw new FrameViolation('the stream ends inside a header', start, this.#header.subarray(0, this.#headerFilled));
    }
    if (this.#left > 0) {
      const says = `the stream ends ${this.#left} bytes before the end of a payload of ${this.#size}`;
      throw new FrameViolation(says, this.#offset, new Uint8Array());
    }
  }

  #takeHeader(chunk: Uint8Array, at: number): number {
    const part = chunk.subarray(at, at + headerLength - this.#headerFilled);
    this.#header.set(part, this.#headerFilled);
    this.#headerFilled += part.length;
    return part.length;
  }

  /** @param at where in the current chunk the header ended */
  #beginFrame(at: number): void {
    const header = this.#header;
    const start = this.#offset + at - headerLength;
    const stream = streams[header[0] ?? streams.length];
    if (stream === undefined) throw new FrameViolation('a stream type other than 0, 1 and 2', start, header);
    if (header.readUIntBE(1, 3) !== 0)
      throw new FrameViolation('header bytes 1 to 3 that are not 0', start + 1, header.subarray(1));
    this.#headerFilled = 0;
    this.#frame++;
    this.#stream = stream;
    this.#size = header.readUInt32BE(4);
    this.#left = this.#size;
  }

  #piece(data: Uint8Array): FramePiece {
    return { stream: this.#stream, frame: this.#frame, size: this.#size, data, last: this.#left === 0 };
  }
}

/** A whole frame. */
export interface Frame {
  readonly stream: StreamName;
  readonly payload: Buffer;
}

/** All frames of a stream that is there as a whole. @throws FrameViolation */
export function decodeFrames(bytes: Uint8Array): Frame[] {
  const decoder = new FrameDecoder();
  const frames = decoder.push(bytes).map(({ stream, data }) => ({ stream, payload: Buffer.from(data) }));
  decoder.end();
  return frames;
}

/** The payloads of each output joined. */
export function outputs(frames: readonly Frame[]): Readonly<Record<StreamName, Buffer>> {
  const joined = (name: StreamName) =>
    Buffer.concat(frames.filter(({ stream }) => stream === name).map(({ payload }) => payload));
  return { stdin: joined('stdin'), stdout: joined('stdout'), stderr: joined('stderr') };
}
