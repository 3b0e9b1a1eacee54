import type { Schema } from './schema.ts';
import type { Source } from './statement.ts';
import { type ApiVersion, atLeast, holdsIn, type Span } from './versions.ts';

export interface Parameter extends Span {
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
  readonly required?: boolean;
  readonly says: string;
}

export interface RequestBody extends Span {
  readonly mediaType: string;
  readonly required: boolean;
  /** Absent for bodies that are not JSON. */
  readonly schema?: Schema;
}

/** How the body of an answer is written. `object` is one JSON text; `objects` is a sequence of JSON objects. */
export type Framing = 'empty' | 'object' | 'objects' | 'text' | 'tar' | 'octets' | 'raw-stream' | 'websocket';

export interface Answer extends Span {
  readonly says: string;
  readonly body: Framing;
  readonly mediaType?: string;
  readonly schema?: Schema;
  readonly headers?: Readonly<Record<string, Schema>>;
}

/** One method and path of the contract with everything that may be sent and answered. */
export interface Endpoint extends Span {
  readonly id: string;
  /** Set for an endpoint of a registry's authorization server, outside the versioned paths of an engine. */
  readonly server?: 'authorization';
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path without the version prefix; parameters in braces: `/containers/{id}/stop`. */
  readonly path: string;
  readonly summary: string;
  readonly source: Source;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly body?: RequestBody;
  /** By status; several where the answer with a status changes in a version. */
  readonly answers: Readonly<Record<number, Answer | readonly Answer[]>>;
}

/** Method and path as the documents write them, for people: `POST /containers/{id}/stop`. */
export function endpointTitle(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Declares an endpoint, keeping the literal types of its data. */
export function endpoint<const E extends Endpoint>(data: E): E {
  return data;
}

const whole: readonly Framing[] = ['empty', 'object', 'text'];
/** Asked at every request. */
const streams = new WeakMap<Endpoint, boolean>();

/** Whether an endpoint, where it does not refuse, answers with a stream rather than with one text. */
export function answersWithStream(endpoint: Endpoint): boolean {
  const known = streams.get(endpoint);
  if (known !== undefined) return known;
  const does = Object.entries(endpoint.answers).some(
    ([status, of]) => Number(status) < 400 && [of].flat().some(({ body }) => !whole.includes(body)),
  );
  streams.set(endpoint, does);
  return does;
}

/** What an endpoint answers with a status in one version; undefined when it does not list the status. */
export function answerOf(endpoint: Endpoint, status: number, api: ApiVersion): Answer | undefined {
  const answer = [endpoint.answers[status] ?? []].flat().find((one) => holdsIn(one, api));
  return answer && answerIn(answer, status, api);
}

/** An answer as a version has it: since 1.24 errors are JSON (Document 4, General rules). */
export function answerIn(answer: Answer, status: number, api: ApiVersion): Answer {
  if (status < 400 || answer.body !== 'text' || !atLeast(api, '1.24')) return answer;
  return { ...answer, body: 'object', mediaType: 'application/json', schema: errorBody };
}

const errorBody = {
  title: 'Error',
  type: 'object',
  properties: { message: { type: 'string', presence: 'must', says: 'what is wrong' } },
} as const satisfies Schema;
