import type { MergedShard, RecordedExchange, Result, RunEnded, RunEvent, RunStarted } from '../../harness/events.ts';
import type { StoredReport } from './stored-report.ts';

/** The report of a shard, with the name given by the user. */
export interface NamedReport {
  readonly name: string;
  readonly report: StoredReport;
}

/** Why reports cannot be merged. */
export class MergeProblem extends Error {
  override readonly name = 'MergeProblem';
}

interface ShardReport extends NamedReport {
  readonly index: number;
}

/**
 * The events of the single run that the shards are parts of. Ids of exchanges are prefixed with the number of their
 * shard.
 * @throws MergeProblem when shards are missing, repeated, or from different runs
 */
export function mergeShards(given: readonly NamedReport[]): RunEvent[] {
  const shards = inOrder(given);
  const reports = shards.map(({ report }) => report);
  return [
    startedOf(shards),
    ...shards.flatMap(({ index, report }) =>
      report.results.map((result) => ({ type: 'verdict', result: renumbered(result, index) }) as const),
    ),
    ...reports.flatMap(({ restarts = [] }) => restarts.map((one) => ({ type: 'target-restarted', ...one }) as const)),
    ...reports.flatMap(({ lost }) => (lost ? [{ type: 'target-lost', ...lost } as const] : [])),
    ...reports.flatMap(({ left }) => (left.length > 0 ? [{ type: 'clean-up', left } as const] : [])),
    endedOf(shards),
  ];
}

function inOrder(given: readonly NamedReport[]): ShardReport[] {
  const [first] = given;
  if (!first) throw new MergeProblem('there is nothing to merge');
  const byIndex = new Map<number, NamedReport>();
  for (const one of given) {
    const { shard } = one.report.options ?? {};
    if (!shard) throw new MergeProblem(`${one.name} is not the report of a shard; run the parts with --shard i/n`);
    sameRun(first, one);
    const before = byIndex.get(shard.index);
    if (before) throw new MergeProblem(`${before.name} and ${one.name} are both shard ${shard.index}/${shard.count}`);
    byIndex.set(shard.index, one);
  }
  const count = first.report.options?.shard?.count ?? 0;
  const all = Array.from({ length: count }, (_, place) => place + 1);
  const missing = all.filter((index) => !byIndex.has(index)).map((index) => `${index}/${count}`);
  if (missing.length > 0) throw new MergeProblem(`the reports of these shards are missing: ${missing.join(', ')}`);
  return all.flatMap((index) => {
    const one = byIndex.get(index);
    return one ? [{ index, ...one }] : [];
  });
}

/** What shards of one run have in common, in words. */
function common({ options, catalogue, tool, apis, target }: StoredReport): Readonly<Record<string, unknown>> {
  return {
    'the number of shards': options?.shard?.count,
    'version of the kit': tool.version,
    'rule catalogue': catalogue.digest,
    'API versions': apis,
    'chosen rules': [options?.only, options?.skip, options?.area, options?.level, options?.rerunFailed],
    'level that counts': options?.failOn,
    engine: [target.product, target.version, target.apiVersion, target.serves],
    dialect: target.dialect,
  };
}

function sameRun(first: NamedReport, other: NamedReport): void {
  const [one, two] = [common(first.report), common(other.report)];
  const differs = Object.keys(one).find((what) => JSON.stringify(one[what]) !== JSON.stringify(two[what]));
  if (differs === undefined) return;
  throw new MergeProblem(`${first.name} and ${other.name} are not from the same run: they differ in ${differs}`);
}

function startedOf(shards: readonly ShardReport[]): RunStarted {
  const reports = shards.map(({ report }) => report);
  const [first] = reports;
  if (!first?.options) throw new Error('a merged run has shards');
  const { shard: _, ...settings } = first.options;
  const exchanges = new Map(shards.flatMap((shard) => exchangesOf(shard).map((one) => [one.id, one] as const)));
  return {
    type: 'run-started',
    tool: first.tool,
    target: { ...first.target, lacks: Object.assign({}, ...reports.map(({ target }) => target.lacks)) },
    apis: first.apis,
    seed: first.seed,
    startedAt: new Date(startOf(reports)).toISOString(),
    total: reports.reduce((sum, { total }) => sum + total, 0),
    settings,
    shards: shards.map(mergedShard),
    exchange: async (id) => exchanges.get(id),
  };
}

function mergedShard({ index, report }: ShardReport): MergedShard {
  const { seed, target, startedAt, durationMs } = report;
  return { index, seed, address: target.address, startedAt, durationMs };
}

/** The most serious end of a part is that of the whole. */
const ends = ['failed', 'lost', 'interrupted', 'complete'] as const;

function endedOf(shards: readonly ShardReport[]): RunEnded {
  const reports = shards.map(({ report }) => report);
  const reasons = shards.filter(({ report }) => report.endReason !== '');
  const lastEnd = Math.max(...reports.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs));
  return {
    type: 'run-ended',
    durationMs: lastEnd - startOf(reports),
    end: ends.find((end) => reports.some((report) => report.end === end)) ?? 'complete',
    endReason: reasons.map(({ index, report }) => `shard ${index}/${shards.length}: ${report.endReason}`).join('; '),
    async *exchanges() {
      for (const shard of shards) yield* exchangesOf(shard);
      const missing = reports.flatMap(({ exchangesMissing }) => exchangesMissing ?? []);
      if (missing.length > 0) throw new Error(missing.join('; '));
    },
  };
}

function startOf(reports: readonly StoredReport[]): number {
  return Math.min(...reports.map(({ startedAt }) => Date.parse(startedAt)));
}

function exchangesOf({ index, report }: ShardReport): RecordedExchange[] {
  return Object.values(report.exchanges).map((exchange) => ({ ...exchange, id: idIn(index, exchange.id) }));
}

function renumbered(result: Result, index: number): Result {
  const { evidence, shown, names } = result;
  return {
    ...result,
    evidence: evidence.map((id) => idIn(index, id)),
    ...(shown && { shown: { ...shown, exchange: idIn(index, shown.exchange) } }),
    ...(names && { names: mapValues(names, (name) => (/^x\d+$/.test(name) ? idIn(index, name) : name)) }),
  };
}

function mapValues(names: Readonly<Record<string, string>>, change: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([role, name]) => [role, change(name)]));
}

/** Each run numbers its exchanges from 1. */
function idIn(shard: number, id: string): string {
  return `${shard}-${id}`;
}
