import type { RecordedExchange, Result } from '../../harness/events.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { routes } from '../../specs/known-routes.ts';
import type { RunRecord } from '../run-record.ts';

/** What an exchange shows about a cause. */
export interface SeenAnswer {
  /** Method and path as the documents write them; or as they were sent when the contract has no such endpoint. */
  readonly endpoint: string;
  /** Absent when no complete answer came. */
  readonly status?: number;
  /** The message of a refusal. */
  readonly message: string;
  /** Why no complete answer came. */
  readonly failure?: string;
}

/** The exchange that shows a deviation: the one with the deviating value, or else the decisive one. */
export function showingExchange({ shown, evidence }: Result): string | undefined {
  return shown?.exchange ?? evidence.at(-1);
}

/** What the exchanges that show these results say, by exchange id. Exchanges that cannot be read are left out. */
export async function answersOf(
  { ended }: RunRecord,
  results: readonly Result[],
): Promise<ReadonlyMap<string, SeenAnswer>> {
  const wanted = shownBy(results);
  const answers = new Map<string, SeenAnswer>();
  if (wanted.size === 0) return answers;
  try {
    for await (const exchange of ended.exchanges(({ id }) => wanted.has(id))) {
      if (wanted.has(exchange.id)) answers.set(exchange.id, seenIn(exchange));
    }
  } catch {
    // Causes are then found from the verdicts alone; the report says elsewhere that exchanges are missing.
  }
  return answers;
}

/** The same for exchanges that are already available. */
export function answersAmong(
  exchanges: readonly RecordedExchange[],
  results: readonly Result[],
): ReadonlyMap<string, SeenAnswer> {
  const wanted = shownBy(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked'));
  return new Map(exchanges.filter(({ id }) => wanted.has(id)).map((exchange) => [exchange.id, seenIn(exchange)]));
}

function shownBy(results: readonly Result[]): ReadonlySet<string> {
  return new Set(results.flatMap((result) => showingExchange(result) ?? []));
}

/** The endpoint of an exchange as the documents write it, or as it was sent when the contract has no such endpoint. */
export function endpointAsked({ request: { method, path } }: RecordedExchange): string {
  const endpoint = routes.find(method, path);
  return endpoint ? endpointTitle(endpoint) : `${method} ${path.replace(/\?.*$/s, '')}`;
}

function seenIn(exchange: RecordedExchange): SeenAnswer {
  const { answer, failure } = exchange;
  return {
    endpoint: endpointAsked(exchange),
    message: answer && answer.status >= 400 ? messageIn(answer.body.text ?? '') : '',
    ...(answer && { status: answer.status }),
    ...(failure !== undefined && { failure }),
  };
}

/** The message of an error body; the text itself if it is not an error body. */
function messageIn(text: string): string {
  try {
    const { message } = Object(JSON.parse(text));
    if (typeof message === 'string') return message;
  } catch {
    // Errors of old versions are plain text.
  }
  return text.trim();
}
