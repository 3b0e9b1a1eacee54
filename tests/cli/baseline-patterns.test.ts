import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBaseline } from '../../harness/baseline/baseline.ts';
import { updateBaseline } from '../../harness/baseline/update.ts';
import { excuses, knownIn, waive } from '../../harness/baseline/waive.ts';
import type { Result, RunEnded, Verdict } from '../../harness/events.ts';
import { plainResult } from '../../harness/verdict/plain-result.ts';
import { allRules, type RuleId, rulebook } from '../../specs/catalogue.ts';
import { type ApiVersion, apiVersions, documentedVersions } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';

let count = 0;

function baselineOf(...entries: object[]): string {
  count++;
  const file = path.join(workplace, `pattern-${count}.yaml`);
  writeFileSync(file, entries.map((entry) => `- ${JSON.stringify(entry)}\n`).join(''));
  return file;
}

const known = { does: 'answers another text', reason: 'older than the contract' };
const [first, second, third] = ['system.ping.answers-200', 'system.ping.body-OK', 'system.ping.text-plain'] as const;

function result(rule: RuleId, api: ApiVersion, verdict: Verdict): Result {
  return { ...plainResult(rulebook[rule], api, verdict, ''), level: 'must' };
}

const ended: RunEnded = {
  type: 'run-ended',
  durationMs: 1,
  end: 'complete',
  endReason: '',
  exchanges: async function* () {},
};

/** How a whole run with these results comes out. */
async function waived(file: string, ...results: Result[]) {
  const seen: Verdict[] = [];
  const { handler, stale, unreviewed } = waive(readBaseline(file), [
    (event) => void (event.type === 'verdict' && seen.push(event.result.verdict)),
  ]);
  for (const one of results) await handler({ type: 'verdict', result: one });
  await handler(ended);
  return { seen, stale: stale(), unreviewed: unreviewed() };
}

describe('an entry with a pattern', () => {
  const entry = { ...known, rule: 'system.ping.*' };

  test('is about every rule that it matches', () => {
    const file = baselineOf(entry, { ...known, rule: 'POST /containers/{id}/stop' });
    const [pings, stops] = readBaseline(file).entries;
    expect(pings?.rules).toEqual(allRules.filter(({ id }) => id.startsWith('system.ping.')).map(({ id }) => id));
    expect(stops?.rules).toContain('containers.stop.stopped-answers-304');
    expect(excuses(readBaseline(file), result(second, '1.20', 'fail'))).toBe(true);
    expect(excuses(readBaseline(file), result('system.version.answers-200', '1.20', 'fail'))).toBe(false);
    expect(knownIn(readBaseline(file))['1.21']).toEqual(expect.arrayContaining([first, second]));
  });

  test('holds in a version while one of its rules deviates there', async () => {
    const { seen, stale } = await waived(
      baselineOf({ ...entry, apis: ['1.20', '1.21'] }),
      ...[result(first, '1.20', 'pass'), result(second, '1.20', 'fail'), result(third, '1.20', 'observed')],
      ...[result(first, '1.21', 'pass'), result(second, '1.21', 'fail'), result(third, '1.23', 'fail')],
    );
    expect(seen).toEqual(['pass', 'waived', 'observed', 'pass', 'waived', 'fail']);
    expect(stale).toEqual([]);
  });

  test('does not hold any more where all of them pass', async () => {
    const file = baselineOf(entry);
    const { stale } = await waived(
      file,
      ...[result(first, '1.20', 'fail'), result(second, '1.20', 'pass')],
      ...[result(first, '1.21', 'pass'), result(second, '1.21', 'pass'), result(third, '1.23', 'observed')],
    );
    expect(stale).toEqual([`${file}:1: system.ping.* is now kept in API 1.21: remove that version from the entry`]);
  });

  test('says the same in whatever order the verdicts come', async () => {
    const file = baselineOf(entry);
    const results = [
      ...[result(first, '1.23', 'blocked'), result(second, '1.21', 'pass'), result(third, '1.20', 'pass')],
      ...[result(first, '1.21', 'pass'), result(second, '1.20', 'blocked'), result(second, '1.23', 'pass')],
    ];
    const { stale } = await waived(file, ...results);
    expect(stale).toEqual([
      `${file}:1: system.ping.* is now blocked, so the deviation did not show: review the entry, in API 1.20, 1.23`,
      `${file}:1: system.ping.* is now kept in API 1.20, 1.21, 1.23: remove the entry`,
    ]);
    expect((await waived(file, ...results.toReversed())).stale).toEqual(stale);
  });

  test('stays with --update-baseline where it holds, is narrowed where it does not, and gets no company', () => {
    const file = baselineOf(entry);
    const update = updateBaseline(readBaseline(file), [
      ...[result(first, '1.20', 'fail'), result(second, '1.20', 'fail'), result(third, '1.20', 'pass')],
      ...[result(first, '1.21', 'pass'), result(second, '1.21', 'pass')],
    ]);
    expect(update).toEqual({ added: 0, removed: 0, narrowed: 1 });
    expect(readBaseline(file).entries).toMatchObject([{ rule: 'system.ping.*', apis: ['1.20', '1.23'] }]);
  });

  test.each([
    [{ rule: 'sistem.ping.*' }, "'sistem.ping.*' matches no rule; did you mean 'system.ping.*'?"],
    [{ rule: 'system.*', fingerprint: '0123456789ab' }, 'a fingerprint belongs to one deviation'],
  ])('%j is refused', (members, says) => {
    const file = baselineOf({ ...known, ...members });
    expect(() => readBaseline(file)).toThrow(`${file}:1: ${says}`);
  });
});

