import { Transform } from 'node:stream';
import { headerOf, type WireHead, type WireRequest } from '../transport/wire.ts';
import type { Latitude } from './latitude.ts';

const anyCut = { notShown: 'nothing says where output is cut into frames, or a stream into chunks' } as const;
const headerLength = 8;
/** The rest of a long payload comes in one frame. */
const mostFrames = 512;
const gatherMs = 30;

/** How streams are cut. */
export const ofStreams: readonly Latitude[] = [
  {
    name: 'frames-of-one-byte',
    says: 'sends each byte of output in a frame of its own',
    area: 'streams',
    ground: anyCut,
    against: ['frames-of-odd-sizes'],
    ...cutsFrames(() => 1),
  },
  {
    name: 'frames-of-odd-sizes',
    says: 'cuts output into frames of three, one and five bytes',
    area: 'streams',
    ground: anyCut,
    against: ['frames-of-one-byte'],
    ...cutsFrames((frame) => [3, 1, 5][frame % 3] ?? 1),
  },
  {
    name: 'empty-frames',
    says: 'occasionally sends a frame without payload',
    area: 'streams',
    ground: { source: [2, 'Stream framing'], because: 'a size of 0 is a valid size' },
    incoming: (head, request) =>
      isOutput(head, request) ? new FrameCutter(() => Number.MAX_SAFE_INTEGER, true) : undefined,
  },
  {
    name: 'pieces-of-one-byte',
    says: 'sends streams in pieces of one byte',
    area: 'streams',
    ground: anyCut,
    against: ['gathered-pieces'],
    incoming: () =>
      new Transform({
        readableHighWaterMark: 1024 * 1024,
        transform(chunk: Buffer, _encoding, done) {
          // Whole archives would take forever.
          const most = Math.min(chunk.length, 512);
          for (let at = 0; at < most; at++) this.push(chunk.subarray(at, at + 1));
          if (most < chunk.length) this.push(chunk.subarray(most));
          done();
        },
      }),
  },
  {
    name: 'gathered-pieces',
    says: 'holds back stream output for a moment',
    area: 'streams',
    ground: { notShown: 'nothing says how soon a piece of a stream is sent' },
    against: ['pieces-of-one-byte'],
    incoming: () => new Gathering(),
  },
  {
    name: 'objects-without-breaks',
    says: 'puts nothing between the objects of a stream',
    area: 'streams',
    ground: { source: [1, 'Conventions used by all endpoints'], because: 'a sequence of objects, one after another' },
    against: ['objects-far-apart', 'objects-with-crlf', 'space-around-json'],
    after: '',
  },
  {
    name: 'objects-far-apart',
    says: 'puts spaces, tabs and empty lines between the objects of a stream',
    area: 'streams',
    ground: { notShown: 'nothing says what separates the objects; JSON allows white space' },
    against: ['objects-without-breaks', 'objects-with-crlf'],
    after: '\n \t\n\n',
  },
  {
    name: 'objects-with-crlf',
    says: 'ends each object of a stream with a carriage return and a line feed',
    area: 'streams',
    ground: { notShown: 'nothing says what separates the objects; JSON allows white space' },
    against: ['objects-without-breaks', 'objects-far-apart'],
    after: '\r\n',
  },
];

function cutsFrames(sizeOf: (frame: number) => number): Pick<Latitude, 'incoming' | 'answer'> {
  return {
    incoming: (head, request) => (isOutput(head, request) ? new FrameCutter(sizeOf, false) : undefined),
    answer: (answer, request) => {
      if (!isOutput(answer, request) || !beginsWithFrame(answer.body)) return answer;
      return { ...answer, body: recut(answer.body, sizeOf) };
    },
  };
}

/** Whether an answer is output of a command or container, which may be framed (Document 2, Stream framing). */
function isOutput(head: WireHead, { path }: WireRequest): boolean {
  const type = headerOf(head.headers, 'content-type') ?? '';
  return /\/(?:logs|attach|start)(?:\?|$)/.test(path) && head.status < 300 && !/json|html/i.test(type);
}

/** Output of a terminal has no frames; it does not begin like a header. */
function beginsWithFrame(bytes: Buffer): boolean {
  return bytes.length >= headerLength && (bytes[0] ?? 3) < 3 && bytes.readUIntBE(1, 3) === 0;
}

function recut(bytes: Buffer, sizeOf: (frame: number) => number): Buffer {
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

/** Cuts the frames of a live stream differently. Bytes that are not frames pass unchanged. */
class FrameCutter extends Transform {
  readonly #sizeOf: (frame: number) => number;
  readonly #withEmpty: boolean;
  #held = Buffer.alloc(0);
  #isFramed: boolean | undefined;

  constructor(sizeOf: (frame: number) => number, withEmpty: boolean) {
    super();
    this.#sizeOf = sizeOf;
    this.#withEmpty = withEmpty;
  }

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
      this.push(end === headerLength ? whole : recut(whole, this.#sizeOf));
      if (this.#withEmpty) this.push(frameOf(whole[0] ?? 1, Buffer.alloc(0)));
    }
  }
}

/** Holds pieces back until none has come for a moment. */
class Gathering extends Transform {
  #held: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#held.push(Buffer.from(chunk));
    this.#timer ??= setTimeout(() => this.#send(), gatherMs);
    done();
  }

  override _flush(done: () => void): void {
    this.#send();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#held.length > 0 && !this.destroyed) this.push(Buffer.concat(this.#held));
    this.#held = [];
  }
}
