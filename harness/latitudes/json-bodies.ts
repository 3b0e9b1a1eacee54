import { Transform } from 'node:stream';
import { withBody } from '../faults/answers.ts';
import { type JsonValue, parseJson, writeJson } from '../streams/json.ts';
import { decodeObjects, ObjectDecoder } from '../streams/objects.ts';
import { headerOf, type WireHead, type WireRequest } from '../transport/wire.ts';
import type { Latitude } from './latitude.ts';

type Changes = Pick<Latitude, 'answer' | 'incoming'>;

/** How one JSON text of an answer becomes another. */
type Rewrite = (value: JsonValue, request: WireRequest) => string;

/** Changes the values of JSON answers and of the objects in streams. */
export function variesJson(change: (value: JsonValue, request: WireRequest) => JsonValue): Changes {
  return rewritesJson((value, request) => writeJson(change(value, request)));
}

/**
 * Writes JSON answers, and the objects in streams, otherwise. Bodies that are no JSON stay as they are.
 * @param after what follows each object of a stream
 */
export function rewritesJson(rewrite: Rewrite, after = '\n'): Changes {
  return {
    answer(answer, request) {
      if (!isJson(answer) || answer.body.length === 0) return answer;
      const text = rewritten(answer.body, (value) => rewrite(value, request), after);
      return text === undefined ? answer : withBody(answer, Buffer.from(text));
    },
    incoming(head, request) {
      if (!isJson(head)) return undefined;
      const decoder = new ObjectDecoder();
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          try {
            for (const { value } of decoder.push(chunk)) this.push(`${rewrite(value, request)}${after}`);
            done();
          } catch {
            // A refusal may be a text that only claims to be JSON; it comes as it is.
            done(null, chunk);
          }
        },
      });
    },
  };
}

export function isJson({ headers }: WireHead): boolean {
  return headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

function rewritten(body: Buffer, rewrite: (value: JsonValue) => string, after: string): string | undefined {
  const text = body.toString('utf8');
  try {
    return rewrite(parseJson(text));
  } catch {
    return eachObject(body, rewrite, after);
  }
}

function eachObject(body: Buffer, rewrite: (value: JsonValue) => string, after: string): string | undefined {
  try {
    return decodeObjects(body)
      .map(({ value }) => `${rewrite(value)}${after}`)
      .join('');
  } catch {
    return undefined; // Neither one JSON text nor a run of objects.
  }
}
