import { Transform } from 'node:stream';
import { ObjectDecoder } from '../streams/objects.ts';
import type { Fault } from './fault.ts';
import { changesPieces } from './streams.ts';

/** The same fault of a JSON body in each object of a stream of them. */
export function inEachObject(fault: Fault): Fault {
  return {
    name: `${fault.name} in each object`,
    ...(fault.answer && { answer: fault.answer }),
    incoming: (request) => {
      const decoder = new ObjectDecoder();
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          for (const { text } of decoder.push(chunk)) {
            const whole = { status: 200, headers: [], body: Buffer.from(text) };
            this.push(fault.answer?.(whole, request).body ?? whole.body);
          }
          done();
        },
      });
    },
  };
}

/** Puts something between the objects that is neither an object nor white space. */
export function separatesObjects(separator: string): Fault {
  return changesPieces(`writes ${JSON.stringify(separator)} after each object`, (piece) =>
    Buffer.from(piece.toString('latin1').replace(/\}\s*$/, `}${separator}`), 'latin1'),
  );
}