describe('the versions of an entry', () => {
  const apisOf = (apis: unknown, rule = second as string) =>
    readBaseline(baselineOf({ ...known, rule, apis })).entries[0]?.apis;
  const between = (since: ApiVersion, until: ApiVersion) =>
    apiVersions.slice(apiVersions.indexOf(since), apiVersions.indexOf(until) + 1);

  test.each([
    ['1.21-1.25', between('1.21', '1.25')],
    [
      ['1.20', '1.40 - 1.42'],
      ['1.20', '1.40', '1.41', '1.42'],
    ],
    ['1.54-', between('1.54', '1.55')],
    ['-1.21', ['1.20', '1.21']],
    ['*', apiVersions],
    ['1.23', ['1.23']],
    [
      ['1.21', '1.20', '1.20-1.21'],
      ['1.20', '1.21'],
    ],
    [undefined, documentedVersions],
  ])('%j', (apis, expected) => {
    expect(apisOf(apis)).toEqual(expected);
  });

  test('a range means those in which the rule is', () => {
    expect(apisOf('1.20-1.24', 'containers.list.field.State')).toEqual(['1.23', '1.24']);
  });

  test.each([
    ['1.40-1.30', "a range ('1.24-1.40', '1.24-'), or '*'"],
    ['1.20-1.99', 'a list of versions in quotes'],
    ['-', 'a list of versions in quotes'],
    [1.2, 'a list of versions in quotes'],
    [[], 'a list of versions in quotes'],
    ['newest', 'a list of versions in quotes'],
  ])('%j is refused', (apis, says) => {
    expect(() => apisOf(apis)).toThrow(says);
  });

  test('a range in which the rule never is', () => {
    expect(() => apisOf('1.20-1.21', 'containers.list.field.State')).toThrow('does not exist in API 1.20-1.21');
  });
});

test('entries that excused something and wait for their reason are named, others not', async () => {
  const unreviewed = { ...known, reason: 'not reviewed yet' };
  const file = baselineOf(
    { ...unreviewed, rule: second },
    { ...known, rule: first },
    { ...unreviewed, rule: 'system.version.answers-200' },
  );
  const told = await waived(file, result(second, '1.20', 'fail'), result(first, '1.20', 'fail'));
  expect(told).toMatchObject({
    stale: [],
    unreviewed: [`${file}:1: system.ping.body-OK is not reviewed yet: write its reason`],
  });
});

test('what an update writes names no rule twice', () => {
  const file = baselineOf({ ...known, rule: 'system.ping.*', apis: '1.20-1.21' });
  const results = documentedVersions.map((api) => result(second, api, 'fail'));
  expect(updateBaseline(readBaseline(file), results)).toEqual({ added: 1, removed: 0, narrowed: 0 });
  expect(readBaseline(file).entries).toMatchObject([
    { rule: 'system.ping.*', apis: ['1.20', '1.21'] },
    { rule: second, apis: ['1.23'], reason: 'not reviewed yet' },
  ]);
  expect(readFileSync(file, 'utf8')).toMatch(/"apis": ?"1\.20-1\.21"/);
});
