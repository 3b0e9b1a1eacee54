import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { causesOf } from '../../reports/causes/causes.ts';
import { ruleAddress } from '../../reports/contract/addresses.ts';
import { markdownSummary } from '../../reports/markdown.ts';
import { codeSpan, plainText, table } from '../../reports/markdown-text.ts';
import { summarize } from '../../reports/summary.ts';
import { hostileTexts } from './hostile-texts.ts';
import { recordOfSample } from './sample-record.ts';
import { sampleRules } from './sample-rules.ts';
import { type SampleOptions, sampleTraffic } from './sample-run.ts';

/** Every token of a page, as an independent parser reads it. */
function tokensOf(markdown: string): Token[] {
  const all: Token[] = [];
  void marked.walkTokens(marked.lexer(markdown, { gfm: true }), (token) => {
    all.push(token);
  });
  return all;
}

async function summary(options: SampleOptions = {}): Promise<{ text: string; tokens: Token[] }> {
  const text = await markdownSummary(await recordOfSample(options), sampleRules);
  return { text, tokens: tokensOf(text) };
}

describe('summary.md', () => {
  test('says who was judged and how it came out', async () => {
    const { tokens, text } = await summary();
    const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
    expect(headings.map((heading) => `${heading.depth} ${heading.text}`)).toEqual([
      '1 Example Engine 20.10.24: conformance',
      '2 Causes',
      '2 Verdicts',
      '2 Deviations',
      '2 Errors of the kit itself',
      '2 Blocked',
      '2 Deviations where the documents are loose',
      '2 Known, to be fixed',
      '2 Known and intended',
      '2 Known, due to the platform',
      '2 Known',
    ]);
    expect(text).toMatch(/^\*\*The kit itself failed: 1 error; /m);
    expect(text).toMatch(/^Keeps [\d,]+ of [\d,]+ judged rules \(\d\d\.\d %\); [\d,]+ deviate, /m);
  });

  test('begins with the causes, each once with its rules and versions', async () => {
    const causes = await causesOf(await recordOfSample(), sampleRules);
    const { tokens, text } = await summary();
    const ordered = tokens.find((token): token is Tokens.List => token.type === 'list' && token.ordered);
    expect(ordered?.items).toHaveLength(25);
    expect(text).toContain(`${causes.length - 25} more causes are in the report`);
    expect(ordered?.items[0]?.raw).toMatch(/\d+ rules? in 1\./);
  });

  test('says of a proxy what passed and what its clients did, whatever they sent', async () => {
    const { tokens, text } = await summary({ traffic: sampleTraffic('x1') });
    expect(text).toContain('1,234 exchanges passed on 3 connections; 1,200 of them were judged.');
    expect(text).toContain('sends Image as something other than a string: 1 (2 times, first in exchange x1)');
    expect(text.indexOf('Clients: 1 deviation')).toBeLessThan(text.indexOf('Keeps '));
    const markup = tokens.filter(({ type, raw }) => ['html', 'link', 'image'].includes(type) && raw !== '<br>');
    expect(markup).toEqual([]);
  });

  test('counts the verdicts of every area and version', async () => {
    const { counts, areas } = summarize((await recordOfSample()).results);
    const { tokens } = await summary();
    const [verdicts] = tokens.filter((token): token is Tokens.Table => token.type === 'table');
    const rows = verdicts?.rows.map((row) => row.map(({ text }) => text)) ?? [];
    expect(verdicts?.header.map(({ text }) => text).slice(0, 3)).toEqual(['area', 'API', 'pass']);
    expect(rows).toHaveLength(Object.values(areas).flatMap((versions) => Object.keys(versions)).length + 1);
    expect(rows.at(-1)?.[2]).toBe(counts.pass.toLocaleString('en'));
    expect(rows.find(([area, api]) => area === 'containers' && api === '1.21')?.[3]).toBe(
      String((areas.containers?.['1.21']?.fail ?? 0) - (areas.containers?.['1.21']?.shouldFail ?? 0)),
    );
  });

  test('tells each deviation once, with its versions, and not too many', async () => {
    const { tokens, text } = await summary();
    const items = tokens.filter(({ type }) => type === 'list_item').map(({ raw }) => raw);
    const deviations = items.filter((raw) => raw.includes('expected: `status 304'));
    expect(deviations.length).toBeGreaterThan(25);
    expect(deviations.length).toBeLessThanOrEqual(50);
    expect(new Set(deviations).size).toBe(deviations.length);
    expect(text).toMatch(/^- \d+ more are in the report$/m);
    expect(Buffer.byteLength(text)).toBeLessThan(256 * 1024);
  });

  test('holds nothing that a daemon sent as markup', async () => {
    const { tokens } = await summary();
    const html = tokens.filter(({ type }) => type === 'html').map(({ raw }) => raw);
    expect(html.filter((raw) => raw !== '<br>')).toEqual([]);
    expect(tokens.filter(({ type }) => ['link', 'image', 'del'].includes(type))).toEqual([]);
  });

  test('leads to the rules in the contract, where it lies beside them', async () => {
    const record = await recordOfSample({ verdictOf: (_, place) => (place === 0 ? 'fail' : 'pass') });
    const [rule] = sampleRules;
    const address = rule && ruleAddress(rule);
    expect(await markdownSummary(record, sampleRules, { contract: 'contract' })).toContain(`](contract/${address})`);
    expect(await markdownSummary(record, sampleRules)).not.toContain('](contract/');
  });

  test('of a run that was lost says so', async () => {
    const { text } = await summary({ end: 'lost', endReason: 'ECONNREFUSED', missing: 3, verdictOf: () => 'pass' });
    expect(text).toMatch(/^\*\*The target was lost: ECONNREFUSED; 3 verdicts missing\.\*\*$/m);
  });
});

test.each([...hostileTexts, '`', '``a` b', ' a ', '| a |', '[a](http://b)', '@somebody www.example.com **b**'])(
  'text from outside stays text: %j',
  (hostile) => {
    const [paragraph] = marked.lexer(`x ${codeSpan(hostile)} y`);
    expect((paragraph as Tokens.Paragraph).tokens.map(({ type }) => type)).toEqual(['text', 'codespan', 'text']);
    const plain = tokensOf(`x ${plainText(hostile)}`).map(({ type }) => type);
    expect(plain.filter((type) => !['paragraph', 'text', 'escape', 'space'].includes(type))).toEqual([]);
    const [cells] = marked.lexer(table(['a', 'b'], [[codeSpan(hostile), plainText(hostile)]]));
    expect((cells as Tokens.Table).rows[0]).toHaveLength(2);
    expect((cells as Tokens.Table).rows).toHaveLength(1);
  },
);
