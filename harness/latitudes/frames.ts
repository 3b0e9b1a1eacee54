import { Transform } from 'node:stream';
import { HeldBack } from './held-back.ts';

const headerLength = 8;
/** The rest of a long payload comes in one frame. */
const mostFrames = 512;
/** Byte 0 of the frames of stdout (Document 2, Stream framing). */
const stdout = 1;
const lateMs = 20;

/** Output of a terminal has no frames; it does not begin like a header. */
export function beginsWithFrame(bytes: Buffer): boolean {
  return bytes.length >= headerLength && (bytes[0] ?? 3) < 3 && bytes.readUIntBE(1, 3) === 0;
}

/** Frames that carry the same as others, in pieces of other sizes. */
export function recut(bytes: Buffer, sizeOf: (frame: number) => number): Buffer {
  const cut: Buffer[] = [];
  let frame = 0;
  for (let at = 0; at + headerLength <= bytes.length; ) {
    const end = at + headerLength + bytes.readUInt32BE(at + 4);
    const payload = bytes.subarray(at + headerLength, end);
    const last = frame + mostFrames;
    for (let from = 0; from < payload.length; ) {
      const left = payload.length - from;
      const size = frame < last ? Math.min(sizeOf(frame++), left) : left;
      cut.push(frameOf(bytes[at] ?? 0, payload.subarray(from, from + size)));
      from += size;
    }
    at = end;
  }
  return Buffer.concat(cut);
}

function frameOf(stream: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(headerLength);
  header[0] = stream;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

/** Passes on each frame of a live stream by itself. Bytes that are not frames pass unchanged. */
abstract class FrameTransform extends Transform {
  #held = Buffer.alloc(0);
  #isFramed: boolean | undefined;

  /** Sends a frame, or what takes its place. */
  protected abstract frame(whole: Buffer): void;

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    // Short terminal output may be shorter than a header.
    if (this.#isFramed === undefined && (this.#held.length >= headerLength || (this.#held[0] ?? 3) > 2)) {
      this.#isFramed = beginsWithFrame(this.#held);
    }
    if (this.#isFramed === false) {
      this.push(this.#held);
      this.#held = Buffer.alloc(0);
    }
    if (this.#isFramed === true) this.#cut();
    done();
  }

  override _flush(done: () => void): void {
    if (this.#held.length > 0) this.push(this.#held);
    done();
  }

  #cut(): void {
    while (this.#held.length >= headerLength) {
      const end = headerLength + this.#held.readUInt32BE(4);
      if (this.#held.length < end) return;
      const whole = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(end);
      this.frame(whole);
    }
  }
}

/** Cuts the frames of a live stream differently. */
export class FrameCutter extends FrameTransform {
  readonly #sizeOf: (frame: number) => number;
  readonly #withEmpty: boolean;

  constructor(sizeOf: (frame: number) => number, withEmpty: boolean) {
    super();
    this.#sizeOf = sizeOf;
    this.#withEmpty = withEmpty;
  }

  protected override frame(whole: Buffer): void {
    this.push(whole.length === headerLength ? whole : recut(whole, this.#sizeOf));
    if (this.#withEmpty) this.push(frameOf(whole[0] ?? stdout, Buffer.alloc(0)));
  }
}

/** Holds back frames of stdout for a moment, except for the first, so that those of stderr come between. */
export class LateOutput extends FrameTransform {
  #isFirst = true;
  readonly #late = new HeldBack(lateMs, (bytes) => {
    this.push(bytes);
    this.#isFirst = true;
  });

  protected override frame(whole: Buffer): void {
    const isLate = whole[0] === stdout && !this.#isFirst;
    if (whole[0] === stdout) this.#isFirst = false;
    if (isLate) this.#late.add(whole);
    else this.push(whole);
  }

  override _flush(done: () => void): void {
    this.#late.send();
    super._flush(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#late.drop();
    done(error);
  }
}
