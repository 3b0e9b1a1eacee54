import { Transform } from 'node:stream';
import { headerOf, type WireHead, type WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import { beginsWithFrame, FrameCutter, LateOutput, recut } from './frames.ts';
import { HeldBack } from './held-back.ts';
import type { Latitude } from './latitude.ts';

const anyCut = { notShown: 'nothing says where output is cut into frames, or a stream into chunks' } as const;
const gatherMs = 30;
/** The endpoints whose clients only read. */
const headsMayBeLate = [
  'GET /events',
  'GET /containers/{id}/logs',
  'GET /containers/{id}/stats',
  'POST /images/create',
  'POST /build',
];
const tellsProgress = ['POST /build', 'POST /images/create', 'POST /images/{name}/push', 'POST /images/load'];

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
    name: 'late-heads',
    says: 'sends the head of a stream with its first bytes',
    area: 'streams',
    ground: { notShown: 'nothing says when the head of a stream comes, but for that of a wait' },
    holdsHead: (request) => headsMayBeLate.includes(endpointOf(request) ?? ''),
  },
  {
    name: 'progress-at-end',
    says: 'tells the progress of builds, pulls, pushes and loads when they are over',
    area: 'streams',
    ground: { notShown: 'nothing says how soon a piece of a stream is sent' },
    // With both there is no build whose client could go: its answer begins when it is over.
    against: ['late-heads'],
    incoming: (_head, request) => (tellsProgress.includes(endpointOf(request) ?? '') ? new AtEnd() : undefined),
  },
  {
    name: 'stderr-between',
    says: 'sends what comes on stderr in the middle of what comes on stdout',
    area: 'streams',
    ground: { notShown: 'nothing says how the frames of two outputs follow one another' },
    incoming: (head, request) => (isOutput(head, request) ? new LateOutput() : undefined),
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

/** Holds pieces back for a moment. */
class Gathering extends Transform {
  readonly #held = new HeldBack(gatherMs, (bytes) => this.push(bytes));

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#held.add(Buffer.from(chunk));
    done();
  }

  override _flush(done: () => void): void {
    this.#held.send();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#held.drop();
    done(error);
  }
}

/** Holds everything back until the end. */
class AtEnd extends Transform {
  readonly #pieces: Buffer[] = [];

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#pieces.push(Buffer.from(chunk));
    done();
  }

  override _flush(done: (error: null, bytes: Buffer) => void): void {
    done(null, Buffer.concat(this.#pieces));
  }
}
