import type { RunHandler } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import { evidenceOf } from './evidence.ts';
import { observationsOf } from './observations.ts';
import { cutExchange } from './recorded-bytes.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { summarize } from './summary.ts';
import { writeAtomically } from './write.ts';

/** Raised when a reader of the old format would misread the new one. */
const reportFormat = 1;

/** Bytes kept of each body that only passes rest on. */
const keptOfPasses = 2 * 1024;

/** Writes `report.json` (see `report.schema.json`) when the run ends. */
export function jsonReport(file: string): RunHandler {
  return whenEnded((record) => writeAtomically(file, pieces(record)));
}

async function* pieces(record: RunRecord): AsyncIterable<string> {
  const { started, ended, results } = record;
  const head = {
    format: reportFormat,
    tool: started.tool,
    target: started.target,
    startedAt: started.startedAt,
    durationMs: ended.durationMs,
    seed: started.seed,
    apis: started.apis,
    total: started.total,
    end: ended.end,
    endReason: ended.endReason,
    ...(record.lost && { lost: record.lost }),
    ...(record.restarts.length > 0 && { restarts: record.restarts }),
    left: record.left,
    summary: summarize(results),
    observations: observationsOf(results, allRules),
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "results": [`;
  yield results.map((result) => `\n    ${JSON.stringify(result)}`).join(',');
  yield '\n  ],\n  "exchanges": {';
  const problem = yield* exchanges(record);
  yield '\n  }';
  if (problem) yield `,\n  "exchangesMissing": ${JSON.stringify(problem)}`;
  yield '\n}\n';
}

/** One by one: all the exchanges of a run may not fit into memory. Returns why some are missing, if any are. */
async function* exchanges({ results, ended }: RunRecord): AsyncGenerator<string, string | undefined> {
  const evidence = evidenceOf(results);
  let separator = '\n';
  try {
    for await (const exchange of ended.exchanges(evidence.wanted)) {
      const keep = evidence.kept(exchange);
      if (keep === 'none') continue;
      const written = keep === 'whole' ? exchange : cutExchange(exchange, keptOfPasses);
      yield `${separator}    ${JSON.stringify(exchange.id)}: ${JSON.stringify(written)}`;
      separator = ',\n';
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}
