import type {
  MergedShard,
  RecordedExchange,
  Result,
  RunEnded,
  RunEvent,
  RunSettings,
  RunStarted,
  Traffic,
} from '../../harness/events.ts';
import { allRules } from '../../specs/catalogue.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Latency } from '../latency.ts';
import type { Observation } from '../observations.ts';
import { inOrder, type RunRecord } from '../run-record.ts';
import type { Summary } from '../summary.ts';

/** A `report.json` as it was read back; `report.schema.json` describes it. */
export interface StoredReport {
  readonly format: number;
  readonly tool: RunStarted['tool'];
  readonly catalogue: Catalogue;
  readonly target: RunStarted['target'];
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly apis: readonly ApiVersion[];
  readonly options?: RunSettings;
  readonly shards?: readonly MergedShard[];
  readonly total: number;
  readonly end: RunEnded['end'];
  readonly endReason: string;
  readonly lost?: { readonly after: string; readonly reason: string };
  readonly restarts?: RunRecord['restarts'];
  readonly left: readonly string[];
  readonly traffic?: Traffic;
  readonly summary: Summary;
  readonly observations: readonly Observation[];
  readonly results: readonly Result[];
  readonly exchanges: Readonly<Record<string, RecordedExchange>>;
  readonly latency: readonly Latency[];
  readonly exchangesMissing?: string;
  readonly footer: {
    readonly endedAt: string;
    readonly results: number;
    readonly exchanges: number;
    readonly digest: string;
  };
}

/** The run that a report is about. */
export function recordOf(report: StoredReport): RunRecord {
  return {
    started: startedOf(report),
    results: inOrder(report.results, allRules),
    ...(report.lost && { lost: report.lost }),
    restarts: report.restarts ?? [],
    left: report.left,
    ended: endedOf(report),
  };
}

/** The events of the run, as far as a report keeps them, for the handlers that write reports. */
export function eventsOf(report: StoredReport): RunEvent[] {
  return [
    startedOf(report),
    ...report.results.map((result) => ({ type: 'verdict', result }) as const),
    ...(report.restarts ?? []).map((restart) => ({ type: 'target-restarted', ...restart }) as const),
    ...(report.lost ? [{ type: 'target-lost', ...report.lost } as const] : []),
    ...(report.left.length > 0 ? [{ type: 'clean-up', left: report.left } as const] : []),
    endedOf(report),
  ];
}

function startedOf(report: StoredReport): RunStarted {
  const { tool, target, apis, seed, startedAt, total, options, shards } = report;
  return {
    type: 'run-started',
    ...{ tool, target, apis, seed, startedAt, total },
    ...(options && { settings: options }),
    ...(shards && { shards }),
    exchange: async (id) => report.exchanges[id],
  };
}

function endedOf({ durationMs, end, endReason, exchanges, exchangesMissing, traffic }: StoredReport): RunEnded {
  return {
    type: 'run-ended',
    durationMs,
    end,
    endReason,
    async *exchanges() {
      yield* Object.values(exchanges);
      if (exchangesMissing !== undefined) throw new Error(exchangesMissing);
    },
    ...(traffic && { traffic }),
  };
}
