import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../harness/baseline/fingerprint.ts';
import type { RunEvent } from '../../harness/events.ts';
import { compareReports } from '../../reports/compare/compare.ts';
import { type GivenReport, writeComparison, writeSite } from '../../reports/compare/site.ts';
import { jsonReport } from '../../reports/json.ts';
import { readReport } from '../../reports/stored/read.ts';
import { allRules } from '../../specs/catalogue.ts';
import { workplace } from '../workplace.ts';
import { axeFindings } from './axe.ts';
import { hasBrowser, launchBrowser } from './browser.ts';
import { hostileTexts } from './hostile-texts.ts';
import { play, type SampleOptions, sampleRun } from './sample-run.ts';
import { desktop, fitsScreen, pageOn, screens } from './screens.ts';
import { someRules } from './stored-sample.ts';

const site = join(workplace, 'site');

/** The report of a sample run by another engine, or at another time. */
async function given(name: string, target: object, startedAt: string, options: SampleOptions): Promise<GivenReport> {
  const file = join(workplace, `${name}.json`);
  const events = sampleRun({ rules: someRules, ...options }).map((event): RunEvent => {
    return event.type === 'run-started' ? { ...event, startedAt, target: { ...event.target, ...target } } : event;
  });
  await play(events, jsonReport(file));
  return { file, report: await readReport(file) };
}

