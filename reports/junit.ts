import type { Result, RunHandler } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import type { Cause } from './causes/cause.ts';
import { causesOnce, type FindCauses } from './causes/once.ts';
import { extentInWords } from './causes/words.ts';
import { confirmationText } from './confirmation.ts';
import { generatedLines } from './generated.ts';
import { namedLines } from './named.ts';
import { factsOf, type RuleFacts } from './rule-facts.ts';
import { ruleLine } from './rule-line.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { overall } from './summary.ts';
import { targetName } from './target-name.ts';
import { transcriptsOf } from './transcripts.ts';
import { counts, type FailOn } from './weight.ts';
import { writeAtomically } from './write.ts';
import { startTag, writeXml, type XmlElement } from './xml.ts';

const limits = { ofBody: 4 * 1024, room: 16 * 1024 * 1024 };

/** What decides, besides the verdicts, whether the file is green. */
export interface JunitOptions {
  readonly failOn?: FailOn;
  /** Baseline entries that no longer hold, available once the run has ended. */
  readonly stale?: () => readonly string[];
  readonly findCauses?: FindCauses;
}

/**
 * Writes `junit.xml` when the run ends: a suite per area and version, a case per rule. It is green when the exit status
 * is 0. A deviation that counts is a `failure`, and so is a blocked check, which must not look green; `error` is only
 * for defects of the kit. What was not judged or does not count is `skipped`, with the reason. The file only uses
 * elements and attributes that all common schemas of the format allow, including those of Ant and Jenkins. So there are
 * no totals over all suites, and the cause of a case is a property of its suite, named `cause of RULE [VERSION]`, as
 * these schemas have no properties of cases.
 */
export function junitReport(
  file: string,
  rules: readonly Rule[] = allRules,
  { failOn = 'must', stale = () => [], findCauses = causesOnce(rules) }: JunitOptions = {},
): RunHandler {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const facts = (result: Result) => factsOf(result.rule, byId.get(result.rule));
  return whenEnded((record) => writeAtomically(file, pieces(record, { facts, failOn, stale, findCauses })), rules);
}

interface Telling extends Required<JunitOptions> {
  readonly facts: (result: Result) => RuleFacts;
}

