import { FrameViolation } from './violation.ts';

export { FrameViolation };

/** The outputs that frames distinguish, by their number in byte 0 (Document 2, Stream framing). */
const streams = ['stdin', 'stdout', 'stderr'] as const;

export type StreamName = (typeof streams)[number];

const headerLength = 8;
/** Bytes 1 to 3 of a header are 0; the size follows them. */
const sizeAt = 4;

/** Consecutive payload bytes of one frame; a frame arrives in as many pieces as the reads split it into. */
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
 * Decodes a multiplexed stream (Document 2, Stream framing), however it is split into chunks. Does not store payload.
 */
export class FrameDecoder {
  readonly #header = Buffer.alloc(headerLength);
  #headerFilled = 0;
  #offset = 0;
  #frame = -1;
  #stream: StreamName = 'stdin';
  #size = 0;
  #left = 0;
  #violation: FrameViolation | undefined;

  /**
   * The payload pieces in the next bytes of the stream.
   * @throws FrameViolation at a header with an unknown stream type or with bytes 1 to 3 that are not 0, as soon as the
   * byte comes, and again at every later call
   */
  push(chunk: Uint8Array): FramePiece[] {
    if (this.#violation) throw this.#violation;
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
      at += this.#takeHeader(chunk, at);
      if (this.#headerFilled < headerLength) break;
      this.#beginFrame();
      if (this.#size === 0) pieces.push(this.#piece(chunk.subarray(at, at)));
    }
    this.#offset += chunk.length;
    return pieces;
  }

  /** @throws FrameViolation when the stream ends inside a header or a payload */
  end(): void {
    if (this.#violation) throw this.#violation;
    if (this.#headerFilled > 0) {
      const start = this.#offset - this.#headerFilled;
      this.#fail('the stream ends inside a header', start, this.#header.subarray(0, this.#headerFilled));
    }
    if (this.#left > 0) {
      const says = `the stream ends ${this.#left} bytes before the end of a payload of ${this.#size}`;
      this.#fail(says, this.#offset, new Uint8Array());
    }
  }

  /**
   * Reads header bytes and returns how many. Each is judged as it comes: a stream without frames may end early or stay
   * open.
   */
  #takeHeader(chunk: Uint8Array, at: number): number {
    const filled = this.#headerFilled;
    const part = chunk.subarray(at, at + headerLength - filled);
    this.#header.set(part, filled);
    this.#headerFilled += part.length;
    for (let place = filled; place < Math.min(this.#headerFilled, sizeAt); place++) {
      const byte = this.#header.readUInt8(place);
      if (place === 0 ? byte < streams.length : byte === 0) continue;
      const wrong = at + place - filled;
      const says = place === 0 ? 'a stream type other than 0, 1 and 2' : `a header byte ${place} that is not 0`;
      this.#fail(says, this.#offset + wrong, chunk.subarray(wrong));
    }
    return part.length;
  }

  #beginFrame(): void {
    this.#headerFilled = 0;
    this.#frame++;
    this.#stream = streams[this.#header.readUInt8(0)] ?? this.#stream;
    this.#size = this.#header.readUInt32BE(sizeAt);
    this.#left = this.#size;
  }

  #fail(says: string, offset: number, bytes: Uint8Array): never {
    this.#violation = new FrameViolation(says, offset, bytes);
    throw this.#violation;
  }

  #piece(data: Uint8Array): FramePiece {
    return { stream: this.#stream, frame: this.#frame, size: this.#size, data, last: this.#left === 0 };
  }
}

/** A complete frame. */
export interface Frame {
  readonly stream: StreamName;
  readonly payload: Buffer;
}

/** All frames of a complete stream. @throws FrameViolation */
export function decodeFrames(bytes: Uint8Array): Frame[] {
  const decoder = new FrameDecoder();
  const frames = decoder.push(bytes).map(({ stream, data }) => ({ stream, payload: Buffer.from(data) }));
  decoder.end();
  return frames;
}

/** The joined payloads of each output. */
export function outputs(frames: readonly Frame[]): Readonly<Record<StreamName, Buffer>> {
  const joined = (name: StreamName) =>
    Buffer.concat(frames.filter(({ stream }) => stream === name).map(({ payload }) => payload));
  return { stdin: joined('stdin'), stdout: joined('stdout'), stderr: joined('stderr') };
}
