import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { marked } from 'marked';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { causesOf } from '../../reports/causes/causes.ts';
import { ruleAddress } from '../../reports/contract/addresses.ts';
import { coverageOf } from '../../reports/coverage.ts';
import { htmlReport } from '../../reports/html/report.ts';
import type { Rule } from '../../specs/rule.ts';
import { documentedVersions } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';
import { axeFindings } from './axe.ts';
import { hasBrowser, launchBrowser } from './browser.ts';
import { hostileTexts } from './hostile-texts.ts';
import { recordOfSample } from './sample-record.ts';
import { fewRules, manyRules } from './sample-rules.ts';
import { play, type SampleOptions, sampleRun, sampleTraffic } from './sample-run.ts';
import { desktop, fitsScreen, pageOn, screens } from './screens.ts';

const file = join(workplace, 'index.html');

/** What is known about every rule of the sample. */
function knowRule() {
  return {
    often: ['the state is not checked before the operation'],
    seen: [`podman-4.3 [1.23]: answers 500 (${hostileTexts[0]})`],
    clients: ['docker 20.10, API 1.23: docker stop (t)'],
    trips: [],
  };
}

async function write(name: string, rules: readonly Rule[], options: SampleOptions = {}): Promise<string> {
  const path = join(workplace, name);
  await play(sampleRun({ rules, ...options }), htmlReport(path, rules, { contract: 'contract', knowRule }));
  return path;
}

