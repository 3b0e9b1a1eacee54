import type { RecordedExchange, Result } from '../../harness/events.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { routes } from '../../specs/known-routes.ts';
import type { RunRecord } from '../run-record.ts';

/** What an exchange shows of a cause. */
export interface SeenAnswer {
  /** Method and path as the documents write them; as they were sent where the contract has no such endpoint. */
  readonly endpoint: string;
  /** Absent where no whole answer came. */
  readonly status?: number;
  /** What a refusal says of itself. */
  readonly message: string;
  /** Why no whole answer came. */
  readonly failure?: string;
}

/** The exchange that shows a deviation: the one that its value was read from, else the decisive one. */
export function showingExchange({ shown, evidence }: Result): string | undefined {
  return shown?.exchange ?? evidence.at(-1);
}

/** What the exchanges that show these results tell, by their ids. Exchanges that can't be read are left out. */
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
    // Causes are told by the verdicts alone then; the report says elsewhere that exchanges are missing.
  }
  return answers;
}

/** The same of exchanges that are at hand. */
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

/** The endpoint of an exchange as the documents write it; as it was sent where the contract has no such endpoint. */
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
    // Errors of old versions are plain texts.
  }
  return text.trim();
}
