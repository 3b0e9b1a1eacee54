import { Transform } from 'node:stream';
import { withBody } from '../faults/answers.ts';
import { type JsonValue, parseJson, writeJson } from '../streams/json.ts';
import { decodeObjects, ObjectDecoder } from '../streams/objects.ts';
import { headerOf, type WireAnswer, type WireHead, type WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

/** How latitudes rewrite the JSON of one answer. */
interface Rewrite {
  /** Replaces one JSON text by another. */
  readonly text: (value: JsonValue) => string;
  /** Text that follows each object of a stream. */
  readonly after: string;
}

/** Applies latitudes to JSON bodies. Bodies that are not JSON are left alone. */
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

  /** Everything that affects one answer, so that it is parsed once, and formatted with all layouts together. */
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

/** Rewrites each object of a stream; those without a text are left out. What is not a stream of objects passes unchanged. */
export function eachObjectAs(write: (value: JsonValue) => string): Transform {
  const decoder = new ObjectDecoder();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (const { value } of decoder.push(chunk)) {
          const text = write(value);
          if (text !== '') this.push(text);
        }
        done();
      } catch {
        // A refusal may be text that only claims to be JSON; it passes unchanged.
        done(null, chunk);
      }
    },
  });
}

/** One JSON text, or a sequence of them, as events are since 1.52. */
function isJson({ headers }: WireHead): boolean {
  const [mediaType = ''] = (headerOf(headers, 'content-type') ?? '').split(';');
  return ['application/json', 'application/jsonl'].includes(mediaType.trim().toLowerCase());
}

function rewritten(body: Buffer, rewrite: Rewrite): string | undefined {
  try {
    return rewrite.text(parseJson(body.toString('utf8')));
  } catch {
    return objectsAs(body, written(rewrite));
  }
}

/** The same for a whole sequence of objects; undefined for anything else. */
export function objectsAs(body: Buffer, write: (value: JsonValue) => string): string | undefined {
  try {
    return decodeObjects(body)
      .map(({ value }) => write(value))
      .join('');
  } catch {
    return undefined; // Neither one JSON text nor a sequence of objects.
  }
}
