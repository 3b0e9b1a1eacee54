import { allRules, statedRules } from '../catalogue.ts';
import { type CoveredSection, coverage } from '../coverage.ts';
import { endpointTitle } from '../endpoint.ts';
import { type InterpretationId, interpretations } from '../interpretations.ts';
import type { Rule } from '../rule.ts';
import { type ApiVersion, apiVersions, holdsIn, versionsInWords } from '../versions.ts';
import { laterInWords } from './later.ts';

const titles = {
  1: 'Document 1: overview, resources, states, authentication, events, errors, limits, versioning',
  2: 'Document 2: containers',
  3: 'Document 3: images, system, exec instances, volumes, networks',
  4: 'Document 4: what later versions change',
} as const;

/**
 * The rules of one version, or of all of them, as a page grouped like the documents. Each rule appears once, under the
 * heading that it cites.
 */
export function rulesPage(api?: ApiVersion): string {
  const rules = statedRules.filter((rule) => api === undefined || holdsIn(rule, api));
  const documents = [1, 2, 3, 4] as const;
  return `${[
    `# Rules${api === undefined ? '' : ` of API ${api}`}`,
    introduction(rules, api),
    ...documents.flatMap((document) => [
      `## ${titles[document]}`,
      ...coverage(rules)
        .filter(({ source }) => source[0] === document)
        .flatMap((section) => ofSection(section, rules)),
    ]),
    ...generatedTests(api),
    '## Interpretations',
    'How the documents are read where they are silent, are loose or contradict each other.',
    table(
      ['id', 'the place', 'reading'],
      Object.entries(interpretations).map(([id, { place, reading }]) => [anchor(id), place, reading]),
    ),
  ].join('\n\n')}\n`;
}

function generatedTests(api: ApiVersion | undefined): string[] {
  const found = allRules.filter((rule) => rule.kind === 'property' && (api === undefined || holdsIn(rule, api)));
  if (found.length === 0) return [];
  return [
    '## Generated tests',
    'Properties: each decides many of the rules above with generated input. A failure names the rule.',
    table(
      ['property', 'versions', 'says', 'decides'],
      found.map((rule) => [
        `<a id="${rule.id}"></a>\`${rule.id}\``,
        versionsOf(rule),
        rule.says,
        (rule.decides ?? []).map((id) => `[${id}](#${id})`).join(', '),
      ]),
    ),
  ];
}

function introduction(rules: readonly Rule[], api: ApiVersion | undefined): string {
  const versions = api === undefined ? ` of API ${versionsInWords(apiVersions)}` : '';
  return [
    `Generated from the data in \`specs/\`; do not edit it. All ${rules.length} rules${versions}, in the order of the four documents. An id never changes its meaning.`,
    'Levels: **must** is stated, and a deviation is a failure; **should** is stated, but loosely; **observe** is recorded and never judged. The column of versions is empty if a rule holds in all of them. Documents 1 to 3 specify the documented versions; the carried versions have the rules of the newest documented one, except where Document 4 changes them. A rule marked ° has no check; `engine-conformance explain` gives the reason.',
  ].join('\n\n');
}

function ofSection({ source: [document, section], rows, reason }: CoveredSection, rules: readonly Rule[]): string[] {
  const cited = rules.filter(({ source }) => source[0] === document && source[1] === section);
  const uncovered = rows.filter((row) => row.rules.length === 0 && row.reason !== undefined);
  return [
    `### ${section}`,
    ...tables(cited),
    ...(reason === undefined ? [] : [`No rules: ${reason}.`]),
    ...uncovered.map(({ key, reason: why }) => `No rule is based on \`${key}\`: ${why}.`),
  ];
}

const columns = ['rule', 'level', 'versions', 'says', 'read as'];

/** One table per endpoint, or a single one where the section is about many. */
function tables(rules: readonly Rule[]): string[] {
  const byEndpoint = groups(rules);
  if (byEndpoint.length > mostTables) {
    return [
      table(
        ['endpoint', ...columns],
        rules.map((rule) => [titleOf(rule), ...ofRule(rule)]),
      ),
    ];
  }
  return byEndpoint.flatMap(([title, group]) => [
    ...(title === undefined ? [] : [`\`${title}\``]),
    table(columns, group.map(ofRule)),
  ]);
}

const mostTables = 6;

function titleOf({ endpoint }: Rule): string {
  return endpoint ? `\`${endpointTitle(endpoint)}\`` : '';
}

/** The rules by endpoint, in their order. */
function groups(rules: readonly Rule[]): [string | undefined, Rule[]][] {
  const found = new Map<string | undefined, Rule[]>();
  for (const rule of rules) {
    const title = rule.endpoint && endpointTitle(rule.endpoint);
    found.set(title, [...(found.get(title) ?? []), rule]);
  }
  return [...found];
}

function ofRule(rule: Rule): string[] {
  return [
    `<a id="${rule.id}"></a>\`${rule.id}\`${rule.unchecked === undefined ? '' : ' °'}`,
    rule.level,
    versionsOf(rule),
    [rule.says, laterInWords(rule)].filter(Boolean).join('; '),
    rule.interpretations.map(link).join(', '),
  ];
}

function versionsOf({ since, until }: Rule): string {
  if (since !== undefined && since === until) return `${since} only`;
  return [since && `since ${since}`, until && `until ${until}`].filter(Boolean).join(', ');
}

function anchor(id: string): string {
  return `<a id="reading-${id}"></a>\`${id}\``;
}

function link(id: InterpretationId): string {
  return `[${id}](#reading-${id})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((cells) => cells.map(cell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Text for one cell, without line ends, columns or tags of its own. */
function cell(text: string): string {
  const [, anchored = '', rest = text] = /^(<a id="[^"]*"><\/a>)?(.*)$/s.exec(text) ?? [];
  return anchored + escaped(rest);
}

/** Outside code, `<` begins a tag. */
function escaped(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .split('`')
    .map((part, place) => (place % 2 === 0 ? part.replaceAll('<', '&lt;').replaceAll('*', '\\*') : part))
    .join('`');
}
