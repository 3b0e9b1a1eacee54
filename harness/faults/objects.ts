import { Transform } from 'node:stream';
import { type JsonValue, writeJson } from '../streams/json.ts';
import { decodeObjects, ObjectDecoder } from '../streams/objects.ts';
import { type Fault, ofAnswers } from './fault.ts';
import { changesPieces, changesStream } from './streams.ts';

/** A fault in a JSON body, applied to each object of a stream. */
export function inEachObject(fault: Fault): Fault {
  const { answer, ...others } = ofAnswers(fault);
  return {
    ...others,
    name: `${fault.name} in each object`,
    answer,
    incoming: (request) => {
      const decoder = new ObjectDecoder();
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          for (const { text } of decoder.push(chunk)) {
            const whole = { status: 200, headers: [], body: Buffer.from(text) };
            this.push(answer(whole, request).body);
          }
          done();
        },
      });
    },
  };
}

/** Repeats its first object over and over. */
export function repeatsFirstObject(): Fault {
  return {
    name: 'repeats the first object',
    incoming: () => {
      const decoder = new ObjectDecoder();
      let first: string | undefined;
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          for (const { text } of decoder.push(chunk)) {
            first ??= text;
            this.push(first);
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

/** Changes the objects of a stream that ends by itself; undefined loses an object. */
export function changesObjects(name: string, change: (object: JsonValue) => JsonValue | undefined): Fault {
  return changesStream(name, (bytes) => {
    const changed = decodeObjects(bytes).map(({ value }) => change(value));
    return Buffer.from(changed.map((object) => (object === undefined ? '' : `${writeJson(object)}\n`)).join(''));
  });
}
