import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'junit2json';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../harness/events.ts';
import { junitReport } from '../../reports/junit.ts';
import type { Rule } from '../../specs/rule.ts';
import { launch } from '../launcher.ts';
import { workplace } from '../workplace.ts';
import { sampleRules } from './sample-rules.ts';
import { play, sampleRun } from './sample-run.ts';

const file = join(workplace, 'junit.xml');
const schema = fileURLToPath(new URL('junit.xsd', import.meta.url));
const hasXmllint = existsSync('/usr/bin/xmllint');
const limit = 64 * 1024 * 1024;

/** Reads the report with an independent parser. */
async function xpath(expression: string, of = file): Promise<string> {
  const { status, stdout, stderr } = await launch('/usr/bin/xmllint', ['--huge', '--xpath', expression, of]);
  expect({ status, stderr }, expression).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd();
}

/** The rule of the first failure whose exchange is a hijacked stream. */
function firstFailing(events: readonly RunEvent[]): Rule {
  const ids = events.flatMap((event) =>
    event.type === 'verdict' && event.result.verdict === 'fail' && event.result.api === '1.23'
      ? [event.result.rule]
      : [],
  );
  const rule = sampleRules.find(({ id }, place) => place % 4 === 2 && ids.includes(id));
  if (!rule) throw new Error('no rule of the sample run fails');
  return rule;
}

/** What a validator finds against the schema in these tests. */
function invalid(of: string): string {
  const args = ['--huge', '--noout', '--nowarning', '--schema', schema, of];
  const { stderr } = spawnSync('/usr/bin/xmllint', args, { encoding: 'utf8', maxBuffer: limit });
  return stderr.replace(`${of} validates\n`, '');
}

/** Number of verdicts of the sample run. */
function countOf(events: readonly RunEvent[], ...verdicts: readonly string[]): string {
  return String(events.filter((event) => event.type === 'verdict' && verdicts.includes(event.result.verdict)).length);
}

