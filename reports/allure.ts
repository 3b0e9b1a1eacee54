import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result, RunHandler } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import { confirmationText } from './confirmation.ts';
import { generatedLines } from './generated.ts';
import { codeSpan, plainText, sentence } from './markdown-text.ts';
import { factsOf, type RuleFacts } from './rule-facts.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { targetName } from './target-name.ts';
import { transcriptsOf } from './transcripts.ts';
import { visible, visibleLine } from './visible.ts';

const limits = { ofBody: 16 * 1024, room: 64 * 1024 * 1024 };

/**
 * Writes results for Allure into a directory when the run ends, one per rule and version, each a test of its own.
 * Existing results are kept, as Allure collects those of several runs.
 */
export function allureReport(directory: string, rules: readonly Rule[] = allRules): RunHandler {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return whenEnded((record) => writeResults(directory, record, byId), rules);
}

async function writeResults(directory: string, record: RunRecord, rules: ReadonlyMap<string, Rule>): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'environment.properties'), environment(record));
  const told = record.results.filter(({ verdict }) => verdict !== 'pass');
  const transcripts = await transcriptsOf(record, told, limits);
  for (const result of record.results) {
    const attachments: Attachment[] = [];
    for (const [place, id] of result.verdict === 'pass' ? [] : result.evidence.entries()) {
      const source = `${randomUUID()}-attachment.txt`;
      await writeFile(join(directory, source), transcripts.get(id) ?? `exchange ${id} was not kept`);
      attachments.push({ name: nameOfExchange(place, result.evidence.length), type: 'text/plain', source });
    }
    const test = testResult(result, factsOf(result.rule, rules.get(result.rule)), record, attachments);
    await writeFile(join(directory, `${test.uuid}-result.json`), JSON.stringify(test));
  }
}

function nameOfExchange(place: number, count: number): string {
  return place === count - 1 ? 'decisive exchange' : `exchange ${place + 1}`;
}

interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly source: string;
}

function testResult(result: Result, facts: RuleFacts, { started }: RunRecord, attachments: readonly Attachment[]) {
  const { rule, api, area } = result;
  const endpoint = result.endpoint ?? 'no single endpoint';
  const engine = visibleLine(started.target.product) || 'unnamed engine';
  const start = Date.parse(started.startedAt);
  const labels = {
    ...{ epic: area, feature: endpoint, story: rule },
    ...{ parentSuite: `API ${api}`, suite: area, subSuite: endpoint },
    ...{ package: rule, framework: started.tool.name, severity: severities[result.level] },
  };
  const tags = [result.verdict, result.level, result.kind];
  return {
    uuid: randomUUID(),
    name: facts.says,
    fullName: `${rule} in API ${api}`,
    // Versions and engines are not retries of each other, but the same test in a later run is.
    testCaseId: digest(rule, api, engine),
    historyId: digest(rule, api, engine),
    status: statusOf(result),
    statusDetails: statusDetails(result),
    stage: 'finished',
    description: description(result, facts),
    labels: [
      ...Object.entries(labels).map(([name, value]) => ({ name, value })),
      ...tags.map((value) => ({ name: 'tag', value })),
    ],
    parameters: [
      { name: 'API', value: api },
      { name: 'engine', value: engine },
    ],
    links: [],
    steps: [],
    attachments,
    start,
    stop: start + Math.round(result.durationMs),
  };
}

const severities = { must: 'critical', should: 'minor', observe: 'trivial' } as const;

function digest(...parts: readonly string[]): string {
  return createHash('md5').update(JSON.stringify(parts)).digest('hex');
}

/** What was not decided is `broken`, not green; what was not judged is `skipped`. */
function statusOf({ verdict }: Result): 'passed' | 'failed' | 'broken' | 'skipped' {
  switch (verdict) {
    case 'pass':
      return 'passed';
    case 'fail':
      return 'failed';
    case 'blocked':
    case 'error':
      return 'broken';
    default:
      return 'skipped';
  }
}

function statusDetails({ verdict, level, reason, expected, actual, confirmation, generated }: Result) {
  if (verdict === 'pass') return {};
  const weight = verdict === 'fail' && level === 'should' ? ' (should)' : '';
  const lines = [
    ...(expected ? [`expected: ${expected}`] : []),
    ...(actual ? [`actual: ${actual}`] : []),
    ...(confirmation ? [`run again: ${confirmationText(confirmation)}`] : []),
    ...(generated ? generatedLines(generated) : []),
  ];
  return {
    message: visible(`${verdict}${weight}: ${reason || 'no reason was given'}`),
    ...(lines.length > 0 && { trace: visible(lines.join('\n')) }),
    ...(expected && { expected: visible(expected) }),
    ...(actual && { actual: visible(actual) }),
  };
}

/** In Markdown. */
function description({ rule, level, endpoint }: Result, { says, source, interpretations }: RuleFacts): string {
  const readings = interpretations.map(({ id, place, reading }) => {
    return `Interpretation ${plainText(id)}: ${sentence(place)} Reading: ${sentence(reading)}`;
  });
  const stated = source === undefined ? '' : `, stated in ${plainText(source)}`;
  return [
    `${endpoint ? `${codeSpan(endpoint)} ` : ''}${sentence(says)}`,
    `Rule ${codeSpan(rule)} (${level})${stated}`,
    ...readings,
  ].join('\n\n');
}

function environment({ started }: RunRecord): string {
  const { target, tool, seed } = started;
  const facts = {
    engine: targetName(target),
    address: target.address,
    dialect: target.dialect,
    platform: [target.os, target.arch, target.kernel].filter(Boolean).join(' '),
    kit: `${tool.name} ${tool.version}`,
    seed: String(seed),
  };
  const escaped = (text: string) => visibleLine(text).replaceAll('\\', '\\\\');
  return Object.entries(facts)
    .map(([name, value]) => `${name} = ${escaped(value)}\n`)
    .join('');
}
