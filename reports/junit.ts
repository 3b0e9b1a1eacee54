import type { RecordedExchange, Result, RunHandler } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import { confirmationText } from './confirmation.ts';
import { generatedLines } from './generated.ts';
import { factsOf, type RuleFacts } from './rule-facts.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { transcript } from './transcript.ts';
import { writeAtomically } from './write.ts';
import { startTag, writeXml, type XmlElement } from './xml.ts';

/** Bytes shown of each body of a transcript. */
const shownOfBody = 4 * 1024;
/** Characters of transcripts in one file; beyond them only the curl lines and statuses of the rest are shown. */
const roomForTranscripts = 16 * 1024 * 1024;

/**
 * Writes `junit.xml` when the run ends: a suite for each area and version, a case for each rule. A deviation is a
 * `failure`, and so is a blocked check, which must not look green; `error` is for faults of the kit only. What was not
 * judged is `skipped`, with the reason.
 */
export function junitReport(file: string, rules: readonly Rule[] = allRules): RunHandler {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const facts = (result: Result) => factsOf(result.rule, byId.get(result.rule));
  return whenEnded((record) => writeAtomically(file, pieces(record, facts)), rules);
}

async function* pieces(record: RunRecord, facts: (result: Result) => RuleFacts): AsyncIterable<string> {
  const { started, ended, results } = record;
  const transcripts = await transcriptsOf(record);
  const ending = endOfRun(record);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  const attributes = { name: started.tool.name, ...totals(results, ending), time: seconds(ended.durationMs) };
  yield `${startTag('testsuites', attributes)}\n`;
  for (const group of byAreaAndVersion(results)) {
    yield writeXml(
      suite(group, started.startedAt, (result) => testcase(result, facts(result), transcripts)),
      1,
    );
  }
  if (ending) yield writeXml(endSuite(ending, started.startedAt), 1);
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

function suite(
  [name, results]: [string, Result[]],
  timestamp: string,
  toCase: (result: Result) => XmlElement,
): XmlElement {
  const skipped = results.filter((result) => elementOf(result) === 'skipped').length;
  const time = seconds(results.reduce((sum, result) => sum + result.durationMs, 0));
  const attributes = { name, ...totals(results), skipped, time, timestamp };
  return { name: 'testsuite', attributes, children: results.map(toCase) };
}

function testcase(result: Result, facts: RuleFacts, transcripts: ReadonlyMap<string, string>): XmlElement {
  const element = elementOf(result);
  return {
    name: 'testcase',
    attributes: { name: facts.says, classname: `${result.rule}@${result.api}`, time: seconds(result.durationMs) },
    children: [
      { name: 'properties', children: properties(result, facts) },
      ...(element === undefined ? [] : [verdictElement(element, result, facts, transcripts)]),
    ],
  };
}

function properties(result: Result, facts: RuleFacts): XmlElement[] {
  const values = {
    rule: result.rule,
    api: result.api,
    level: result.level,
    verdict: result.verdict,
    endpoint: result.endpoint,
    source: facts.source,
  };
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name: 'property', attributes: { name, value: value ?? '' } }));
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

/** The transcripts that failures and errors show, by the id of the exchange. */
async function transcriptsOf({ results, ended }: RunRecord): Promise<ReadonlyMap<string, string>> {
  const shown = results.filter((result) => ['failure', 'error'].includes(elementOf(result) ?? ''));
  const wanted = new Set(shown.flatMap((result) => result.evidence));
  const transcripts = new Map<string, string>();
  let room = roomForTranscripts;
  const read = async (exchange: RecordedExchange) => {
    const text = transcript(exchange, room > 0 ? shownOfBody : 0);
    room -= text.length;
    transcripts.set(exchange.id, text);
  };
  try {
    for await (const exchange of ended.exchanges(({ id }) => wanted.has(id))) {
      if (wanted.has(exchange.id)) await read(exchange);
    }
  } catch {
    // The verdicts are worth a report also when the exchanges can't be read; each missing one is named in its place.
  }
  return transcripts;
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

function endSuite(ending: XmlElement, timestamp: string): XmlElement {
  const failed = ending.name === 'failure' ? 1 : 0;
  const attributes = { name: 'run', tests: 1, failures: failed, errors: 1 - failed, skipped: 0, time: '0', timestamp };
  const testcase = {
    name: 'testcase',
    attributes: { name: 'comes to its end', classname: 'run', time: '0' },
    children: [ending],
  };
  return { name: 'testsuite', attributes, children: [testcase] };
}

function totals(results: readonly Result[], ending?: XmlElement) {
  const elements = results.map(elementOf);
  if (ending?.name === 'failure' || ending?.name === 'error') elements.push(ending.name);
  return {
    tests: elements.length,
    failures: elements.filter((element) => element === 'failure').length,
    errors: elements.filter((element) => element === 'error').length,
  };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
