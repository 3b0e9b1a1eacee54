import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RecordedExchange, Result } from '../../harness/events.ts';
import { verdicts } from '../../harness/events.ts';
import { jsonReport } from '../../reports/json.ts';
import { allRules } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { apiVersions, documentedVersions, holdsIn } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';
import { sampleRules } from './sample-rules.ts';
import { play, sampleRun } from './sample-run.ts';

interface ReportFile {
  end: string;
  endReason: string;
  total: number;
  left: string[];
  summary: { counts: Record<string, number>; areas: Record<string, Record<string, Record<string, number>>> };
  observations: { rule: string; says: string; facts: { fact: string; apis: string[] }[] }[];
  results: Result[];
  exchanges: Record<string, RecordedExchange>;
  exchangesMissing?: string;
}

const schema: { $defs: Record<string, { pattern?: string; properties: { verdict: { enum: string[] } } }> } = JSON.parse(
  readFileSync(new URL('../../reports/report.schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
formats.default(ajv);
const valid = ajv.compile(schema);

async function reportOf(...options: Parameters<typeof sampleRun>): Promise<ReportFile> {
  const file = join(workplace, 'deep', 'report.json');
  await play(sampleRun(...options), jsonReport(file));
  const report: ReportFile = JSON.parse(readFileSync(file, 'utf8'));
  expect(valid(report), ajv.errorsText(valid.errors)).toBe(true);
  return report;
}

describe('report.json', () => {
  let report: ReportFile;
  beforeAll(async () => {
    report = await reportOf();
  });

  test('has each observation once, with its versions', () => {
    const observed = report.results.filter(({ verdict }) => verdict === 'observed');
    const facts = report.observations.flatMap(({ rule, facts }) =>
      facts.flatMap(({ fact, apis }) => apis.map((api) => `${rule} ${api} ${fact}`)),
    );
    expect(facts.toSorted()).toEqual(observed.map(({ rule, api, reason }) => `${rule} ${api} ${reason}`).toSorted());
    const rules = report.observations.map(({ rule }) => rule);
    expect(rules).toEqual([...new Set(observed.map(({ rule }) => rule))]);
    expect(report.observations.find(({ rule }) => rule === 'service.error-body')).toMatchObject({
      says: 'which Content-Type and body 4xx and 5xx answers have',
      facts: [{ apis: ['1.20', '1.21', '1.23'] }],
    });
  });

  test('has every result in the order of the catalogue, whatever the order of the verdicts', async () => {
    const [started, ...rest] = sampleRun();
    const ended = rest.at(-1);
    if (!started || !ended) throw new Error('the sample run is empty');
    const file = join(workplace, 'backwards.json');
    await play([started, ...rest.slice(0, -1).toReversed(), ended], jsonReport(file));
    const backwards: ReportFile = JSON.parse(readFileSync(file, 'utf8'));
    const judged = (rule: Rule) => documentedVersions.some((version) => holdsIn(rule, version));
    const places = allRules.filter(judged).map(({ id }) => id);
    const inCatalogue = report.results.filter(({ rule }) => places.includes(rule));
    expect(backwards.results.slice(0, inCatalogue.length)).toEqual(inCatalogue);
    expect([...new Set(inCatalogue.map(({ rule }) => rule))]).toEqual(places);
    expect(inCatalogue.slice(0, 3).map(({ api }) => api)).toEqual(documentedVersions);
    expect(backwards.results).toHaveLength(report.total);
  });

  test('sums up: every area and version, the failures at should apart', () => {
    const { counts, areas } = report.summary;
    const count = (test: (result: Result) => boolean) => report.results.filter(test).length;
    for (const verdict of verdicts) expect(counts[verdict]).toBe(count((result) => result.verdict === verdict));
    expect(counts.shouldFail).toBe(count(({ verdict, level }) => verdict === 'fail' && level === 'should'));
    expect(counts.shouldFail).toBeGreaterThan(0);
    expect(areas.containers?.['1.21']?.fail).toBe(
      count(({ verdict, area, api }) => verdict === 'fail' && area === 'containers' && api === '1.21'),
    );
  });

  test('keeps the exchanges of passes cut and those of other verdicts as recorded', () => {
    const sizes = (verdict: string) =>
      report.results
        .filter((result) => result.verdict === verdict)
        .flatMap(({ evidence }) => evidence.map((id) => report.exchanges[id]?.answer?.body.text?.length ?? 0));
    expect(Math.max(...sizes('pass'))).toBeLessThanOrEqual(2048);
    expect(Math.max(...sizes('pass'))).toBeGreaterThan(500);
    expect(Math.max(...sizes('fail'))).toBeGreaterThan(32_000);
    const evidence = report.results.flatMap((result) => result.evidence);
    expect(evidence.filter((id) => !(id in report.exchanges))).toEqual([]);
  });

  test('keeps what a failing check sent before', () => {
    const failing = report.results.find(({ verdict }) => verdict === 'fail');
    expect(Object.keys(report.exchanges)).toContain(`${failing?.rule}@${failing?.api}-before`);
  });

  test.each(['interrupted', 'lost', 'failed'] as const)('is whole when the run ended %s', async (end) => {
    const partial = await reportOf({ end, endReason: 'ECONNREFUSED', missing: 40, left: ['container ec-1'] });
    expect(partial).toMatchObject({ end, endReason: 'ECONNREFUSED', left: ['container ec-1'] });
    expect(partial.total - partial.results.length).toBe(40);
  });

  test('is written also when the exchanges cannot be read back', async () => {
    const partial = await reportOf({
      // biome-ignore lint/correctness/useYield: the reading fails at once
      exchanges: async function* () {
        throw new Error('the spill file is gone');
      },
    });
    expect(partial.exchangesMissing).toBe('the spill file is gone');
    expect(partial.results).toHaveLength(partial.total);
  });

  test('leaves no other file behind', () => {
    expect(readdirSync(join(workplace, 'deep'))).toEqual(['report.json']);
  });

  test('has a schema with the words of the run', () => {
    for (const version of apiVersions) expect(version).toMatch(new RegExp(schema.$defs.api?.pattern ?? '^$'));
    expect(schema.$defs.result?.properties.verdict.enum.toSorted()).toEqual([...verdicts].sort());
  });
});

test('the sample has enough rules to be worth a test', () => {
  expect(sampleRules.length).toBeGreaterThan(200);
});