async function* pieces(record: RunRecord, { facts, failOn, stale, findCauses }: Telling): AsyncIterable<string> {
  const { results } = record;
  const told = results.filter((result) => ['failure', 'error'].includes(elementOf(result, failOn) ?? ''));
  const transcripts = await transcriptsOf(record, told, limits);
  const ending = endOfRun(record);
  const causes = causesByCase(await findCauses(record));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${startTag('testsuites')}\n`;
  const suites = [...byAreaAndVersion(results)].map(([name, own]): Suite => {
    const caseOf = (result: Result) =>
      testcase(result, elementOf(result, failOn), facts(result), { transcripts, causes });
    return { name, results: own, cases: own.map(caseOf), causes };
  });
  const problems = stale();
  if (problems.length > 0) suites.push(baselineSuite(problems));
  if (ending) suites.push(endSuite(ending));
  for (const [id, one] of suites.entries()) yield writeXml(suite(one, id, record), 1);
  yield '</testsuites>\n';
}

/** The cause of each verdict, if any, by the name of its case. */
function causesByCase(causes: readonly Cause[]): ReadonlyMap<string, Cause> {
  return new Map(
    causes.flatMap((cause) =>
      cause.rules.flatMap(({ rule, apis }) => apis.map((api) => [caseKey({ rule, api }), cause])),
    ),
  );
}

function caseKey({ rule, api }: Pick<Result, 'rule' | 'api'>): string {
  return `${rule} [${api}]`;
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
  /** By the name of a case. */
  readonly causes?: ReadonlyMap<string, Cause>;
}

function suite({ name, results, cases, causes }: Suite, id: number, { started }: RunRecord): XmlElement {
  const count = (element: string) =>
    cases.filter(({ children }) => children?.some((child) => nameOf(child) === element));
  const attributes = {
    name,
    package: started.tool.name,
    id,
    // In the format of the first schema, which has neither fractions nor time zones.
    timestamp: started.startedAt.slice(0, 19),
    hostname: 'localhost',
    tests: cases.length,
    failures: count('failure').length,
    errors: count('error').length,
    skipped: count('skipped').length,
    time: seconds(results.reduce((sum, result) => sum + result.durationMs, 0)),
  };
  const caused = results.flatMap((result): [string, string][] => {
    const cause = causes?.get(caseKey(result));
    return cause ? [[`cause of ${caseKey(result)}`, cause.says]] : [];
  });
  const children = [properties(started, caused), ...cases, { name: 'system-out' }, { name: 'system-err' }];
  return { name: 'testsuite', attributes, children };
}

function nameOf(child: XmlElement | string): string | undefined {
  return typeof child === 'string' ? undefined : child.name;
}

/** What was judged, by what, and the causes of deviations. */
function properties(
  { target, tool, seed }: RunRecord['started'],
  causes: readonly (readonly [name: string, value: string])[],
): XmlElement {
  const values = {
    engine: targetName(target),
    address: target.address,
    dialect: target.dialect,
    kit: tool.version,
    seed: String(seed),
  };
  const children = [...Object.entries(values), ...causes].map(([name, value]) => ({
    name: 'property',
    attributes: { name, value },
  }));
  return { name: 'properties', children };
}

/** What a case shows besides its verdict. */
interface Details {
  readonly transcripts: ReadonlyMap<string, string>;
  readonly causes: ReadonlyMap<string, Cause>;
}

type VerdictElement = 'failure' | 'error' | 'skipped';

function testcase(result: Result, element: VerdictElement | undefined, facts: RuleFacts, more: Details): XmlElement {
  return {
    name: 'testcase',
    attributes: {
      name: `${[result.endpoint, facts.says].filter(Boolean).join(' ')} [${result.api}]`,
      // Readers such as Jenkins take everything before the last dot for a package, so the version must be elsewhere.
      classname: result.rule,
      time: seconds(result.durationMs),
    },
    children: element === undefined ? [] : [verdictElement(element, result, facts, more)],
  };
}

/** The element for a verdict; none for a pass. */
function elementOf(result: Result, failOn: FailOn): VerdictElement | undefined {
  if (result.verdict === 'pass') return undefined;
  if (result.verdict === 'error') return 'error';
  return counts(result, failOn) ? 'failure' : 'skipped';
}

function verdictElement(name: VerdictElement, result: Result, facts: RuleFacts, more: Details): XmlElement {
  const verdict = result.knownAs === undefined ? result.verdict : `${result.verdict} (${result.knownAs})`;
  const prefix = verdict === 'skip' || verdict === 'fail' ? '' : `${verdict}: `;
  const message = prefix + (result.reason || 'no reason was given');
  if (name === 'skipped') {
    const isUncounted = result.verdict === 'fail' || result.verdict === 'blocked';
    const uncounted = `level ${result.level} does not count here (--fail-on): ${message}`;
    return { name, attributes: { message: isUncounted ? uncounted : message } };
  }
  const type = result.verdict === 'fail' ? `${result.level}-deviation` : result.verdict;
  return { name, attributes: { message, type }, children: [details(result, facts, more)] };
}

function details(result: Result, facts: RuleFacts, { transcripts, causes }: Details): string {
  const lines = [ruleLine(result, facts.says), `rule: ${result.rule} (${result.level}), API ${result.api}`];
  if (facts.source) lines.push(`source: ${facts.source}`);
  for (const { id, place, reading } of facts.interpretations) {
    lines.push(`interpretation ${id}: ${place}`, `  reading: ${reading}`);
  }
  const cause = causes.get(caseKey(result));
  if (cause) lines.push(`cause: ${cause.says} (${extentInWords(cause)})`);
  if (result.reason) lines.push(`reason: ${result.reason}`);
  if (result.expected) lines.push(`expected: ${result.expected}`);
  if (result.actual) lines.push(`actual: ${result.actual}`);
  lines.push(...namedLines(result));
  if (result.fingerprint) lines.push(`fingerprint: ${result.fingerprint}`);
  if (result.confirmation) lines.push(`run again: ${confirmationText(result.confirmation)}`);
  if (result.generated) lines.push(...generatedLines(result.generated));
  for (const id of result.evidence) lines.push('', transcripts.get(id) ?? `(exchange ${id} was not kept)`);
  return `\n${lines.join('\n')}\n`;
}

/** A run that did not finish, or decided nothing, must not look green, whatever its verdicts. */
function endOfRun(record: RunRecord): XmlElement | undefined {
  const { started, results, ended, lost } = record;
  const missing = started.total - results.length;
  if (ended.end === 'complete' && missing <= 0) {
    const { verdict, says } = overall(record);
    return verdict === 'inconclusive' ? { name: 'failure', attributes: { message: says, type: verdict } } : undefined;
  }
  const after = lost ? `, after ${lost.after}: ${lost.reason}` : '';
  const message = `${ended.end}: ${ended.endReason}${after} (${missing} verdicts missing)`;
  const name = ended.end === 'failed' ? 'error' : 'failure';
  return { name, attributes: { message, type: ended.end } };
}

/** Each problem of the baseline fails the run, and is a failed case. */
function baselineSuite(problems: readonly string[]): Suite {
  const cases = problems.map((message): XmlElement => {
    const failure = { name: 'failure', attributes: { message, type: 'stale-baseline' } };
    return { name: 'testcase', attributes: { name: message, classname: 'baseline', time: '0' }, children: [failure] };
  });
  return { name: 'baseline', results: [], cases };
}

function endSuite(ending: XmlElement): Suite {
  const attributes = { name: 'runs to the end', classname: 'run', time: '0' };
  return { name: 'run', results: [], cases: [{ name: 'testcase', attributes, children: [ending] }] };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
