import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { engineConformance } from '../cli/command.ts';
import { pairsBelow, validReport } from '../cli/report.ts';
import { writtenBelow } from '../cli/written.ts';
import { asMember, family, member, type Relative } from './servers/family.ts';

const page = readFileSync(new URL('../../docs/token-server.md', import.meta.url), 'utf8');
const names = Object.keys(family);
const judged = new Map<string, readonly Result[]>();
const started: Relative[] = [];
/** What each run wrote: terminal and reports. */
const written = new Map<string, readonly string[]>();

async function judge(name: string, report: string): Promise<readonly Result[]> {
  const server = await family[name]?.();
  if (!server) throw new Error(`there is no ${name}`);
  started.push(server);
  const { stdout, stderr } = await engineConformance([
    ...['run', ...server.named, ...asMember, '--report', report],
    ...['--seed', '7', '--all-exchanges'],
  ]);
  written.set(name, [stdout, stderr, ...writtenBelow(report).values()]);
  return validReport(report).results;
}

/** The password and what basic authentication makes of it, as they may be written. */
const secrets = [member.password, `${member.name}:${member.password}`].flatMap((text) => [
  ...[text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), Buffer.from(text).toString('base64')],
  ...[new URLSearchParams({ a: text }).toString().slice(2), Buffer.from(text).toString('hex')],
]);

beforeAll(async () => {
  for (const name of names) judged.set(name, await judge(name, `table-${name.replaceAll(/\W/g, '-')}`));
}, 300_000);

afterAll(async () => {
  await Promise.all(started.map((server) => server.close()));
});

const words = ({ verdict, level }: Result) => (verdict === 'fail' && level === 'should' ? 'fail (should)' : verdict);

/** The verdicts of a rule, which are the same in all versions. */
function verdictOf(name: string, rule: string): string {
  const verdicts = new Set((judged.get(name) ?? []).filter((one) => one.rule === rule).map(words));
  return [...verdicts].join(' or ');
}

function table(): string {
  const rules = [...new Set((judged.get('reference') ?? []).map(({ rule }) => rule))].toSorted();
  const checked = rules.filter((rule) => verdictOf('reference', rule) !== 'untested');
  const rows = checked.map((rule) => [`\`${rule}\``, ...names.map((name) => verdictOf(name, rule))]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(['rule', ...names]), line(['rule', ...names].map(() => '---')), ...rows.map(line)].join('\n');
}

test('docs/token-server.md has the verdict of every rule on every server', () => {
  expect(page).toContain(table());
});

describe.each(names)('%s', (name) => {
  test('every rule has a verdict, in every version the same', () => {
    const results = judged.get(name) ?? [];
    const pairs = results.map(({ rule, api }) => `${rule} ${api}`).toSorted();
    expect(pairs).toEqual(pairsBelow('token.', 'generated.inputs.token-forms'));
    expect(results.map(({ rule }) => verdictOf(name, rule)).filter((verdict) => verdict.includes(' or '))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });

  test('neither the password nor a token is in the terminal or a report', () => {
    const texts = written.get(name) ?? [];
    expect(texts.length).toBeGreaterThan(6);
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
    // Every access token is a JWT here; that the exchanges are there shows by what stands in their place.
    expect(texts.flatMap((text) => text.match(/eyJ[\w-]{10,}/g) ?? [])).toEqual([]);
    const exchanges = texts.flatMap(
      (text) => text.match(/grant_type=(?:password|refresh_token)&[^"]*\[redacted\]/g) ?? [],
    );
    expect(exchanges.length).toBeGreaterThan(20);
  });

  test('each rule, and the property, is judged once for all versions', () => {
    const byRule = new Map<string, Set<string>>();
    for (const { rule, evidence, reason } of judged.get(name) ?? []) {
      byRule.set(rule, (byRule.get(rule) ?? new Set()).add(JSON.stringify([evidence, reason])));
    }
    expect([...byRule].filter(([, once]) => once.size > 1)).toEqual([]);
  });
});
