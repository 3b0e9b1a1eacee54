import type { RunHandler, Traffic } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import { apiVersions, beyondContract, versionsInWords } from '../specs/versions.ts';
import type { Cause } from './causes/cause.ts';
import { causesOnce, type FindCauses } from './causes/once.ts';
import { clientsInWords, extentInWords } from './causes/words.ts';
import { confirmationText } from './confirmation.ts';
import { ruleAddress } from './contract/addresses.ts';
import { thousands } from './counted.ts';
import { type Deviation, deviationsOf, type Gravity } from './deviations.ts';
import { type KnownOfKind, knownDeviations, knownTitles } from './known.ts';
import { codeSpan, plainText, sentence, table } from './markdown-text.ts';
import { nextToFix } from './next-to-fix.ts';
import { factsOf } from './rule-facts.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { standingInWords, standingOf } from './standing.ts';
import { type Counts, overall, summarize } from './summary.ts';
import { targetName } from './target-name.ts';
import { clientLines, passedLines, trafficInWords } from './traffic.ts';
import { writeAtomically } from './write.ts';

/** How many deviations of one gravity are listed; the page has all of them. */
const told = 25;

const titles: Readonly<Record<Gravity, string>> = {
  must: 'Deviations',
  error: 'Errors of the kit itself',
  blocked: 'Blocked',
  should: 'Deviations where the documents are loose',
};

interface SummaryOptions {
  /** The address of the folder with the pages of the contract, if there is one. */
  readonly contract?: string;
  readonly findCauses?: FindCauses;
}

/** Writes `summary.md` when the run ends. */
export function markdownReport(
  file: string,
  rules: readonly Rule[] = allRules,
  options: SummaryOptions = {},
): RunHandler {
  return whenEnded(async (record) => {
    await writeAtomically(file, [await markdownSummary(record, rules, options)]);
  }, rules);
}

