import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunHandler } from '../../harness/events.ts';
import { allEndpoints, allRules } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { apiVersions, versionsInWords } from '../../specs/versions.ts';
import { grouped } from '../grouped.ts';
import { whenEnded } from '../run-record.ts';
import { writeAtomically } from '../write.ts';
import { endpointPageName, generalPage } from './addresses.ts';
import { endpointPage } from './endpoint-page.ts';
import { escaped, link, page, section, text } from './markup.ts';
import { ruleSections, spanInWords } from './rules.ts';

const sheets = ['colours', 'base', 'contract'];

/**
 * The contract for people to read, in our own words: one page per endpoint, one for everything that has none, an index
 * page, and their style.
 */
export function* contractPages(): Iterable<readonly [name: string, content: string]> {
  const rules = grouped(allRules, ({ endpoint }) => endpoint?.id ?? '');
  yield ['index.html', indexPage(rules)];
  yield [generalPage, general(rules.get('') ?? [])];
  for (const endpoint of allEndpoints) {
    yield [endpointPageName(endpoint.id), endpointPage(endpoint, rules.get(endpoint.id) ?? [])];
  }
  yield [
    'style.css',
    sheets.map((name) => readFileSync(new URL(`../html/style/${name}.css`, import.meta.url))).join('\n'),
  ];
}

/** The pages in the package; the sources have none. */
const packaged = fileURLToPath(new URL('../../contract', import.meta.url));

/** Writes the pages to a directory, so that reports can link to them. Copying them is much faster than making them. */
export async function writeContract(directory: string): Promise<void> {
  if (existsSync(packaged)) return cp(packaged, directory, { recursive: true });
  for (const [name, content] of contractPages()) await writeAtomically(join(directory, name), [content]);
}

/** Writes the pages when a run ends. */
export function contractReport(directory: string): RunHandler {
  return whenEnded(() => writeContract(directory));
}

function indexPage(rules: ReadonlyMap<string, readonly Rule[]>): string {
  const areas = grouped(allEndpoints, ({ id }) => id.split('.')[0] ?? id);
  const lists = [...areas].map(([area, own]) =>
    section(
      area,
      own.map((endpoint) => ({
        name: endpointTitle(endpoint),
        tags: [spanInWords(endpoint), `${(rules.get(endpoint.id) ?? []).length} rules`],
        says: link(endpointPageName(endpoint.id), text(endpoint.summary)),
      })),
    ),
  );
  return page(
    'The contract',
    `<header>
<h1>The contract</h1>
<p>What the Docker Engine HTTP API promises, whichever engine serves it: endpoint by endpoint, in our own words, with every rule by which engines are judged.</p>
<p class="soft">API ${escaped(versionsInWords(apiVersions))}.</p>
<p>${link(generalPage, 'Rules that belong to no single endpoint')} have a page of their own.</p>
</header>
<main>
${lists.join('')}</main>
`,
  );
}

function general(rules: readonly Rule[]): string {
  return page(
    'Rules that belong to no single endpoint: the contract',
    `<header>
<p class="eyebrow">${link('index.html', 'The contract')}</p>
<h1>Rules that belong to no single endpoint</h1>
</header>
<main>
${ruleSections(rules)}</main>
`,
  );
}
