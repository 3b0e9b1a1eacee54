import type { Result, RunHandler } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import { confirmationText } from './confirmation.ts';
import { generatedLines } from './generated.ts';
import { factsOf, type RuleFacts } from './rule-facts.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { targetName } from './target-name.ts';
import { transcriptsOf } from './transcripts.ts';
import { writeAtomically } from './write.ts';
import { startTag, writeXml, type XmlElement } from './xml.ts';

const limits = { ofBody: 4 * 1024, room: 16 * 1024 * 1024 };

/**
 * Writes `junit.xml` when the run ends: a suite for each area and version, a case for each rule. A deviation is a
 * `failure`, and so is a blocked check, which must not look green; `error` is for faults of the kit only. What was not
 * judged is `skipped`, with the reason. There are only elements and attributes that every common schema of the format
 * knows, those of Ant and of Jenkins among them: no properties of a case, no totals of all suites.
 */
export function junitReport(file: string, rules: readonly Rule[] = allRules): RunHandler {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const facts = (result: Result) => factsOf(result.rule, byId.get(result.rule));
  return whenEnded((record) => writeAtomically(file, pieces(record, facts)), rules);
}

async function* pieces(record: RunRecord, facts: (result: Result) => RuleFacts): AsyncIterable<string> {
  const { results } = record;
  const told = results.filter((result) => ['failure', 'error'].includes(elementOf(result) ?? ''));
  const transcripts = await transcriptsOf(record, told, limits);
  const ending = endOfRun(record);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${startTag('testsuites')}\n`;
  const suites = [...byAreaAndVersion(results)].map(([name, own]): Suite => {
    return { name, results: own, cases: own.map((result) => testcase(result, facts(result), transcripts)) };
  });
  if (ending) suites.push(endSuite(ending));
  for (const [id, one] of suites.entries()) yield writeXml(suite(one, id, record), 1);
  yield '</testsuites>\n';
}

function byAreaAndVersion(results: readonly Result[]): Map<string, Result[]> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const name = `${result.area} ${result.api}`;
    const group = groups.get(name);
    if (group) group.push(result);
    else groups.set(name, [result]);
  }
  return groups;
}

interface Suite {
  readonly name: string;
  readonly results: readonly Result[];
  readonly cases: readonly XmlElement[];
}

function suite({ name, results, cases }: Suite, id: number, { started }: RunRecord): XmlElement {
  const count = (element: string) =>
    cases.filter(({ children }) => children?.some((child) => nameOf(child) === element));
  const attributes = {
    name,
    package: started.tool.name,
    id,
    // In the form of the format's first schema, which knows neither fractions nor zones.
    timestamp: started.startedAt.slice(0, 19),
    hostname: 'localhost',
    tests: cases.length,
    failures: count('failure').length,
    errors: count('error').length,
    skipped: count('skipped').length,
    time: seconds(results.reduce((sum, result) => sum + result.durationMs, 0)),
  };
  const children = [properties(started), ...cases, { name: 'system-out' }, { name: 'system-err' }];
  return { name: 'testsuite', attributes, children };
}

function nameOf(child: XmlElement | string): string | undefined {
  return typeof child === 'string' ? undefined : child.name;
}

/** What was judged, and by what. */
function properties({ target, tool, seed }: RunRecord['started']): XmlElement {
  const values = {
    engine: targetName(target),
    address: target.address,
    dialect: target.dialect,
    kit: tool.version,
    seed: String(seed),
  };
  const children = Object.entries(values).map(([name, value]) => ({ name: 'property', attributes: { name, value } }));
  return { name: 'properties', children };
}

function testcase(result: Result, facts: RuleFacts, transcripts: ReadonlyMap<string, string>): XmlElement {
  const element = elementOf(result);
  return {
    name: 'testcase',
    attributes: {
      name: [result.endpoint, facts.says].filter(Boolean).join(' '),
      classname: `${result.rule}@${result.api}`,
      time: seconds(result.durationMs),
    },
    children: element === undefined ? [] : [verdictElement(element, result, facts, transcripts)],
  };
}

function elementOf({ verdict }: Result): 'failure' | 'error' | 'skipped' | undefined {
  switch (verdict) {
    case 'pass':
      return undefined;
    case 'fail':
    case 'blocked':
      return 'failure';
    case 'error':
      return 'error';
    default:
      return 'skipped';
  }
}

function verdictElement(
  name: 'failure' | 'error' | 'skipped',
  result: Result,
  facts: RuleFacts,
  transcripts: ReadonlyMap<string, string>,
): XmlElement {
  const prefix = result.verdict === 'skip' || result.verdict === 'fail' ? '' : `${result.verdict}: `;
  const message = prefix + (result.reason || 'no reason was given');
  if (name === 'skipped') return { name, attributes: { message } };
  const type = result.verdict === 'fail' ? `${result.level}-deviation` : result.verdict;
  return { name, attributes: { message, type }, children: [details(result, facts, transcripts)] };
}

function details(result: Result, facts: RuleFacts, transcripts: ReadonlyMap<string, string>): string {
  const lines = [
    `${result.endpoint ?? result.area} ${facts.says}`,
    `rule: ${result.rule} (${result.level}), API ${result.api}`,
  ];
  if (facts.source) lines.push(`source: ${facts.source}`);
  for (const { id, place, reading } of facts.interpretations) {
    lines.push(`interpretation ${id}: ${place}`, `  read as: ${reading}`);
  }
  if (result.reason) lines.push(`reason: ${result.reason}`);
  if (result.expected) lines.push(`expected: ${result.expected}`);
  if (result.actual) lines.push(`actual: ${result.actual}`);
  if (result.confirmation) lines.push(`run again: ${confirmationText(result.confirmation)}`);
  if (result.generated) lines.push(...generatedLines(result.generated));
  for (const id of result.evidence) lines.push('', transcripts.get(id) ?? `(exchange ${id} was not kept)`);
  return `\n${lines.join('\n')}\n`;
}

/** A run that did not come to its end must not look green, whatever its verdicts. */
function endOfRun({ started, results, ended, lost }: RunRecord): XmlElement | undefined {
  const missing = started.total - results.length;
  if (ended.end === 'complete' && missing <= 0) return undefined;
  const after = lost ? `, after ${lost.after}: ${lost.reason}` : '';
  const message = `${ended.end}: ${ended.endReason}${after} (${missing} verdicts never came)`;
  const name = ended.end === 'failed' ? 'error' : 'failure';
  return { name, attributes: { message, type: ended.end } };
}

function endSuite(ending: XmlElement): Suite {
  const attributes = { name: 'comes to its end', classname: 'run', time: '0' };
  return { name: 'run', results: [], cases: [{ name: 'testcase', attributes, children: [ending] }] };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
