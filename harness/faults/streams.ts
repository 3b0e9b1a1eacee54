import { Transform } from 'node:stream';
import { decodeFrames, type Frame } from '../streams/frames.ts';
import type { Fault } from './fault.ts';

/** Holds a stream back until it ends, and sends what a change makes of it. */
export function heldBack(change: (bytes: Buffer) => Buffer = (bytes) => bytes): Transform {
  const chunks: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    flush(done) {
      done(null, change(Buffer.concat(chunks)));
    },
  });
}

/** Changes the body of an answer that is read as a whole; a stream that is followed stays as it is. */
export function changesWholeBody(name: string, change: (body: Buffer) => Buffer): Fault {
  return { name, answer: (answer) => ({ ...answer, body: change(answer.body) }) };
}

/** Changes the bytes of a complete stream. Only for streams that end by themselves. */
export function changesStream(name: string, change: (bytes: Buffer) => Buffer): Fault {
  return { ...changesWholeBody(name, change), incoming: () => heldBack(change) };
}

/** Changes the frames of a stream that ends by itself; bytes that are not frames are left alone. */
export function changesFrames(name: string, change: (frames: Frame[]) => Frame[]): Fault {
  return changesStream(name, (bytes) => encodeFrames(change(decodeFrames(bytes))));
}

/** Encodes frames for the wire (Document 2, Stream framing). */
export function encodeFrames(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    frames.flatMap(({ stream, payload }) => {
      const header = Buffer.alloc(8);
      header[0] = ['stdin', 'stdout', 'stderr'].indexOf(stream);
      header.writeUInt32BE(payload.length, 4);
      return [header, payload];
    }),
  );
}

/** Changes the 8-byte header of every frame. */
export function changesFrameHeaders(name: string, change: (header: Buffer) => void): Fault {
  return changesStream(name, (bytes) => {
    const changed = Buffer.from(bytes);
    for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) change(changed.subarray(at, at + 8));
    return changed;
  });
}

/** Changes each piece of a stream as it comes. */
export function changesPieces(name: string, change: (piece: Buffer) => Buffer): Fault {
  return { name, incoming: () => pieces(change) };
}

/** Changes each piece of what a client sends on the stream. */
export function changesInput(name: string, change: (piece: Buffer) => Buffer): Fault {
  return { name, outgoing: () => pieces(change) };
}

/** Loses everything that a client sends on the stream. */
export function losesInput(): Fault {
  return changesInput('loses what the client sends', () => Buffer.alloc(0));
}

/** Sends the head of an answer only with the first bytes of its body. */
export function holdsHead(): Fault {
  return { name: 'sends the head with the first bytes of the body', holdsHead: true };
}

/** Continues after the client has gone. */
export function ignoresDrop(): Fault {
  return { name: 'goes on when the client has gone', ignoresDrop: true };
}

function pieces(change: (piece: Buffer) => Buffer): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const changed = change(chunk);
      if (changed.length > 0) this.push(changed);
      done();
    },
  });
}
