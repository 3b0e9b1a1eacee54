import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { badge } from '../../reports/badge.ts';
import { workplace } from '../workplace.ts';
import { hasBrowser, launchBrowser } from './browser.ts';
import { recordOfSample } from './sample-record.ts';
import type { SampleOptions } from './sample-run.ts';

const runs: readonly (readonly [says: RegExp, options: SampleOptions])[] = [
  [/^engine conformance: [\d,]+ passed$/, { verdictOf: () => 'pass' }],
  [/^engine conformance: [\d,]+ passed, \d+ known$/, { verdictOf: (_, place) => (place % 9 ? 'pass' : 'waived') }],
  [/^engine conformance: [\d,]+ deviations$/, { verdictOf: () => 'fail' }],
  [/^engine conformance: \d+ loose deviations$/, { verdictOf: ({ level }) => (level === 'should' ? 'fail' : 'pass') }],
  [/^engine conformance: \d+ blocked$/, { verdictOf: (_, place) => (place % 9 ? 'pass' : 'blocked') }],
  [/^engine conformance: inconclusive$/, { verdictOf: () => 'skip' }],
  [/^engine conformance: incomplete$/, { end: 'lost', missing: 1, verdictOf: () => 'pass' }],
  [/^engine conformance: failed$/, {}],
];

describe('badge.svg', () => {
  test.skipIf(!existsSync('/usr/bin/xmllint')).each(runs)('is an image that says %s', async (says, options) => {
    const file = join(workplace, 'badge.svg');
    writeFileSync(file, badge(await recordOfSample(options)));
    const title = "string(/*[local-name()='svg']/*[local-name()='title'])";
    expect(execFileSync('/usr/bin/xmllint', ['--xpath', title, file], { encoding: 'utf8' }).trim()).toMatch(says);
  });

  describe.skipIf(!hasBrowser)('in Chromium (skipped without it)', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser?.close());

    test('every text lies in its own half', async () => {
      const page = await browser.newPage();
      for (const [, options] of runs) {
        const file = join(workplace, 'drawn.svg');
        writeFileSync(file, badge(await recordOfSample(options)));
        await page.goto(String(pathToFileURL(file)));
        const overlaps = await page.evaluate<unknown[]>(`
          [...document.querySelectorAll('text')].map((text, place) => {
            const half = document.querySelectorAll('g rect')[place].getBBox();
            const own = text.getBBox();
            return own.x >= half.x + 4 && own.x + own.width <= half.x + half.width - 4 && own.height <= 20;
          })`);
        expect(overlaps).toEqual([true, true]);
      }
    });
  });
});
