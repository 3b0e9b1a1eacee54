import { headerOf, type WireAnswer } from '../transport/wire.ts';

/** The members of an answer that is a JSON object; undefined for anything else. */
export function membersIn({ body }: Pick<WireAnswer, 'body'>): ReadonlyMap<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    return new Map(Object.entries(json));
  } catch {
    return undefined;
  }
}

/** A string of an answer, such as a token; a value that is empty, null or of another type counts as absent. */
export function textIn(answer: Pick<WireAnswer, 'body'>, name: string): string | undefined {
  const value = membersIn(answer)?.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Statuses by which a server, or a proxy in front of it, only says that it is busy. */
const unavailable: readonly number[] = [429, 502, 503, 504];

/** Whether an answer says nothing about the request, as the server is overloaded or not available. */
export function isUnavailable(status: number): boolean {
  return unavailable.includes(status);
}

/**
 * The code of an error: `error` of RFC 6749, or `code` of the first of a registry's `errors`. The accompanying
 * sentences are ignored, as they may vary.
 */
function errorCode(answer: Pick<WireAnswer, 'body'>): string | undefined {
  const members = membersIn(answer);
  const error = members?.get('error');
  if (typeof error === 'string') return error;
  const errors = members?.get('errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (typeof first !== 'object' || first === null || !('code' in first)) return undefined;
  return typeof first.code === 'string' ? first.code : undefined;
}

/** The status of an answer, with its code if there is one. The same in every run. */
export function outcomeWords(answer: Pick<WireAnswer, 'body' | 'status'>): string {
  const code = errorCode(answer);
  return `status ${answer.status}${code === undefined ? '' : ` (${code})`}`;
}

/** The media type of an answer, without parameters. */
export function mediaTypeOf({ headers }: Pick<WireAnswer, 'headers'>): string {
  return headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}
