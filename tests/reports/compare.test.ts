import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { marked, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../harness/baseline/fingerprint.ts';
import type { Result } from '../../harness/events.ts';
import { isSplit } from '../../reports/compare/causes.ts';
import { changeBetween, changeKinds } from '../../reports/compare/change.ts';
import { type Comparison, compareReports } from '../../reports/compare/compare.ts';
import { comparisonMarkdown } from '../../reports/compare/markdown.ts';
import { isConclusive, leftOut } from '../../reports/compare/shared.ts';
import { comparisonJson } from '../../reports/compare/site.ts';
import { splitsOf } from '../../reports/compare/splits.ts';
import { countInWords, isAlike } from '../../reports/compare/words.ts';
import { standingOf } from '../../reports/standing.ts';
import type { StoredReport } from '../../reports/stored/stored-report.ts';
import type { Counts } from '../../reports/summary.ts';
import { allRules } from '../../specs/catalogue.ts';
import { storedSample } from './stored-sample.ts';

const judging = { failOn: 'must', fingerprintOf } as const;

function result(verdict: Result['verdict'], more: Partial<Result> = {}): Result {
  return {
    ...{ rule: 'system.ping.body-OK', api: '1.23', verdict, level: 'must', kind: 'format', area: 'system' },
    ...{ reason: '', expected: '', actual: '', evidence: [], assertions: 1, durationMs: 1 },
    ...more,
  };
}

const refuses = result('fail', { expected: 'status 200', actual: 'status 500' });
const hangs = result('fail', { expected: 'status 200', actual: 'no answer' });
const loosely = { ...refuses, level: 'should' } as const;
const passes = result('pass');
const waived = { ...refuses, verdict: 'waived' } as const;
const blocked = result('blocked', { reason: 'the container could not be started' });
const broken = result('error', { reason: 'TypeError' });
const skipped = result('skip', { reason: 'no freezer' });

describe('what became of a rule', () => {
  test.each<[string, Result, Result, string | undefined, boolean]>([
    ['kept and no longer', passes, refuses, 'newly-failing', true],
    ['kept, and blocked now: silence is not green', passes, blocked, 'newly-failing', true],
    ['kept, and the kit fails now', passes, broken, 'newly-failing', true],
    ['kept, and deviates loosely', passes, loosely, 'newly-failing', false],
    ['kept, and waived by a baseline', passes, waived, 'newly-failing', false],
    ['mended', refuses, passes, 'mended', false],
    ['not blocked any more', blocked, passes, 'mended', false],
    ['failing in another way', refuses, hangs, 'failing-differently', false],
    ['failing in the same way', refuses, { ...refuses, durationMs: 99 }, undefined, false],
    ['a waived deviation that comes otherwise', waived, hangs, 'failing-differently', true],
    ['a waived deviation without its baseline', waived, refuses, undefined, false],
    ['a loose deviation that became a plain one', loosely, hangs, 'failing-differently', true],
    ['judged for the first time', skipped, refuses, 'newly-judged', false],
    ['not judged any more', passes, skipped, 'no-longer-judged', false],
    ['skipped twice', skipped, result('skip', { reason: 'no registry' }), undefined, false],
    ['kept twice', passes, passes, undefined, false],
  ])('%s', (_, before, after, kind, regression) => {
    const change = changeBetween(before, after, judging);
    expect(change?.kind).toBe(kind);
    expect(change?.regression ?? false).toBe(regression);
  });

  test('a loose deviation counts when it is asked to', () => {
    expect(changeBetween(passes, loosely, { ...judging, failOn: 'should' })?.regression).toBe(true);
  });

  test('names of the run and times do not make a deviation another one', () => {
    const at = (actual: string) => ({ ...refuses, actual });
    expect(
      changeBetween(at('no ec-abc12-1 at 2026-03-14T09:26:53Z'), at('no ec-xyz98-7 at 2027-01-01T00:00:00Z'), judging),
    ).toBeUndefined();
  });
});

/** The counts that are not nil, as the matrix of areas tells them. */
function inWords(versions: readonly Counts[]): string {
  const sum = (name: keyof Counts) => versions.reduce((all, counts) => all + counts[name], 0);
  const [pass, fail, shouldFail, blocked] = [sum('pass'), sum('fail'), sum('shouldFail'), sum('blocked')];
  const [skip, observed, untested] = [sum('skip'), sum('observed'), sum('untested')];
  const [waived, error] = [sum('waived'), sum('error')];
  const told = { pass, fail: fail - shouldFail, should: shouldFail, blocked, skip, observed, untested, waived, error };
  const some = Object.entries(told).filter(([, number]) => number > 0);
  return some.map(([title, number]) => `${number} ${title}`).join(', ');
}

/** Compares as the command does. */
function compare(...reports: readonly StoredReport[]): Comparison {
  const tool = { name: 'engine-conformance', version: '0.1.0' };
  return compareReports(reports, { ...judging, tool, rules: allRules });
}

describe('reports', async () => {
  const base = await storedSample();

  /** The base report, as a later version of the engine would have made it. */
  function later(change: Partial<StoredReport>): StoredReport {
    const target = { ...base.target, version: '20.10.25' };
    return { ...base, target, startedAt: '2026-05-01T12:00:00.000Z', ...change };
  }

  const failing = base.results.filter(({ verdict, level }) => verdict === 'fail' && level === 'must');
  const passing = base.results.filter(({ verdict, level }) => verdict === 'pass' && level === 'must');
  const [mended] = failing;
  const [regressed] = passing;
  const results = base.results.map((one) => {
    if (one === mended) return { ...one, verdict: 'pass' as const, reason: '', expected: '', actual: '' };
    if (one === regressed) return { ...one, verdict: 'fail' as const, expected: 'status 204', actual: 'status 500' };
    return one;
  });

  test('of one engine: each is held against the first', () => {
    const { steps, regressions, reports } = compare(
      base,
      later({ results }),
      later({ startedAt: '2026-06-01T12:00:00.000Z' }),
    );
    expect(reports.map(({ name }) => name)).toEqual([
      'Example Engine 20.10.24',
      'Example Engine 20.10.25, 2026-05-01',
      'Example Engine 20.10.25, 2026-06-01',
    ]);
    expect(steps.map(({ from, to, changes }) => [from, to, changes.length])).toEqual([
      [0, 1, 2],
      [0, 2, 0],
    ]);
    expect(steps[0]?.changes.map(({ rule, kind }) => `${kind} ${rule}`).toSorted()).toEqual([
      `mended ${mended?.rule}`,
      `newly-failing ${regressed?.rule}`,
    ]);
    expect(regressions).toBe(1);
  });

  test('of one engine in other versions: nothing is held against another, and says so', () => {
    const newer = base.results.map((result) => ({ ...result, api: '1.41' as const }));
    const { steps, notes } = compare(base, later({ apis: ['1.41'], results: newer }));
    expect(steps).toEqual([]);
    expect(notes).toEqual([
      'Example Engine 20.10.25 was judged in other API versions than the reports of the same engine before it, so there can be no regression.',
    ]);
  });

  test('of several engines: a matrix without regressions, and says so', () => {
    const other = later({ results, target: { ...base.target, product: 'Another Engine' } });
    const { steps, regressions, notes, rules } = compare(base, other);
    expect({ steps, regressions }).toEqual({ steps: [], regressions: 0 });
    expect(notes).toContain('No two reports are of the same engine, so there can be no regression.');
    const row = rules.find(({ rule }) => rule === regressed?.rule);
    expect(row?.verdicts.map((one) => one?.[regressed?.api ?? '1.20'])).toEqual(['pass', 'fail']);
    expect(rules.map(({ rule }) => rule)).toEqual([...new Set(base.results.map(({ rule }) => rule))]);
  });

  test('of several engines: what fails in one and passes in another comes first, by its causes', () => {
    const other = later({ results, target: { ...base.target, product: 'Another Engine' } });
    const { causes, rules } = compare(base, other);
    const split = causes.filter(isSplit);
    expect(causes.slice(0, split.length)).toEqual(split);
    const [onlyOther] = splitsOf(causes).filter(({ fails }) => fails.join() === '1');
    expect(onlyOther?.passes).toEqual([0]);
    expect(onlyOther?.causes.flatMap((cause) => cause.rules)).toEqual([regressed?.rule]);
    const differing = rules.filter((row) => !isAlike(row)).map(({ rule }) => rule);
    expect(differing.toSorted()).toEqual([mended?.rule, regressed?.rule].toSorted());
  });

  test.each([
    ['pass', 'skip', true],
    ['pass', 'observed', true],
    ['fail', 'waived', true],
    ['pass', 'waived', false],
    ['pass', 'blocked', false],
  ] as const)('%s and %s: the same is %s', (one, other, alike) => {
    const row = { rule: 'a', area: 'a', says: 'a', verdicts: [{ '1.23': one }, { '1.23': other }, null] };
    expect(isAlike(row)).toBe(alike);
  });

  test('of other catalogues: rules that are new or gone are no regressions', () => {
    const [gone = ''] = base.results.map(({ rule }) => rule);
    const catalogue = { rules: 999, digest: `sha256:${'0'.repeat(64)}` };
    const without = base.results.filter(({ rule }) => rule !== gone);
    const added = { ...refuses, rule: 'system.ping.of-tomorrow' };
    const { steps, notes, regressions } = compare(base, later({ catalogue, results: [...without, added] }));
    expect(steps[0]).toMatchObject({ newRules: [added.rule], goneRules: [gone], changes: [] });
    expect(regressions).toBe(0);
    expect(notes.join()).toContain('made with different rule catalogues');
  });

  test('of a part of the rules: what was not chosen is neither new nor gone', () => {
    const options = { ...{ concurrency: 8, timeoutMs: 1000, failOn: 'must' as const }, only: ['system.*'] };
    const catalogue = { rules: 999, digest: `sha256:${'0'.repeat(64)}` };
    const part = base.results.filter(({ area }) => area === 'system');
    const { steps, notes } = compare(base, later({ options, catalogue, results: part }));
    expect(steps[0]).toMatchObject({ newRules: [], goneRules: [] });
    expect(notes.join()).toContain('Only some of the rules were selected in: Example Engine 20.10.25.');
  });

  describe('that share no rule', () => {
    const options = { ...{ concurrency: 8, timeoutMs: 1000, failOn: 'must' as const }, only: ['containers.*'] };
    const { rule: chosen } = passing.find(({ area }) => area !== 'containers') ?? result('pass');
    const one = { ...base, results: base.results.filter(({ rule }) => rule === chosen) };
    const other = later({ options, results: base.results.filter(({ area }) => area === 'containers') });

    test('are inconclusive, and say so first and in a note', () => {
      const comparison = compare(one, other);
      expect(isConclusive(comparison)).toBe(false);
      expect(countInWords(comparison)).toBe('Inconclusive: the reports decided no rule in the same API version.');
      expect(comparison.notes).toContain(
        'Example Engine 20.10.25 decided no rule that Example Engine 20.10.24 decided in the same API version, so there is nothing to compare between them.',
      );
      const markdown = comparisonMarkdown(comparison);
      expect(markdown).toContain(`### Not in the later report\n\n\`${chosen}\``);
      expect(markdown).not.toContain('Nothing changed.');
      expect(markdown).toContain('\n0 rules came out the same in every report that decided them; 0 did not. ');
    });

    test('stand side by side where they are of several engines', () => {
      const comparison = compare(one, { ...other, target: { ...other.target, product: 'Another Engine' } });
      expect(isConclusive(comparison)).toBe(true);
      expect(countInWords(comparison)).toBe('2 engines side by side.');
    });

    test('are no reason to call a longer history inconclusive, but noted', () => {
      const comparison = compare(one, other, later({ startedAt: '2024-06-01T00:00:00.000Z' }));
      expect(comparison.steps).toHaveLength(2);
      expect(isConclusive(comparison)).toBe(true);
      expect(comparison.notes.join()).toContain('so there is nothing to compare between them');
    });

    test('are told apart from one that has a part of the rules of another', () => {
      const comparison = compare(base, other);
      expect(isConclusive(comparison)).toBe(true);
      const left = comparison.steps.flatMap((step) => leftOut(step, comparison));
      expect(left).toContain(chosen);
      expect(left.filter((rule) => rule.startsWith('containers.'))).toEqual([]);
    });
  });

  test('of a run that was lost: says so', () => {
    const { notes } = compare(base, later({ end: 'lost', endReason: 'ECONNREFUSED' }));
    expect(notes.join()).toContain('comes from an incomplete run: The target was lost: ECONNREFUSED');
  });

  test('tell observations that differ, and only these', () => {
    const [first, ...rest] = base.observations;
    if (!first) throw new Error('nothing was observed in the sample run');
    const changed = { ...first, facts: [{ fact: 'sends nothing', apis: ['1.23' as const] }] };
    const [, , third] = [first, ...rest];
    const without = [changed, ...rest.filter((one) => one !== third)];
    const { observations } = compare(base, later({ observations: without }));
    expect(observations).toEqual([{ rule: first.rule, says: first.says, facts: [first.facts, changed.facts] }]);
  });

  test('do not tell observations that are the same in every version that both have', () => {
    const [first] = base.observations;
    const [fact] = first?.facts ?? [];
    if (!first || !fact) throw new Error('nothing was observed in the sample run');
    const of = (...facts: typeof first.facts) => later({ observations: [{ ...first, facts }] });
    const narrow = { ...fact, apis: fact.apis.slice(0, 1) };
    expect(compare({ ...base, observations: [first] }, of(narrow)).observations).toEqual([]);
    expect(compare(of(narrow), of({ ...narrow, fact: 'sends nothing' })).observations).toHaveLength(1);
  });

  test('count engines, not reports', () => {
    const others = base.results.map((one) => ({ ...one, api: '1.41' as const }));
    const another = { ...base, target: { ...base.target, product: 'Another Engine' } };
    expect(countInWords(compare(base, another))).toBe('2 engines side by side.');
    const inLater = { ...base, apis: ['1.41' as const], results: others };
    expect(countInWords(compare(base, another, inLater))).toBe('3 reports of 2 engines side by side.');
  });

  test('become data that keep their published schema', () => {
    const schemaOf = (name: string) =>
      JSON.parse(readFileSync(new URL(`../../reports/${name}.schema.json`, import.meta.url), 'utf8'));
    const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
    formats.default(ajv);
    ajv.addSchema(schemaOf('report'));
    const schema = schemaOf('comparison');
    const valid = ajv.compile(schema);
    const other = { ...base.target, product: 'Another Engine' };
    const catalogue = { rules: 999, digest: `sha256:${'0'.repeat(64)}` };
    const [first, ...fewer] = results;
    for (const reports of [
      [base, later({ results }), later({ target: other, results: fewer, observations: [] })],
      [base, later({ catalogue, results: fewer, end: 'interrupted', observations: base.observations.slice(1) })],
    ]) {
      const data = JSON.parse(comparisonJson(compare(...reports)));
      expect(valid(data), ajv.errorsText(valid.errors)).toBe(true);
      expect(valid({ ...data, format: 2 })).toBe(false);
      expect(valid({ ...data, rules: [{ ...first, verdicts: [{ '1.23': 'green' }] }] })).toBe(false);
    }
    expect(schema.$defs.change.properties.kind.enum).toEqual(changeKinds);
  });

  test('become a page of Markdown in which nothing from outside is markup', () => {
    const hostile = { ...base.target, product: '<b>Engine</b> | [x](http://evil.example)' };
    const markdown = comparisonMarkdown(compare(base, later({ results }), later({ target: hostile })));
    const tokens = marked.lexer(markdown);
    const found = new Set<string>();
    void marked.walkTokens(tokens, (token) => {
      found.add(token.type === 'html' ? token.raw.trim() : token.type);
    });
    expect([...found].filter((type) => ['link', 'image'].includes(type) || type.startsWith('<'))).toEqual(['<br>']);
    const [reports, areas] = tokens.filter((token): token is Tokens.Table => token.type === 'table');
    expect(reports?.rows).toHaveLength(3);
    expect(areas?.header.map(({ text }) => text)).toEqual([
      'area',
      ...(reports?.rows ?? []).map(([name]) => name?.text),
    ]);
    const cells = areas?.rows.find(([area]) => area?.text === 'containers');
    expect(cells?.[1]?.text).toBe(inWords(Object.values(base.summary.areas.containers ?? {})));
    const { judged, kept } = standingOf(base.results);
    expect(reports?.rows[0]?.slice(2, 4).map(({ text }) => text.replace(',', ''))).toEqual([kept, judged].map(String));
    expect(markdown).toContain('**1 regression: 1 newly failing, 1 fixed.**');
    expect(markdown).toMatch(
      / rules came out the same in every report that decided them; 2 did not\. \d+ rules were not decided in two of them\. /,
    );
    expect(markdown.split('\n').length).toBeLessThan(70);
  });
});