describe.skipIf(!hasBrowser)('a site of compared reports (skipped without Chromium)', () => {
  let browser: Browser;
  let page: Page;
  const troubles: string[] = [];

  beforeAll(async () => {
    const first = await given('first', {}, '2026-03-14T09:26:53.589Z', {});
    const verdictOf: SampleOptions['verdictOf'] = (_, place) => (place % 50 === 3 ? 'fail' : 'pass');
    const second = await given('second', { version: '20.10.25' }, '2026-05-01T12:00:00.000Z', { verdictOf });
    const product = hostileTexts[4] ?? '';
    const other = await given('other', { product }, '2026-03-14T10:00:00.000Z', { verdictOf: () => 'pass' });
    const reports = [first, second, other];
    const comparing = { failOn: 'must', fingerprintOf, rules: allRules } as const;
    const tool = { name: 'engine-conformance', version: '0.1.0' };
    const comparison = compareReports(
      reports.map(({ report }) => report),
      { ...comparing, tool },
    );
    await writeSite(site, comparison, reports, comparing);
    await writeComparison(join(workplace, 'alone'), comparison);
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  beforeEach(() => {
    troubles.length = 0;
  });
  afterEach(async () => {
    const pwned = await page.evaluate(() => Reflect.get(globalThis, '__pwned'));
    await page.context().close();
    expect({ troubles, pwned }).toEqual({ troubles: [], pwned: undefined });
  });

  async function open(file: string, screen = desktop): Promise<void> {
    page = await pageOn(browser, screen, troubles);
    await page.goto(String(pathToFileURL(file)));
  }

  const rows = () => page.locator('.rulebook tbody tr').count();

  test('has a page, data, a summary and a badge of each report', () => {
    const names = readdirSync(join(site, 'reports'));
    expect(names.toSorted()).toEqual([
      'example-engine-20.10.24',
      'example-engine-20.10.25',
      'img-src-x-onerror-window.-pwned-3-20.10.24',
    ]);
    for (const name of names) {
      expect(readdirSync(join(site, 'reports', name)).toSorted()).toEqual([
        ...['badge.svg', 'index.html', 'report.json.gz', 'summary.md'],
      ]);
    }
    return open(join(site, 'index.html'));
  });

  test('has its data compressed, and can be compared again', async () => {
    const file = join(site, 'reports', 'example-engine-20.10.25', 'report.json.gz');
    expect((await readReport(file)).target.version).toBe('20.10.25');
    const [plain, compressed] = [join(workplace, 'second.json'), file].map((one) => statSync(one).size);
    expect(compressed).toBeLessThan((plain ?? 0) / 3);
    const data = gunzipSync(readFileSync(join(site, 'comparison.json.gz'))).toString();
    expect(JSON.parse(data)).toMatchObject({ format: 1 });
    await open(join(site, 'index.html'));
  });

  test('draws each engine over its releases, with what broke and what was mended', async () => {
    await open(join(site, 'index.html'));
    await page.getByRole('link', { name: 'engines over their releases' }).click();
    expect(await page.getByRole('img', { name: /20\.10\.24 [\d.]+ %, 20\.10\.25 [\d.]+ %$/ }).count()).toBe(1);
    expect(await page.locator('tbody tr').count()).toBe(2);
    const [, broke, mended] = await page.locator('tbody tr').first().locator('td').all();
    const [inWords] = await page.locator('.trend .mended').allTextContents();
    expect(`✓ ${await mended?.locator('li').count()} fixed`).toBe(inWords);
    expect(await broke?.locator('li').count()).toBeGreaterThan(0);
    await broke?.locator('summary').click();
    await broke?.locator('a').first().click();
    await page.locator('.rule[open]').waitFor();
  });

  test('shows the badge of each report, as it is in its file, and the way back from its page', async () => {
    await open(join(site, 'index.html'));
    const badges = page.locator('#overview thead a.badge');
    expect(await badges.count()).toBe(3);
    const href = (await badges.first().getAttribute('href')) ?? '';
    const picture = await badges.first().locator('img').getAttribute('src');
    const [, svg = ''] = /^data:image\/svg\+xml,(.*)$/.exec(picture ?? '') ?? [];
    expect(decodeURIComponent(svg)).toBe(readFileSync(join(site, href), 'utf8'));
    const drawn = "[...document.querySelectorAll('.badge img')].every((one) => one.naturalWidth > 100)";
    expect(await page.evaluate<boolean>(drawn)).toBe(true);
    await page.locator('#overview thead .engine a').first().click();
    await page.getByRole('link', { name: 'compare with others' }).click();
    expect(page.url()).toBe(String(pathToFileURL(join(site, 'index.html'))));
  });

  test('shows the areas, the history of an engine, what changed, and the rules that differ', async () => {
    await open(join(site, 'index.html'));
    expect(await page.locator('.overall').textContent()).toMatch(/^\d+ regressions: \d+ newly failing, .*fixed\.$/);
    expect(await page.locator('#overview thead th').count()).toBe(4);
    expect(await page.locator('#history tbody tr').count()).toBe(2);
    expect(await page.locator('#changes h2').count()).toBe(1);
    expect(await page.locator('#changes .change .level').first().textContent()).toBe('regression');
    expect(await page.locator('.standings > li .percent').allTextContents()).toHaveLength(3);
    const differing = await rows();
    await page.getByRole('combobox', { name: 'Rules' }).selectOption('all');
    expect(await rows()).toBe(someRules.length);
    expect(differing).toBeLessThan(someRules.length);
    await page.getByRole('searchbox').fill('no-such-word');
    expect(await rows()).toBe(0);
    await page.locator('#splits summary').first().click();
    const told = await page.locator('#splits summary .why').first().textContent();
    expect(told).toMatch(/^Fails in .+, passes in .+/);
    await page.getByRole('button', { name: 'Show the rules' }).first().click();
    const split = await rows();
    expect(split).toBeGreaterThan(0);
    expect(split).toBeLessThanOrEqual(differing);
    expect(told).toContain(await page.getByLabel('Fails in').locator('option:checked').textContent());
  });

  test('a cell of the picture filters the rules, and the address keeps the filters', async () => {
    await open(join(site, 'index.html'));
    await page.getByRole('button', { name: /^containers, Example Engine 20\.10\.25: / }).click();
    const ofContainers = someRules.filter(({ area }) => area === 'containers').length;
    expect(await rows()).toBe(ofContainers);
    await page.reload();
    expect(await rows()).toBe(ofContainers);
  });

  test('a changed rule leads to its row, and its verdict to the page of the report', async () => {
    await open(join(site, 'index.html'));
    const link = page.locator('#changes .change a').first();
    const rule = await link.textContent();
    await link.click();
    await page.locator('.rulebook tr:focus').waitFor();
    expect(await page.locator('.rulebook tr:focus .id').textContent()).toBe(rule);
    await page.locator('.rulebook tr:focus a.pill[data-kind=fail]').first().click();
    await page.locator('.verdict:focus').waitFor();
    expect(page.url()).toContain('/reports/example-engine-20.10.25/index.html#rule=');
    expect(await page.locator('.rule[open] > summary .id').textContent()).toBe(rule);
  });

  test('the comparison alone has no links to pages that are not there', async () => {
    await open(join(workplace, 'alone', 'comparison.html'));
    expect(await page.locator('a[href]:not([href^="#"])').count()).toBe(0);
    expect(await rows()).toBeGreaterThan(0);
  });

  test.each(screens)(
    'axe finds nothing on a $name, $colorScheme',
    async (screen) => {
      for (const name of ['index.html', 'trends.html']) {
        await page?.context().close();
        await open(join(site, name), screen);
        expect(await fitsScreen(page)).toBe(true);
        expect(await axeFindings(page)).toEqual([]);
      }
    },
    60_000,
  );
});
