import type { RunHandler } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import { catalogueOf } from './catalogue.ts';
import { ContentDigest } from './digest.ts';
import { evidenceOf } from './evidence.ts';
import { Latencies, type Latency } from './latency.ts';
import { observationsOf } from './observations.ts';
import { cutExchange } from './recorded-bytes.ts';
import { sentByScripts } from './repro/sent.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { summarize } from './summary.ts';
import { writeAtomically } from './write.ts';

/** Incremented when a reader of the old format would misread the new one. */
export const reportFormat = 1;

/** Bytes kept of each body that only passes depend on. */
const keptOfPasses = 2 * 1024;

/** Writes `report.json` (see `report.schema.json`) when the run ends. */
export function jsonReport(file: string): RunHandler {
  return whenEnded((record) => writeAtomically(file, pieces(record)));
}

async function* pieces(record: RunRecord): AsyncIterable<string> {
  const { started, ended, results } = record;
  const digest = new ContentDigest();
  const head = headOf(record);
  digest.add(JSON.stringify(head));
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "results": [`;
  const texts = results.map((result) => JSON.stringify(result));
  for (const text of texts) digest.add(text);
  yield texts.map((text) => `\n    ${text}`).join(',');
  yield '\n  ],\n  "exchanges": {';
  const { kept, latency, problem } = yield* exchanges(record, digest);
  const latencies = JSON.stringify(latency);
  digest.add(latencies);
  yield `\n  },\n  "latency": ${latencies}`;
  if (problem !== undefined) {
    const missing = JSON.stringify(problem);
    digest.add(missing);
    yield `,\n  "exchangesMissing": ${missing}`;
  }
  const endedAt = new Date(Date.parse(started.startedAt) + ended.durationMs).toISOString();
  const counted = { endedAt, results: results.length, exchanges: kept };
  digest.add(JSON.stringify(counted));
  yield `,\n  "footer": ${JSON.stringify({ ...counted, digest: digest.end() })}\n}\n`;
}

function headOf({ started, results, ended, lost, restarts, left }: RunRecord) {
  return {
    format: reportFormat,
    tool: started.tool,
    catalogue: catalogueOf(allRules),
    target: started.target,
    startedAt: started.startedAt,
    durationMs: ended.durationMs,
    seed: started.seed,
    apis: started.apis,
    ...(started.settings && { options: started.settings }),
    ...(started.shards && { shards: started.shards }),
    total: started.total,
    end: ended.end,
    endReason: ended.endReason,
    ...(lost && { lost }),
    ...(restarts.length > 0 && { restarts }),
    left,
    ...(ended.traffic && { traffic: ended.traffic }),
    summary: summarize(results),
    observations: observationsOf(results, allRules),
  };
}

interface WrittenExchanges {
  readonly kept: number;
  /** Of the exchanges that are kept. */
  readonly latency: readonly Latency[];
  /** Why some are missing, if any. */
  readonly problem?: string;
}

/** One at a time: all exchanges of a run may not fit into memory. */
async function* exchanges(
  { started, results, ended }: RunRecord,
  digest: ContentDigest,
): AsyncGenerator<string, WrittenExchanges> {
  const sentAgain = await sentByScripts({ results, ended });
  const evidence = evidenceOf(results, { traffic: ended.traffic, all: started.settings?.allExchanges, sentAgain });
  const latencies = new Latencies();
  let kept = 0;
  try {
    for await (const exchange of ended.exchanges(evidence.wanted)) {
      const how = evidence.kept(exchange);
      if (how === 'none') continue;
      latencies.add(exchange);
      const id = JSON.stringify(exchange.id);
      const text = JSON.stringify(how === 'whole' ? exchange : cutExchange(exchange, keptOfPasses));
      digest.add(`${id}:${text}`);
      yield `${kept === 0 ? '' : ','}\n    ${id}: ${text}`;
      kept++;
    }
  } catch (error) {
    return { kept, latency: latencies.summary(), problem: error instanceof Error ? error.message : String(error) };
  }
  return { kept, latency: latencies.summary() };
}
