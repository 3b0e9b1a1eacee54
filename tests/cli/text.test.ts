import { expect, test } from 'vitest';
import { colorsFor } from '../../cli/terminal/colors.ts';
import { shortened } from '../../cli/terminal/screen-for.ts';
import { textReport } from '../../cli/terminal/text.ts';
import type { Verdict } from '../../harness/events.ts';
import type { Rule } from '../../specs/rule.ts';
import { documentedVersions, holdsIn } from '../../specs/versions.ts';
import { sampleRules } from '../reports/sample-rules.ts';
import { play, sampleRun } from '../reports/sample-run.ts';

/** What is printed of a run of these rules. */
async function printed(
  rules: readonly Rule[],
  verdictOf: (rule: Rule, place: number) => Verdict,
  quiet: boolean,
  isLive = true,
) {
  const lines: string[] = [];
  const screen = { isLive, write: (text: string) => void lines.push(...text.split('\n')), show() {}, clear() {} };
  const colors = colorsFor({}, { NO_COLOR: '1' });
  await play(sampleRun({ rules, verdictOf }), textReport({ screen, colors, rules, quiet }));
  // The sample run says what it could not remove also where that is nothing.
  return lines.filter((line) => !line.startsWith('could not be removed'));
}

const always = sampleRules.filter((rule) => documentedVersions.every((api) => holdsIn(rule, api)));
const musts = always.filter(({ level }) => level === 'must');

test('--quiet names what failed, once for all versions, and nothing that did not', async () => {
  const [first, second, third] = musts;
  const lines = await printed(
    [first, second, third] as Rule[],
    (_, place) => (['fail', 'pass', 'blocked'] as const)[place] ?? 'pass',
    true,
  );
  const apis = `[${documentedVersions.join(', ')}]`;
  expect(lines.slice(0, -1)).toEqual([`✗ fail ${first?.id} ${apis}`, `■ blocked ${third?.id} ${apis}`]);
  expect(lines.at(-1)).toMatch(/^3 deviations from the contract\. /);
});

test('--quiet names the first hundred of many', async () => {
  const lines = await printed(musts.slice(0, 120), () => 'fail', true);
  expect(lines.filter((line) => line.startsWith('✗ fail '))).toHaveLength(100);
  expect(lines).toContain('and 20 more');
});

test('tells the first hundred deviations in full on a terminal, the first ten in a log, and names every one, in a log once for all versions', async () => {
  const many = musts.slice(0, 120);
  const told = async (isLive: boolean) => {
    const lines = await printed(many, () => 'fail', false, isLive);
    const headlines = lines.flatMap((line) => /^✗ fail (\S+)/.exec(line)?.[1] ?? []);
    const inFull = lines.filter((line) => line.startsWith('  fingerprint ')).length;
    return { inFull, headlines: headlines.length, named: new Set(headlines).size };
  };
  const inVersions = many.length * documentedVersions.length;
  expect(await told(true)).toEqual({ inFull: 100, headlines: inVersions, named: many.length });
  expect(await told(false)).toEqual({ inFull: 10, headlines: many.length, named: many.length });
});

test('what the target lacks is told only where a chosen rule needs it', async () => {
  const needy = sampleRules.find(({ needs }) => (needs as readonly string[]).includes('freezer'));
  const free = musts.find(({ needs }) => needs.length === 0);
  if (!needy || !free) throw new Error('there are no such rules');
  const lacks = async (rule: Rule) =>
    (await printed([rule], () => 'pass', false)).filter((line) => line.startsWith('lacks '));
  expect(await lacks(needy)).toEqual(['lacks freezer: the host mounts no freezer cgroup']);
  expect(await lacks(free)).toEqual([]);
});

test('one verdict is one verdict', async () => {
  const once = sampleRules.find((rule) => documentedVersions.filter((api) => holdsIn(rule, api)).length === 1);
  if (!once) throw new Error('there is no such rule');
  expect((await printed([once], () => 'pass', false))[1]).toMatch(/^1 verdict in API /);
  expect((await printed(musts.slice(0, 1), () => 'pass', false))[1]).toMatch(/^3 verdicts in API /);
});

test('a line of kilobytes is cut in a log, and says so', () => {
  expect(shortened('x'.repeat(1_000))).toBe('x'.repeat(1_000));
  expect(shortened('x'.repeat(8_192))).toBe(`${'x'.repeat(1_000)}… (7192 more characters are in the reports)`);
});