/** A run as a page of Markdown for GitHub and GitLab: the outcome, counts, and what deviates. */
export async function markdownSummary(
  record: RunRecord,
  rules: readonly Rule[] = allRules,
  { contract, findCauses = causesOnce(rules) }: SummaryOptions = {},
): Promise<string> {
  const { target } = record.started;
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const deviations = deviationsOf(record.results);
  const gravities = [...new Set(deviations.map(({ gravity }) => gravity))];
  const causes = await findCauses(record);
  const next = nextToFix(causes);
  const standing = standingInWords(standingOf(record.results));
  const blocks = [
    `# ${plainText(targetName(target))}: conformance`,
    ...(record.ended.traffic ? clientsOf(record.ended.traffic) : []),
    `**${plainText(overall(record).says)}**`,
    ...(standing === undefined ? [] : [standing]),
    identity(record),
    ...(next ? [`Next to fix: ${plainText(next.says)}`] : []),
    ...(causes.length > 0 ? [`## Causes`, causeList(causes)] : []),
    '## Verdicts',
    verdicts(record),
    ...gravities.flatMap((gravity) => [
      `## ${titles[gravity]}`,
      list(
        deviations.filter((one) => one.gravity === gravity),
        byId,
        contract,
      ),
    ]),
    ...knownDeviations(record.results).flatMap((known) => [
      `## ${knownTitles[known.kind ?? 'other']}`,
      knownList(known.deviations),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The causes by weight: what there is to do. */
function causeList(causes: readonly Cause[]): string {
  const items = causes.slice(0, told).map((cause) => {
    const lines = [plainText(cause.says), plainText(extentInWords(cause)), plainText(clientsInWords(cause))];
    return `1. ${lines.filter(Boolean).join('<br>\n   ')}`;
  });
  const rest = causes.length - items.length;
  return [...items, ...(rest > 0 ? ['', `${rest} more causes are in the report`] : [])].join('\n');
}

/** What the baseline says about known deviations. */
function knownList(known: KnownOfKind['deviations']): string {
  const items = known.slice(0, told).map(({ says, rules, apis }) => {
    const [first = '', ...others] = rules;
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    return `- ${codeSpan(first)}${more} in ${apis.join(', ')}: ${plainText(says)}`;
  });
  const rest = known.length - items.length;
  return [...items, ...(rest > 0 ? [`- ${rest} more are in the report`] : [])].join('\n');
}

/** For a proxy: what clients did, and how much passed; the verdict after it is about the daemon. */
function clientsOf(traffic: Traffic): string[] {
  const lines = clientLines(traffic);
  const rest = lines.length - told;
  const items = lines.slice(0, told).map((line) => `- ${plainText(line)}`);
  return [
    `**${plainText(trafficInWords(traffic))}**`,
    ...(items.length > 0 ? [[...items, ...(rest > 0 ? [`- ${rest} more are in the report`] : [])].join('\n')] : []),
    plainText(passedLines(traffic).join(' ')),
    '## The daemon',
  ];
}

function list(
  deviations: readonly Deviation[],
  rules: ReadonlyMap<string, Rule>,
  contract: string | undefined,
): string {
  const items = deviations.slice(0, told).map((one) => item(one, rules.get(one.result.rule), contract));
  const rest = deviations.length - items.length;
  return [...items, ...(rest > 0 ? [`- ${rest} more are in the report`] : [])].join('\n');
}

function identity({ started, ended }: RunRecord): string {
  const { target, tool, apis, seed, startedAt } = started;
  const facts: [string, string][] = [
    ['Address', codeSpan(target.address)],
    ['API', [versionsInWords(apis), beyondContract(target.apiVersion)].filter(Boolean).join('; ')],
    ['Platform', plainText([target.os, target.arch, target.kernel].filter(Boolean).join(' '))],
    ['Judged', `${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${(ended.durationMs / 1000).toFixed(1)} s`],
    ['By', `${tool.name} ${tool.version}, seed ${seed}`],
  ];
  return facts
    .filter(([, text]) => text !== '')
    .map(([term, text]) => `- ${term}: ${text}`)
    .join('\n');
}

/** The columns for the counts of verdicts, with failures at level should separate. */
export const countColumns: readonly (readonly [title: string, of: (counts: Counts) => number])[] = [
  ['pass', ({ pass }) => pass],
  ['fail', ({ fail, shouldFail }) => fail - shouldFail],
  ['should', ({ shouldFail }) => shouldFail],
  ['blocked', ({ blocked }) => blocked],
  ['skip', ({ skip }) => skip],
  ['observed', ({ observed }) => observed],
  ['untested', ({ untested }) => untested],
  ['waived', ({ waived }) => waived],
  ['error', ({ error }) => error],
];

function verdicts({ results }: RunRecord): string {
  const { areas, counts } = summarize(results);
  const shown = countColumns.filter(([, of]) => of(counts) > 0);
  const cells = (of: Counts) => shown.map(([, count]) => thousands(count(of)));
  const rows = Object.entries(areas).flatMap(([area, versions]) =>
    apiVersions.flatMap((api) => (versions[api] ? [[plainText(area), api, ...cells(versions[api])]] : [])),
  );
  const heads = ['area', 'API', ...shown.map(([title]) => title)];
  return table(heads, [...rows, ['**all**', '', ...cells(counts)]], 2);
}

function item({ apis, result, gravity }: Deviation, rule: Rule | undefined, contract: string | undefined): string {
  const { says, source } = factsOf(result.rule, rule);
  const lines = [
    `- ${codeSpan(result.rule)} in ${apis.join(', ')}: ${result.endpoint ? `${codeSpan(result.endpoint)} ` : ''}${sentence(says)}`,
  ];
  if (gravity === 'blocked' || gravity === 'error') lines.push(`reason: ${codeSpan(result.reason)}`);
  else lines.push(...labelled('expected', result.expected), ...labelled('actual', result.actual));
  if (result.confirmation) lines.push(`run again: ${plainText(confirmationText(result.confirmation))}`);
  if (source) {
    const title = plainText(source);
    lines.push(contract === undefined || !rule ? title : `[${title}](${contract}/${ruleAddress(rule)})`);
  }
  if (result.fingerprint) lines.push(`fingerprint: ${codeSpan(result.fingerprint)}`);
  return lines.join('<br>\n  ');
}

function labelled(label: string, text: string): string[] {
  return text === '' ? [] : [`${label}: ${codeSpan(text)}`];
}