describe.skipIf(!hasBrowser)('index.html (skipped without Chromium)', () => {
  let browser: Browser;
  let page: Page;
  const troubles: string[] = [];

  beforeAll(async () => {
    await write('index.html', fewRules);
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  beforeEach(async () => {
    troubles.length = 0;
    page = await pageOn(browser, desktop, troubles);
  });
  afterEach(async () => {
    const pwned = await page.evaluate(() => Reflect.get(globalThis, '__pwned'));
    await page.context().close();
    expect({ troubles, pwned }).toEqual({ troubles: [], pwned: undefined });
  });

  async function open(hash = '', path = file): Promise<void> {
    await page.goto(`${pathToFileURL(path)}${hash}`);
    await page.locator('.rule').first().waitFor({ state: 'attached' });
  }

  const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
  const shown = () => page.locator('.rule:not([hidden])').count();
  const address = () => page.evaluate<string>('location.hash');

  /** A failing rule whose exchange has what place modulo 4 says: 0 an error, 1 a huge body, 2 a stream, 3 no answer. */
  function failing(sort: number): Rule {
    const failed = new Set(
      sampleRun({ rules: fewRules }).flatMap((event) =>
        event.type === 'verdict' && event.result.verdict === 'fail' ? event.result.rule : [],
      ),
    );
    const rule = fewRules.find(({ id, until }, place) => place % 4 === sort && failed.has(id) && !until);
    if (!rule) throw new Error('no rule of this sort fails in the sample run');
    return rule;
  }

  /** A rule of level must that fails in every version. */
  function failingInAll(): Rule {
    const failed = sampleRun({ rules: fewRules }).flatMap((event) =>
      event.type === 'verdict' && event.result.verdict === 'fail' ? event.result.rule : [],
    );
    const rule = fewRules.find(
      ({ id, level }) => level === 'must' && failed.filter((one) => one === id).length === documentedVersions.length,
    );
    if (!rule) throw new Error('no such rule fails in all versions of the sample run');
    return rule;
  }

  async function openRule(rule: Rule, path = file) {
    await open(`#${new URLSearchParams({ rule: rule.id, api: '1.23' })}`, path);
    await page.locator('.verdict:focus').waitFor();
    return page.locator('.rule[open] .verdict[data-api~="1.23"]');
  }

  test('says who was judged and how it came out, and begins with what needs attention', async () => {
    await open();
    expect(await page.locator('h1').textContent()).toBe('Example Engine 20.10.24');
    expect(await page.locator('.overall').textContent()).toMatch(/^The kit itself failed: 1 error; [\d,]+ deviations/);
    expect(await page.locator('.toggle[aria-pressed=true]').count()).toBe(4);
    expect(await shown()).toBeLessThan(fewRules.length / 4);
    expect(await page.locator('.matrix tbody tr').count()).toBeGreaterThan(1);
    const lacking = page.locator('details.notice');
    expect(await lacking.locator('summary').textContent()).toBe(
      'The target, or this run, lacks a freezer to pause containers',
    );
    await lacking.locator('summary').click();
    expect(await lacking.getByText('the host mounts no freezer cgroup').isVisible()).toBe(true);
  });

  test('filters by verdict, level, area, endpoint, version and text', async () => {
    await open();
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await shown()).toBe(fewRules.length);
    expect(await page.locator('#shown').textContent()).toBe(`All ${fewRules.length.toLocaleString('en')} rules`);

    await choice('Endpoint').selectOption('POST /containers/{id}/stop');
    const ofStop = fewRules.filter(({ endpoint }) => endpoint?.path === '/containers/{id}/stop');
    expect(await shown()).toBe(ofStop.length);
    await choice('Endpoint').selectOption('');
    await choice('Level').selectOption('should');
    expect(await shown()).toBe(fewRules.filter(({ level }) => level === 'should').length);
    await choice('Level').selectOption('');
    await choice('API version').selectOption('1.20');
    expect(await shown()).toBe(fewRules.filter(({ since }) => !since || since === '1.20').length);
    await choice('API version').selectOption('');
    await choice('Area').selectOption('system');
    expect(await shown()).toBe(fewRules.filter(({ area }) => area === 'system').length);
    await choice('Area').selectOption('');
    await page.locator('.toggle[data-kind=skip]').click();
    expect(await address()).toBe('#verdict=skip');
    expect(await shown()).toBeGreaterThan(5);
    await page.getByRole('searchbox').fill('freezer no-such-word');
    expect(await shown()).toBe(0);
    expect(await page.getByText('No rules match these filters.').isVisible()).toBe(true);
  });

  test('keeps the filters in the address', async () => {
    await open('#verdict=&area=containers&text=exit');
    const before = await shown();
    expect(before).toBeGreaterThan(0);
    expect(await page.getByRole('searchbox').inputValue()).toBe('exit');
    await page.reload();
    expect(await shown()).toBe(before);
  });

  test('a cell of the picture filters the list', async () => {
    await open();
    await page.getByRole('button', { name: /^containers, API 1\.21: [\d,]+ of [\d,]+ pass/ }).click();
    expect(await choice('Area').inputValue()).toBe('containers');
    expect(await choice('API version').inputValue()).toBe('1.21');
  });

  test('a permanent link opens the rule, also one that the filters hide', async () => {
    const passing = fewRules.find(({ level }, place) => place > 20 && level !== 'observe' && place % 4 === 2);
    if (!passing) throw new Error('no such rule');
    const part = await openRule(passing);
    expect(await part.isVisible()).toBe(true);
    expect(await part.getByRole('link', { name: / in API 1\.23$/ }).getAttribute('href')).toBe(await address());
  });

  test.each([0, 1, 2, 3])(
    'a permanent link leads to the beginning of a verdict, also of a tall one (%i)',
    async (sort) => {
      const part = await openRule(failing(sort));
      const top = async () => (await part.boundingBox())?.y ?? -1;
      await expect.poll(top).toBeGreaterThan(0);
      await expect.poll(top).toBeLessThan(desktop.viewport.height / 2);
      // The heading stays in view, between the filters and the verdict.
      const heading = await page.locator('.rule[open] > summary').boundingBox();
      const filters = await page.locator('.filters').boundingBox();
      expect(heading?.y).toBeGreaterThanOrEqual((filters?.y ?? 0) + (filters?.height ?? 0) - 1);
      expect((heading?.y ?? 0) + (heading?.height ?? 0)).toBeLessThanOrEqual(await top());
    },
  );

  test('shows sentence, source, expected and actual, exchange, and the bytes of a stream', async () => {
    const rule = failing(2);
    const part = await openRule(rule);
    const whole = await page.locator('.rule[open]').textContent();
    expect(whole).toContain(`Document ${rule.source[0]}, ${rule.source[1]}`);
    expect(await page.locator('.rule[open] .facts a').getAttribute('href')).toBe(`contract/${ruleAddress(rule)}`);
    expect(await part.locator('.expected pre').textContent()).toBe('status 304 and no body');
    expect(await part.locator('.curl pre').first().textContent()).toMatch(/^curl -i -X POST --unix-socket/);
    expect(await part.locator('pre.hex').nth(1).textContent()).toMatch(/^000000 {2}01 00 00 00 00 00 00 12 {2}68 65/);
    expect(await part.getByText('Also sent by this check').isVisible()).toBe(true);
  });

  test('shows JSON a member a line, or as it was sent', async () => {
    const part = await openRule(failing(2));
    const body = part.locator('.json pre').first();
    expect(await body.textContent()).toBe(
      [
        '{',
        '  "Cmd": [',
        ...['    "probe",', '    "exit",', '    "0"'],
        '  ],',
        '  "Labels": {',
        '    "engine-conformance.run": "4f1c"',
        ...['  }', '}'],
      ].join('\n'),
    );
    await part.getByRole('button', { name: 'As sent' }).first().click();
    expect(await body.textContent()).toBe('{"Cmd":["probe","exit","0"],"Labels":{"engine-conformance.run":"4f1c"}}');
  });

  test('cuts huge bodies, and says so', async () => {
    const part = await openRule(failing(1));
    expect(await part.getByText(/^Cut: 16,38\d of 1,073,741,824 bytes are shown\.$/).isVisible()).toBe(true);
  });

  test('says why there is no answer', async () => {
    const part = await openRule(failing(3));
    expect(await part.locator('.exchange .reason').textContent()).toContain('the connection was closed');
  });

  test.each([
    ['of its own', ''],
    ['without a clipboard, as over plain http', "Object.defineProperty(navigator, 'clipboard', { value: undefined })"],
  ])('copies the curl command in a browser %s', async (_, script) => {
    await page.addInitScript(script);
    const part = await openRule(failing(0));
    await part.getByRole('button', { name: 'Copy' }).first().click();
    await expect.poll(() => part.locator('.copy').first().textContent()).toBe('Copied');
    expect(await page.locator('#announcer').textContent()).toBe('The curl command was copied');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+V');
    const line = await part.locator('.curl pre').first().textContent();
    expect(await page.getByRole('searchbox').inputValue()).toBe(line);
    expect(line).toMatch(/^curl -i -X POST .*\/v1\.23\//);
  });

  test('copies a failure as an issue to paste', async () => {
    await page.addInitScript(`document.execCommand = () => (globalThis.copied = document.activeElement.value, true);
      Object.defineProperty(navigator, 'clipboard', { value: undefined });`);
    const rule = failing(0);
    const part = await openRule(rule);
    await part.getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect.poll(() => page.evaluate<string>('globalThis.copied')).toMatch(/^### Not kept: /);
    const issue = await page.evaluate<string>('globalThis.copied');
    for (const part of [
      `\`${rule.id}\` in API 1.23`,
      'Expected:',
      'status 304 and no body',
      'curl -i -X POST',
      'Judged by',
    ]) {
      expect(issue).toContain(part);
    }
  });

  test('tells what was observed, each matter with what was seen in which versions', async () => {
    await open();
    const seen = page.locator('#observations');
    const rule = fewRules.find(({ id }) => id === 'service.error-body');
    const matter = seen.locator('dl > div', { has: page.getByText('service.error-body', { exact: true }) });
    expect(await matter.locator('dt').textContent()).toContain(rule?.says);
    expect(await matter.locator('dd').count()).toBe(1);
    expect(await matter.locator('dd .links').textContent()).toBe('1.201.211.23');
    await matter.locator('.links a').last().click();
    await page.locator('.verdict:focus').waitFor();
    expect(await address()).toBe('#rule=service.error-body&api=1.23');
  });

  test('tells of a proxy what passed, and what its clients did otherwise than the contract says', async () => {
    expect(await page.locator('#traffic').count()).toBe(0);
    const [failed] = sampleRun({ rules: fewRules }).flatMap((event) => {
      return event.type === 'verdict' && event.result.verdict === 'fail' ? event.result : [];
    });
    const path = await write('proxy.html', fewRules, { traffic: sampleTraffic(failed?.evidence[0] ?? '') });
    await open('', path);
    const [clients, daemon] = await page.locator('header .overall').allTextContents();
    expect(clients).toMatch(/^Clients: 1 deviation from the contract; \d+ things that the documents do not name\.$/);
    expect(daemon).toMatch(/^Daemon: /);
    expect(await page.locator('main > section').first().getAttribute('id')).toBe('traffic');
    const seen = page.locator('#traffic');
    expect(await seen.textContent()).toContain('1,234 exchanges passed on 3 connections; 1,200 of them were judged.');
    expect(await seen.textContent()).toContain('Not judged: 34 (API version 1.41).');
    const [deviations, beyond] = await seen.locator('details.because').all();
    await deviations?.locator('li').waitFor();
    expect(await deviations?.locator('li').textContent()).toContain(
      'sends Image as something other than a string: 1 (2 requests)',
    );
    await deviations?.locator('details.exchange summary').click();
    expect(await deviations?.locator('.curl pre').textContent()).toMatch(/^curl /);
    await beyond?.locator('summary').first().click();
    // It is filled a moment after it was opened.
    await expect.poll(() => beyond?.locator('li').count()).toBe(hostileTexts.length);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('begins with the causes, each with its rules, an exchange, and an issue to paste', async () => {
    await open();
    const causes = await causesOf(await recordOfSample({ rules: fewRules }), fewRules);
    const rows = page.locator('.causes > li');
    expect(await page.locator('#causes-title').textContent()).toBe(`To do ${causes.length} causes`);
    expect(await page.locator('.causes > li:not([hidden])').count()).toBe(8);
    expect(await page.locator('.standing').textContent()).toMatch(/^Keeps [\d,]+ of [\d,]+ judged rules \(/);
    await page.getByRole('button', { name: `${causes.length - 8} more causes` }).click();
    expect(await page.locator('.causes > li:not([hidden])').count()).toBe(causes.length);
    const [first] = causes;
    await rows.first().locator('summary').first().click();
    await rows.first().locator('.explained').waitFor();
    expect(await rows.first().locator('.explained > li').count()).toBe(first?.rules.length);
    expect(await rows.first().locator('details.exchange').count()).toBe(1);
    await page.evaluate(`document.execCommand = () => (globalThis.copied = document.activeElement.value, true);
      Object.defineProperty(navigator, 'clipboard', { value: undefined });`);
    await rows.first().getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect.poll(() => page.evaluate<string>('globalThis.copied')).toMatch(/^### /);
    const issue = await page.evaluate<string>('globalThis.copied');
    expect(issue).toContain('Seen on Example Engine 20.10.24 (linux amd64) in API ');
    for (const { rule } of first?.rules ?? []) expect(issue).toContain(`\`${rule}\``);
    expect(issue).toContain('- Platform: linux amd64 6.1.0-18-amd64\n- Judged by: engine-conformance 0.1.0\n');
    const markup = marked.lexer(issue).map(({ type }) => type);
    expect(markup.filter((type) => !['heading', 'paragraph', 'list', 'code', 'html', 'space'].includes(type))).toEqual(
      [],
    );
  });

  test('goes to a cause by its address, also to one that is not shown at first', async () => {
    await open('#cause=20');
    await page.locator('.causes summary:focus').waitFor();
    expect(await page.locator('#cause-20 > details').getAttribute('open')).not.toBeNull();
  });

  test('has each endpoint with how it came out, and leads from there to its causes', async () => {
    await open();
    await page.locator('.coverage > summary').click();
    const rows = page.locator('.coverage tbody tr');
    await rows.first().waitFor();
    const coverage = coverageOf(
      (await recordOfSample({ rules: fewRules })).results,
      await causesOf(await recordOfSample({ rules: fewRules }), fewRules),
    );
    expect(await rows.count()).toBe(coverage.length);
    const labels = await page.locator('.coverage tbody .pill').allTextContents();
    expect(labels.map((label) => label.replace('not ', 'not-'))).toEqual(
      coverage.map(({ state, knownAs }) => (knownAs ? `${state}: ${knownAs}` : state)),
    );
    const link = page.locator('.coverage tbody > tr > .reasons-of a').first();
    const address = await link.getAttribute('href');
    await link.evaluate((node: { click(): void }) => node.click());
    await expect.poll(() => page.evaluate<string>('location.hash')).toBe(address);
  });

  test('tells how long the endpoints took', async () => {
    await open();
    await page.locator('#latency-of-endpoints summary').click();
    const rows = page.locator('.latency tbody tr');
    await rows.first().waitFor();
    expect(await rows.locator('th code').allTextContents()).toEqual(['POST /containers/{id}/stop']);
    expect((await rows.locator('td').allTextContents()).slice(1)).toEqual(['12.5', '12.5', '12.5']);
  });

  test('gathers what was not decided by reason, with links to the rules', async () => {
    await open();
    const skipped = page.locator('.reasons', { hasText: 'Skipped' });
    await skipped.locator('summary', { hasText: 'no registry can be reached' }).click();
    await skipped.locator('.links a').first().click();
    await page.locator('.verdict:focus').waitFor();
    expect(await address()).toMatch(/^#rule=.+&api=/);
    for (const title of ['Observations', 'Blocked', 'Known, to be fixed', 'Known', 'Untested']) {
      expect(await page.getByRole('heading', { name: new RegExp(`^${title} [\\d,]+$`) }).count()).toBe(1);
    }
  });

  test.each([
    ['rule=containers.no-such&api=1.23', 'rule containers.no-such'],
    [`rule=${fewRules[0]?.id}&api=9.99`, `${fewRules[0]?.id} in API 9.99`],
    ['cause=9999', 'cause 9999'],
    ['verdict=&area=nowhere', 'area nowhere'],
  ])('says that it does not have what the link %s is to', async (link, what) => {
    await open(`#${link}`);
    const notice = page.locator('#unknown');
    expect(await notice.textContent()).toBe(`The link is to something that this report does not have: ${what}.`);
    expect(await notice.isVisible()).toBe(true);
    await page.evaluate("location.hash = '#verdict='");
    await expect.poll(() => notice.textContent()).toBe('');
  });

  test('finds a rule that the verdict filter hides, and shows it', async () => {
    const rule = fewRules.find(({ level }, place) => level === 'must' && place % 29 === 3);
    if (!rule) throw new Error('no such rule');
    await open();
    await page.getByRole('searchbox').fill(rule.id);
    const elsewhere = page.getByRole('button', { name: /^1 among pass(?:, 1 among \w+)*: show$/ });
    const before = await shown();
    await elsewhere.click();
    expect(await shown()).toBeGreaterThan(before);
    expect(await page.locator('.rule:not([hidden]) .id', { hasText: rule.id }).first().isVisible()).toBe(true);
    expect(await elsewhere.isVisible()).toBe(false);
  });

  test('is walked through with single keys', async () => {
    await open();
    const focused = () => page.evaluate<string>('document.activeElement.closest("li, .rule")?.id ?? ""');
    await page.keyboard.press('j');
    expect(await focused()).toBe('cause-1');
    await page.keyboard.press('j');
    expect(await focused()).toBe('cause-2');
    await page.keyboard.press('o');
    await page.locator('#cause-2 details[open] .body').waitFor();
    await page.keyboard.press('k');
    expect(await focused()).toBe('cause-1');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    expect(await help.isVisible()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('?');
    expect(await help.isVisible()).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('jo?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jo?');
    expect(await help.isVisible()).toBe(false);
  });

  test('opens and closes all rules shown', async () => {
    await open('#verdict=&area=volumes');
    const all = page.getByRole('button', { name: 'Expand or collapse all' });
    await all.click();
    expect(await page.locator('.rule[open]').count()).toBe(await shown());
    await all.click();
    expect(await page.locator('.rule[open]').count()).toBe(0);
  });

  test('shows versions with the same failure once', async () => {
    const rule = failingInAll();
    await open(`#${new URLSearchParams({ rule: rule.id, api: '1.20' })}`);
    await page.locator('.verdict:focus').waitFor();
    const failures = page.locator('.rule[open] .verdict[data-kind=fail]');
    expect(await failures.count()).toBe(1);
    expect(await failures.locator('.permalink').allTextContents()).toEqual(['1.20', '1.21', '1.23']);
    await failures.getByText('The same in API 1.20').click();
    await failures.locator('.preparation[open] .exchange').first().waitFor();
    await page.evaluate(`document.execCommand = () => (globalThis.copied = document.activeElement.value, true);
      Object.defineProperty(navigator, 'clipboard', { value: undefined });`);
    await failures.getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect.poll(() => page.evaluate<string>('globalThis.copied')).toContain('in API 1.20, 1.21, 1.23, by');
  });

  test('shows what is known about an open rule, and the commands that judge it again and show a right answer', async () => {
    const rule = failingInAll();
    await openRule(rule);
    const known = page.locator('.rule[open] .known');
    for (const [term, text] of [
      ['Often because', 'the state is not checked before the operation'],
      ['Seen on', 'podman-4.3 [1.23]: answers 500'],
      ['Clients', 'docker 20.10, API 1.23: docker stop (t)'],
    ] as const) {
      const fact = known.locator('dl > div').filter({ has: page.locator('dt', { hasText: term }) });
      expect(await fact.locator('dd').textContent()).toContain(text);
    }
    const command = known.getByLabel('command that judges it again');
    expect(await command.textContent()).toBe(
      `engine-conformance run --target unix:///run/engine.sock --api 1.20,1.21,1.23 --only ${rule.id}`,
    );
    const example = known.getByLabel('command that shows a right answer');
    expect(await example.textContent()).toBe(`engine-conformance explain ${rule.id}`);
  });

  test('shows what a daemon sent as text, with every rule open', async () => {
    await open('#verdict=');
    await openEverything();
    const text = await page.locator('main').textContent();
    for (const hostile of hostileTexts.slice(0, 6)) expect(text).toContain(hostile);
    expect(text).toContain('\\x1b[2J');
    expect(text).toContain('\\u{202e}');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(await page.locator('main :is(script, img, svg, iframe, object, style)').count()).toBe(0);
  }, 60_000);

  test('is read by a keyboard alone', async () => {
    await open();
    const summary = page.locator('.rule:not([hidden]) > summary').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.locator('.rule[open] .body').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Copy');
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.getAttribute("href")')).toMatch(/^contract\//);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('permalink');
  });

  test.each(screens)(
    'axe finds nothing on a $name, $colorScheme',
    async (screen) => {
      await page.context().close();
      page = await pageOn(browser, screen, troubles);
      await openRule(failing(2));
      await page.locator('.because > summary').first().click();
      await page.locator('#latency-of-endpoints summary').click();
      expect(await fitsScreen(page)).toBe(true);
      expect(await axeFindings(page)).toEqual([]);
    },
    60_000,
  );

  test('opens with 1,000 rules in 3 versions, and is no larger than a mail may be', async () => {
    const many = await write('many.html', manyRules(1000));
    await open('#verdict=', many);
    expect(await shown()).toBe(1000);
    expect(statSync(many).size).toBeLessThan(8 * 1024 * 1024);
  }, 60_000);

  test('of a run without problems shows every rule', async () => {
    const green = await write('green.html', fewRules, { verdictOf: () => 'pass' });
    await open('', green);
    expect(await shown()).toBe(fewRules.length);
    expect(await page.locator('.overall').getAttribute('data-overall')).toBe('conforms');
    const part = await openRule(failing(1), green);
    await part.getByText('Evidence: 1 exchange').click();
    await part.locator('.exchange > summary').click();
    expect(await part.locator('.curl pre').textContent()).toMatch(/^curl -i -X POST --unix-socket/);
    expect(await part.getByText(/^Cut: 1,0\d\d of 1,073,741,824 bytes/).isVisible()).toBe(true);
  });

  test('names an engine without a product as the terminal does', async () => {
    await open('', await write('unnamed.html', fewRules, { product: '' }));
    expect(await page.locator('h1').textContent()).toBe('Unnamed engine 20.10.24');
  });

  test('of a lost target says so, and what was left on it', async () => {
    const end = { end: 'lost', endReason: 'ECONNREFUSED', missing: 30, left: ['container ec-4f1c-9'] } as const;
    await open('', await write('lost.html', fewRules, end));
    expect(await page.getByText('Could not be removed from the target: container ec-4f1c-9').isVisible()).toBe(true);
    expect(await page.locator('.overall').textContent()).toContain('ECONNREFUSED; 30 verdicts missing');
  });

  /** Opens every rule, and in it every exchange; what is inside is made when its turn comes. */
  async function openEverything(): Promise<void> {
    for (let depth = 0; depth < 3; depth++) {
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      const filled = "[...document.querySelectorAll('details[open]')].every((one) => one.children.length > 1)";
      await expect.poll(() => page.evaluate<boolean>(filled), { timeout: 20_000 }).toBe(true);
    }
  }
});
