import { isApiVersion, isDocumented } from '../../specs/versions.ts';
import { withBody } from '../faults/answers.ts';
import type { WireAnswer, WireRequest } from '../transport/wire.ts';
import { endpointOf, versionOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

const errorBody = { interpretation: 'error-body', because: 'the form of error bodies is not shown' } as const;

const resize = 'POST /containers/{id}/resize';

/** What refusals look like. */
export const ofRefusals: readonly Latitude[] = [
  variesErrors({
    name: 'errors-without-body',
    says: 'refuses without a body',
    against: ['errors-as-text', 'errors-as-html', 'errors-as-objects', 'long-errors'],
    body: () => ['', undefined],
  }),
  variesErrors({
    name: 'errors-as-text',
    says: 'refuses with plain text',
    against: ['errors-without-body', 'errors-as-html', 'errors-as-objects', 'long-errors'],
    body: () => ['no: it cannot be done\n', 'text/plain; charset=utf-8'],
  }),
  variesErrors({
    name: 'errors-as-html',
    says: 'refuses with an HTML page',
    against: ['errors-without-body', 'errors-as-text', 'errors-as-objects', 'long-errors'],
    body: (status) => [`<html><body><h1>${status}</h1></body></html>`, 'text/html'],
  }),
  variesErrors({
    name: 'errors-as-objects',
    says: 'refuses with objects of another shape',
    against: ['errors-without-body', 'errors-as-text', 'errors-as-html', 'long-errors'],
    body: (status) => [JSON.stringify({ errors: [{ code: status, title: 'no', detail: null }] }), 'application/json'],
  }),
  variesErrors({
    name: 'long-errors',
    says: 'explains at great length why it refuses',
    against: ['errors-without-body', 'errors-as-text', 'errors-as-html', 'errors-as-objects'],
    body: () => [JSON.stringify({ message: `no, because ${'of this and that, '.repeat(2_000)}` }), 'application/json'],
  }),
  {
    name: 'bad-parameters-answer-500',
    says: 'answers 500 to bad parameters',
    area: 'refusals',
    ground: { interpretation: 'bad-parameter', because: 'where 400 and 500 are both listed, either will do' },
    answer: (answer, request) =>
      answer.status === 400 && isLooseBadParameter(request) ? { ...answer, status: 500 } : answer,
  },
  {
    name: 'refused-resizes-answer-409',
    says: 'answers 409 in carried versions where it cannot resize a container',
    area: 'refusals',
    ground: { source: [4, 'Containers'], because: 'a container that has stopped is answered with 409' },
    answer: (answer, request) =>
      answer.status === 500 && isCarried(request) && endpointOf(request) === resize
        ? { ...answer, status: 409 }
        : answer,
  },
];

function isCarried(request: WireRequest): boolean {
  const api = versionOf(request);
  return isApiVersion(api) && !isDocumented(api);
}

/**
 * Where 400 is listed without saying what for. The 400 of the archive endpoints and of versions have a condition of
 * their own.
 */
function isLooseBadParameter(request: WireRequest): boolean {
  const endpoint = endpointOf(request);
  if (!isApiVersion(versionOf(request))) return false;
  const loose = ['GET /containers/json', 'POST /containers/create', 'POST /containers/{id}/update'];
  return endpoint !== undefined && loose.includes(endpoint);
}

function variesErrors({
  body,
  ...latitude
}: Pick<Latitude, 'name' | 'says' | 'against'> & {
  readonly body: (status: number) => readonly [text: string, mediaType: string | undefined];
}): Latitude {
  return {
    ...latitude,
    area: 'refusals',
    ground: errorBody,
    answer: (answer, request) => (isOpenError(answer, request) ? withError(answer, ...body(answer.status)) : answer),
  };
}

/**
 * The archive endpoints explain a 400 in JSON (Document 1, Errors). An engine that serves carried versions does this
 * for every error in these versions, and in paths without a version (Document 4).
 */
function isOpenError(answer: WireAnswer, request: WireRequest): boolean {
  const api = versionOf(request);
  if (answer.status < 400 || !isApiVersion(api) || !isDocumented(api)) return false;
  return answer.status !== 400 || !/\/(?:archive|copy)(?:\?|$)/.test(request.path);
}

function withError(answer: WireAnswer, text: string, mediaType: string | undefined): WireAnswer {
  const headers = answer.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  const typed = mediaType === undefined ? headers : [...headers, ['Content-Type', mediaType] as const];
  return withBody({ ...answer, headers: typed }, Buffer.from(text));
}
