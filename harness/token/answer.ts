import { headerOf, type WireAnswer } from '../transport/wire.ts';

/** The members of an answer that is a JSON object; undefined when it is none. */
export function membersIn({ body }: Pick<WireAnswer, 'body'>): ReadonlyMap<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    return new Map(Object.entries(json));
  } catch {
    return undefined;
  }
}

/** A text of an answer, such as a token; what is empty, null or of another type counts as not there. */
export function textIn(answer: Pick<WireAnswer, 'body'>, name: string): string | undefined {
  const value = membersIn(answer)?.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Statuses with which a server, or what stands before it, says only that it has no time now. */
const unavailable: readonly number[] = [429, 502, 503, 504];

/** Whether an answer says nothing of what was asked, as the server is overloaded or not there. */
export function isUnavailable(status: number): boolean {
  return unavailable.includes(status);
}

/**
 * The code by which an answer says what is wrong: `error` of RFC 6749, or `code` of the first of a registry's `errors`.
 * The sentences beside it are left out, as they may be others each time.
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

/** Status, and code where there is one, of an answer. The same in every run. */
export function outcomeWords(answer: Pick<WireAnswer, 'body' | 'status'>): string {
  const code = errorCode(answer);
  return `status ${answer.status}${code === undefined ? '' : ` (${code})`}`;
}

/** The media type of an answer, without parameters. */
export function mediaTypeOf({ headers }: Pick<WireAnswer, 'headers'>): string {
  return headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}
