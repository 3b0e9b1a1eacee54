import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonReport } from '../../reports/json.ts';
import { mergeShards, type NamedReport } from '../../reports/stored/merge.ts';
import { readReport } from '../../reports/stored/read.ts';
import type { StoredReport } from '../../reports/stored/stored-report.ts';
import { workplace } from '../workplace.ts';
import { play, sampleRun } from './sample-run.ts';
import { someRules, storedSample } from './stored-sample.ts';

const count = 3;

/** The report of one part of the sample run, as its run would have written it. */
async function shardOf(index: number, more: Partial<StoredReport> = {}): Promise<NamedReport> {
  const rules = someRules.filter((_, place) => place % count === index - 1);
  const places = new Map(someRules.map(({ id }, place) => [id, place]));
  const own = new Set(rules.map(({ id }) => id));
  const verdicts = new Map(
    sampleRun({ rules: someRules }).flatMap((event) =>
      event.type === 'verdict' ? [[`${event.result.rule} ${event.result.api}`, event.result.verdict]] : [],
    ),
  );
  const whole = await storedSample();
  const results = whole.results.filter(({ rule }) => own.has(rule));
  expect(results.map(({ rule, api, verdict }) => verdicts.get(`${rule} ${api}`) === verdict)).not.toContain(false);
  const kept = new Set(rules.map(({ id }) => String(places.get(id))));
  const exchanges = Object.entries(whole.exchanges).filter(
    ([id, { madeFor }]) => own.has(madeFor) || kept.has(/^x(\d+)-/.exec(id)?.[1] ?? ''),
  );
  const options = { concurrency: 8, timeoutMs: 30_000, failOn: 'must', shard: { index, count } } as const;
  const report = { ...whole, options, total: results.length, results, exchanges: Object.fromEntries(exchanges) };
  return { name: `shard-${index}`, report: { ...report, ...more } };
}

const shards = async () => [await shardOf(3), await shardOf(1), await shardOf(2)];

async function merged(given: readonly NamedReport[]): Promise<StoredReport> {
  const file = join(workplace, 'merged.json');
  await play(mergeShards(given), jsonReport(file));
  return readReport(file);
}

describe('the shards of a run', () => {
  test('merge to the report of the whole run', async () => {
    const whole = await storedSample();
    const report = await merged(await shards());
    const unnumbered = report.results.map((result) => ({
      ...result,
      evidence: result.evidence.map((id) => id.replace(/^\d-/, '')),
    }));
    expect(unnumbered).toEqual(whole.results);
    expect(report.observations).toEqual(whole.observations);
    expect(report.summary).toEqual(whole.summary);
    expect(report.total).toBe(whole.total);
    const plain = Object.values(report.exchanges).map((one) => ({ ...one, id: one.id.replace(/^\d-/, '') }));
    expect(Object.fromEntries(plain.map((one) => [one.id, one]))).toEqual(whole.exchanges);
    expect(report.shards?.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(report.options?.shard).toBeUndefined();
  });

  test('merge to a run that ended as the worst of them', async () => {
    const [first, second] = [await shardOf(1), await shardOf(2)];
    const lost = { after: 'containers.stop', reason: 'ECONNREFUSED' };
    const third = await shardOf(3, { end: 'lost', endReason: 'ECONNREFUSED', lost, left: ['container ec-1'] });
    const report = await merged([first, second, third]);
    expect(report).toMatchObject({ end: 'lost', endReason: 'shard 3/3: ECONNREFUSED', lost, left: ['container ec-1'] });
  });

  test('say what the target lacks on any of its hosts, and last from the first start to the last end', async () => {
    const [first, second] = [await shardOf(1), await shardOf(2)];
    const startedAt = '2026-03-14T09:30:00.000Z';
    const target = { ...first.report.target, address: 'unix:///other.sock', lacks: { memory: 'no cgroup' } };
    const report = await merged([first, second, await shardOf(3, { target, startedAt, durationMs: 60_000, seed: 7 })]);
    expect(Object.keys(report.target.lacks).toSorted()).toEqual(['freezer', 'memory']);
    expect(report.shards?.[2]).toEqual({ index: 3, seed: 7, address: target.address, startedAt, durationMs: 60_000 });
    expect(report.durationMs).toBe(Date.parse(startedAt) + 60_000 - Date.parse(first.report.startedAt));
  });

  test.each<[string, RegExp, () => Promise<NamedReport[]>]>([
    [
      'one is missing',
      /^the reports of these shards are missing: 2\/3$/,
      async () => [await shardOf(1), await shardOf(3)],
    ],
    [
      'one comes twice',
      /^shard-1 and shard-1 are both shard 1\/3$/,
      async () => [await shardOf(1), ...(await shards())],
    ],
    [
      'one is no shard',
      /^whole is not the report of a shard/,
      async () => [{ name: 'whole', report: await storedSample() }],
    ],
    ['there are none', /^there is nothing to merge$/, async () => []],
    [
      'one is of another catalogue',
      /^shard-1 and shard-2 are not from the same run: they differ in rule catalogue$/,
      async () => [await shardOf(1), await shardOf(2, { catalogue: { rules: 1, digest: `sha256:${'0'.repeat(64)}` } })],
    ],
    [
      'one is of another engine',
      /they differ in engine$/,
      async () => [await shardOf(1), await shardOf(2, { target: { ...(await storedSample()).target, version: '27' } })],
    ],
    [
      'one is of other versions',
      /they differ in API versions$/,
      async () => [await shardOf(1), await shardOf(2, { apis: ['1.23'] })],
    ],
  ])('are not merged when %s', async (_, says, given) => {
    const reports = await given();
    expect(() => mergeShards(reports)).toThrow(says);
  });
});
