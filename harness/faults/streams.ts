import { Transform } from 'node:stream';
import type { Fault } from './fault.ts';

/** Changes the bytes of a stream once all of them are there. Only for streams that end by themselves. */
export function changesStream(name: string, change: (bytes: Buffer) => Buffer): Fault {
  return {
    name,
    incoming: () => {
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
    },
    answer: (answer) => ({ ...answer, body: change(answer.body) }),
  };
}

/** Changes each piece of a stream as it comes. */
export function changesPieces(name: string, change: (piece: Buffer) => Buffer): Fault {
  return { name, incoming: () => pieces(change) };
}

/** Loses everything that a client sends on the stream. */
export function losesInput(): Fault {
  return { name: 'loses what the client sends', outgoing: () => pieces(() => Buffer.alloc(0)) };
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
