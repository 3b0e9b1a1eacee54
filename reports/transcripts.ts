import type { RecordedExchange, Result } from '../harness/events.ts';
import type { RunRecord } from './run-record.ts';
import { transcript } from './transcript.ts';

export interface TranscriptLimits {
  /** Bytes shown of each body. */
  readonly ofBody: number;
  /** Limit in characters for all transcripts; beyond it only the curl lines and statuses are shown. */
  readonly room: number;
}

/** The transcripts of the exchanges behind these results, by exchange id. */
export async function transcriptsOf(
  { ended }: RunRecord,
  results: readonly Result[],
  limits: TranscriptLimits,
): Promise<ReadonlyMap<string, string>> {
  const places = new Map(results.flatMap(({ shown }) => (shown?.from ? [[shown.exchange, shown.from] as const] : [])));
  const wanted = new Set(results.flatMap((result) => result.evidence));
  const transcripts = new Map<string, string>();
  let { room } = limits;
  const read = (exchange: RecordedExchange) => {
    const text = transcript(exchange, room > 0 ? limits.ofBody : 0, places.get(exchange.id));
    room -= text.length;
    transcripts.set(exchange.id, text);
  };
  try {
    for await (const exchange of ended.exchanges(({ id }) => wanted.has(id))) {
      if (wanted.has(exchange.id)) read(exchange);
    }
  } catch {
    // The verdicts are worth a report even if the exchanges cannot be read; each missing one is mentioned in its place.
  }
  return transcripts;
}