describe.skipIf(!hasXmllint)('junit.xml (skipped without xmllint of libxml2-utils)', () => {
  const events = sampleRun();
  const rule = firstFailing(events);
  const failing = `//testcase[@classname="${rule.id}"][contains(@name, "[1.23]")]`;
  beforeAll(() => play(events, junitReport(file, sampleRules, { failOn: 'should' })));

  test('is well-formed, whatever the daemon sent', () => {
    const { status, stderr } = spawnSync('/usr/bin/xmllint', ['--huge', '--noout', file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('has a case for each verdict, and counts them in every suite', async () => {
    expect(await xpath('count(//testcase)')).toBe(String(events.filter(({ type }) => type === 'verdict').length));
    expect(await xpath('sum(//testsuite/@tests)')).toBe(await xpath('count(//testcase)'));
    for (const [attribute, element] of [
      ['tests', 'testcase'],
      ['failures', 'testcase/failure'],
      ['errors', 'testcase/error'],
      ['skipped', 'testcase/skipped'],
    ]) {
      expect(await xpath(`count(//testsuite[@${attribute} != count(${element})])`)).toBe('0');
    }
    expect(await xpath('count(//testsuite[@name="containers 1.20"])')).toBe('1');
  });

  test('tells deviations, blocked checks and faults of the kit apart', async () => {
    expect(await xpath('count(//failure[@type="must-deviation" or @type="should-deviation"])')).toBe(
      countOf(events, 'fail'),
    );
    expect(await xpath('count(//failure[@type="blocked"][starts-with(@message, "blocked: ")])')).toBe(
      countOf(events, 'blocked'),
    );
    expect(await xpath('count(//error)')).toBe(countOf(events, 'error'));
    expect(await xpath('count(//skipped)')).toBe(countOf(events, 'skip', 'observed', 'untested', 'waived'));
    expect(await xpath('count(//testcase[not(failure or error or skipped)])')).toBe(countOf(events, 'pass'));
    expect(await xpath('count(//skipped[string-length(@message) = 0])')).toBe('0');
  });

  test('names the rule', async () => {
    const endpoint = rule.endpoint ? `${rule.endpoint.method} ${rule.endpoint.path} ` : '';
    expect(await xpath(`string(${failing}/@name)`)).toBe(`${endpoint}${rule.says} [1.23]`);
    expect(await xpath(`string(${failing}/../@name)`)).toBe(`${rule.area} 1.23`);
    expect(await xpath(`string(${failing}/..//property[@name="engine"]/@value)`)).toBe('Example Engine 20.10.24');
  });

  test('shows what to act on: sentence, source, expected and actual, curl, answer, bytes', async () => {
    const text = await xpath(`string(${failing}/failure)`);
    expect(text).toContain(rule.says);
    expect(text).toContain(`source: Document ${rule.source[0]}, ${rule.source[1]}`);
    expect(text).toContain('expected: status 304');
    expect(text).toContain('$ curl -i -X POST --unix-socket');
    expect(text).toMatch(/^< 101/m);
    expect(text).toMatch(/^00000000 {2}01 00 00 00 00 00 00 12/m);
  });

  test('shows control characters as escapes', async () => {
    const all = (await xpath('string(/)')) + (await xpath('//@message'));
    expect(all).toContain('\\x1b[2J');
    expect(all).toContain('\\u{202e}');
    expect(all).toContain('\\u{d800}');
    expect(all).toContain(']]>');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(all).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test.each([
    ['interrupted', 'failure'],
    ['lost', 'failure'],
    ['failed', 'error'],
  ] as const)('is not green when the run ended %s', async (end, element) => {
    const partial = join(workplace, `${end}.xml`);
    const run = sampleRun({ end, endReason: 'ECONNREFUSED', missing: 3, verdictOf: () => 'pass' });
    await play(run, junitReport(partial, sampleRules));
    expect(await xpath(`string(//testsuite[@name="run"]//${element}/@message)`, partial)).toBe(
      `${end}: ECONNREFUSED (3 verdicts missing)`,
    );
    expect(await xpath('sum(//testsuite/@failures) + sum(//testsuite/@errors)', partial)).toBe('1');
    expect(invalid(partial)).toBe('');
  });

  test('fails for what counts only: a deviation of level should is skipped unless --fail-on says otherwise', async () => {
    const lenient = join(workplace, 'lenient.xml');
    await play(events, junitReport(lenient, sampleRules));
    const notKept = (level: string) =>
      countOf(
        events.filter((event) => event.type === 'verdict' && event.result.level === level),
        ...['fail', 'blocked'],
      );
    expect(Number(notKept('should'))).toBeGreaterThan(0);
    expect(await xpath('count(//failure)', lenient)).toBe(notKept('must'));
    expect(await xpath('count(//skipped[starts-with(@message, "level should does not count here")])', lenient)).toBe(
      notKept('should'),
    );
    expect(await xpath('count(//testcase)', lenient)).toBe(await xpath('count(//testcase)'));
    expect(invalid(lenient)).toBe('');
  });

  test('is not green when nothing was decided', async () => {
    const undecided = join(workplace, 'undecided.xml');
    await play(sampleRun({ verdictOf: () => 'skip' }), junitReport(undecided, sampleRules));
    expect(await xpath('string(//testsuite[@name="run"]//failure/@message)', undecided)).toMatch(
      /^Inconclusive: no rule was decided; \d+ must rules were not judged for lack of /,
    );
    expect(invalid(undecided)).toBe('');
  });

  test('fails for each baseline entry that no longer holds', async () => {
    const stale = join(workplace, 'stale.xml');
    const problems = ['known.yaml:1: a.b is now kept in API 1.23: remove the entry', 'known.yaml:9: c.d <expired>'];
    const run = sampleRun({ verdictOf: () => 'pass' });
    await play(run, junitReport(stale, sampleRules, { stale: () => problems }));
    expect(await xpath('count(//failure)', stale)).toBe('2');
    expect(await xpath('string(//testsuite[@name="baseline"]/testcase[2]/failure/@message)', stale)).toBe(problems[1]);
    expect(await xpath('string(//testsuite[@name="baseline"]/@failures)', stale)).toBe('2');
    expect(invalid(stale)).toBe('');
  });

  test('names the cause of each case that deviates, in its text and as a property', async () => {
    const deviating = Number(countOf(events, 'fail', 'blocked'));
    expect(await xpath('count(//property[starts-with(@name, "cause of ")])')).toBe(String(deviating));
    const cause = await xpath(`string(${failing}/..//property[@name="cause of ${rule.id} [1.23]"]/@value)`);
    expect(cause).not.toBe('');
    expect(await xpath(`string(${failing}/failure)`)).toContain(`cause: ${cause} (`);
  });

  test('has names that survive a reader that takes what is before the last dot for a package', async () => {
    const classNames = (await xpath('//testcase/@classname')).matchAll(/classname="([^"]+)"/g);
    const ids = new Set(sampleRules.map(({ id }) => id));
    const unknown = [...classNames].map(([, name = '']) => name).filter((name) => !ids.has(name));
    expect(unknown).toEqual([]);
    const cases = (await xpath('//testcase/@name | //testcase/@classname')).split('\n');
    const pairs = cases.flatMap((_line, place) => (place % 2 === 0 ? [cases.slice(place, place + 2).join()] : []));
    expect(new Set(pairs).size).toBe(Number(await xpath('count(//testcase)')));
  });

  test('keeps the schema that its readers share', () => {
    expect(invalid(file)).toBe('');
    const other = join(workplace, 'other.xml');
    writeFileSync(other, readFileSync(file, 'utf8').replace('<skipped ', '<passed '));
    expect(invalid(other)).not.toBe('');
  });

  test('is read back by a parser of the format', async () => {
    const report = await parse(readFileSync(file, 'utf8'));
    const suites = report && 'testsuite' in report ? (report.testsuite ?? []) : [];
    const cases = suites.flatMap(({ testcase }) => testcase ?? []);
    const verdicts = events.filter(({ type }) => type === 'verdict');
    expect(cases).toHaveLength(verdicts.length);
    expect(cases.filter(({ failure }) => failure).length).toBe(Number(countOf(events, 'fail', 'blocked')));
    const one = cases.find(({ classname, name }) => classname === rule.id && name?.endsWith('[1.23]'));
    expect(one?.failure?.[0]).toMatchObject({
      type: `${rule.level}-deviation`,
      message: 'expected status 304, got 500',
    });
  });
});
