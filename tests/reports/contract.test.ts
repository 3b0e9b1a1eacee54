import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Slugger from 'github-slugger';
import { beforeAll, expect, test } from 'vitest';
import { ruleAddress } from '../../reports/contract/addresses.ts';
import { writeContract } from '../../reports/contract/pages.ts';
import { publicDescriptions } from '../../reports/contract/public-descriptions.ts';
import { allEndpoints, allRules } from '../../specs/catalogue.ts';
import { workplace } from '../workplace.ts';
import { axeFindings } from './axe.ts';
import { hasBrowser, launchBrowser } from './browser.ts';
import { fitsScreen, pageOn, screens } from './screens.ts';

const pages = new Map<string, string>();

beforeAll(async () => {
  await writeContract(workplace);
  for (const name of readdirSync(workplace)) pages.set(name, readFileSync(join(workplace, name), 'utf8'));
});

test('every endpoint has a page, and every rule its place on one', () => {
  const places = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => `${name}#${encodeURIComponent(id)}`),
  );
  const ofRules = places.filter((place) => !place.includes('#reading-'));
  expect(ofRules.toSorted()).toEqual(allRules.map(ruleAddress).toSorted());
  expect(pages.size).toBe(allEndpoints.length + 3);
});

test('links lead to what is there', () => {
  const missing = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/ href="(?!https:)([^"]+)"/g)].flatMap(([, href = '']) => {
      const [file = '', hash] = href.split('#');
      const there = pages.get(file === '' ? name : file);
      if (there === undefined) return [href];
      return hash === undefined || there.includes(` id="${decodeURIComponent(hash)}"`) ? [] : [href];
    }),
  );
  expect(missing).toEqual([]);
});

test('a page has what may be sent, what is answered, what differs between versions, and the public description', () => {
  const stop = pages.get('containers.stop.html') ?? '';
  expect(stop).toContain('Document 2, Stop a container');
  expect(stop).toMatch(/<code>t<\/code> <span class="tag">in the query<\/span>/);
  expect(stop).toMatch(/<code>304<\/code>.*the container was already stopped/);
  expect(stop).toMatch(/<code>1\.42<\/code><\/dt><dd>new: parameter <code>signal<\/code>, rule <a href/);
  expect(stop).toContain(
    'href="https://github.com/moby/moby/blob/master/api/docs/v1.23.md#stop-a-container">v1.23</a>',
  );
  expect(pages.get('volumes.list.html')).not.toContain('v1.20.md');
  expect(pages.get('token.html')).not.toContain('github.com');
});

test('links to public descriptions have anchors as GitHub makes them, each endpoint its own', () => {
  const links = allEndpoints.flatMap((endpoint) => publicDescriptions(endpoint).map(({ href }) => href));
  const anchors = links.map((href) => href.split('#')[1]);
  expect(anchors).toEqual(anchors.map((anchor = 'none') => new Slugger().slug(anchor)));
  expect(new Set(links).size).toBe(links.length);
});

test.each([
  ['containers.inspect', 'inspect-a-container', ['1.20', '1.21', '1.23']],
  ['containers.attach-ws', 'attach-to-a-container-websocket', ['1.20', '1.21', '1.23']],
  ['images.list', 'list-images', ['1.20', '1.21', '1.23']],
  ['events', 'monitor-dockers-events', ['1.20', '1.21', '1.23']],
  ['exec.inspect', 'exec-inspect', ['1.20', '1.21', '1.23']],
  ['networks.inspect', 'inspect-network', ['1.21', '1.23']],
  ['containers.update', 'update-a-container', ['1.23']],
])('%s is at #%s in the public descriptions that have it', (id, anchor, versions) => {
  const files = allEndpoints
    .filter((endpoint) => endpoint.id === id)
    .flatMap((endpoint) => publicDescriptions(endpoint).map(({ href }) => href.split('/').at(-1)));
  expect(files).toEqual(versions.map((api) => `v${api}.md#${anchor}`));
});

test.skipIf(!hasBrowser)(
  'axe finds nothing, and a phone has no need to scroll to the side (skipped without Chromium)',
  async () => {
    const browser = await launchBrowser();
    try {
      const troubles: string[] = [];
      for (const screen of screens) {
        const page = await pageOn(browser, screen, troubles);
        for (const name of ['index.html', 'containers.logs.html']) {
          troubles.length = 0;
          await page.goto(String(pathToFileURL(join(workplace, name))));
          // axe then asks for the style itself, which a page from a file may not.
          expect(troubles).toEqual([]);
          expect(await axeFindings(page)).toEqual([]);
          expect(await fitsScreen(page)).toBe(true);
        }
        await page.context().close();
      }
    } finally {
      await browser.close();
    }
  },
  60_000,
);
