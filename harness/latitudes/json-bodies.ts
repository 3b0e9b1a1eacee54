import { Transform } from 'node:stream';
import { withBody } from '../faults/answers.ts';
import { type JsonValue, parseJson, writeJson } from '../streams/json.ts';
import { decodeObjects, ObjectDecoder } from '../streams/objects.ts';
import { headerOf, type WireAnswer, type WireHead, type WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

/** What latitudes make of the JSON of one answer. */
interface Rewrite {
  /** One JSON text in the place of another. */
  readonly text: (value: JsonValue) => string;
  /** What follows each object of a stream. */
  readonly after: string;
}

/** What the latitudes make of JSON bodies. Bodies that are no JSON stay as they are. */
export class JsonBodies {
  readonly #ofAll: readonly Latitude[];
  readonly #ofEndpoint: ReadonlyMap<string, readonly Latitude[]>;

  constructor(latitudes: readonly Latitude[]) {
    const acting = latitudes.filter(({ json, layout, after }) => json || layout || after !== undefined);
    this.#ofAll = acting.filter(({ of }) => of === undefined);
    const named = [...new Set(acting.flatMap(({ of }) => of ?? []))];
    this.#ofEndpoint = new Map(
      named.map((endpoint) => [endpoint, acting.filter(({ of = endpoint }) => of === endpoint)]),
    );
  }

  answer(answer: WireAnswer, request: WireRequest): WireAnswer {
    if (!isJson(answer) || answer.body.length === 0) return answer;
    const rewrite = this.#rewrite(request);
    const text = rewrite && rewritten(answer.body, rewrite);
    return text === undefined ? answer : withBody(answer, Buffer.from(text));
  }

  incoming(head: WireHead, request: WireRequest): Transform | undefined {
    const rewrite = isJson(head) ? this.#rewrite(request) : undefined;
    return rewrite && eachObjectAs(written(rewrite));
  }

  /** All that acts on one answer at once, so that it is parsed once, and written in every layout together. */
  #rewrite(request: WireRequest): Rewrite | undefined {
    const endpoint = this.#ofEndpoint.size > 0 ? endpointOf(request) : undefined;
    const acting = this.#ofEndpoint.get(endpoint ?? '') ?? this.#ofAll;
    if (acting.length === 0) return undefined;
    const said = (value: JsonValue) => acting.reduce((varied, { json }) => json?.(varied, request) ?? varied, value);
    return {
      text: (value) => acting.reduce((text, { layout }) => layout?.(text) ?? text, writeJson(said(value))),
      after: acting.findLast(({ after }) => after !== undefined)?.after ?? '\n',
    };
  }
}

function written({ text, after }: Rewrite): (value: JsonValue) => string {
  return (value) => text(value) + after;
}

/** Writes each object of a stream otherwise. What is no stream of objects comes as it is. */
export function eachObjectAs(write: (value: JsonValue) => string): Transform {
  const decoder = new ObjectDecoder();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (const { value } of decoder.push(chunk)) this.push(write(value));
        done();
      } catch {
        // A refusal may be a text that only claims to be JSON; it comes as it is.
        done(null, chunk);
      }
    },
  });
}

function isJson({ headers }: WireHead): boolean {
  return headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

function rewritten(body: Buffer, rewrite: Rewrite): string | undefined {
  try {
    return rewrite.text(parseJson(body.toString('utf8')));
  } catch {
    return objectsAs(body, written(rewrite));
  }
}

/** The same with a whole run of objects; undefined where it is none. */
export function objectsAs(body: Buffer, write: (value: JsonValue) => string): string | undefined {
  try {
    return decodeObjects(body)
      .map(({ value }) => write(value))
      .join('');
  } catch {
    return undefined; // Neither one JSON text nor a run of objects.
  }
}
