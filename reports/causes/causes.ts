import type { Result } from '../../harness/events.ts';
import { allRules } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import type { Level } from '../../specs/statement.ts';
import { type ApiVersion, apiVersions } from '../../specs/versions.ts';
import { grouped } from '../grouped.ts';
import type { RunRecord } from '../run-record.ts';
import { answersOf, type SeenAnswer, showingExchange } from './answers.ts';
import type { Cause, ExplainedRule } from './cause.ts';
import { joined } from './join.ts';
import { isOfLostTarget, type Sighting, sightingOf } from './seen.ts';
import { chiefOf, sentenceByRule, sentenceOf, withWhatCame } from './sentence.ts';
import { trippedBy, weightOf } from './trips.ts';

/** The causes of the failing and blocked verdicts of a run, most serious first. Every such verdict has one. */
export async function causesOf(record: RunRecord, rules: readonly Rule[] = allRules): Promise<Cause[]> {
  const deviating = record.results.filter(isDeviating);
  return causesIn(record.results, await answersOf(record, deviating), rules);
}

/** The same, from exchanges that have already been read. */
export function causesIn(
  results: readonly Result[],
  answers: ReadonlyMap<string, SeenAnswer>,
  rules: readonly Rule[] = allRules,
): Cause[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const sightings = results.filter(isDeviating).map((result) => sightingOf(result, byId.get(result.rule), answers));
  const skips = skipsIn(results);
  const told = joined(sightings, results).flatMap(([first, ...rest]) => (first ? [toldOf([first, ...rest])] : []));
  const bySentence = grouped(told, ({ sentence }) => sentence);
  const isOfSeveral = ({ sentence }: Told) => (bySentence.get(sentence) ?? []).length > 1;
  return told.map((one) => causeOf(one, skips, isOfSeveral(one))).toSorted(byGravity);
}

/** The sightings of a cause with their descriptions. */
interface Told {
  readonly sightings: readonly [Sighting, ...Sighting[]];
  readonly chief: Sighting;
  readonly sentence: string;
}

function toldOf(sightings: Told['sightings']): Told {
  const chief = chiefOf(sightings);
  return { sightings, chief, sentence: sentenceOf(sightings, chief) };
}

function isDeviating({ verdict }: Result): boolean {
  return verdict === 'fail' || verdict === 'blocked';
}

/** @param isOfSeveral whether another cause would have the same sentence */
function causeOf({ sightings, chief, sentence }: Told, skips: Skips, isOfSeveral: boolean): Cause {
  const failing = sightings.filter(({ result }) => result.verdict === 'fail');
  const skipped = skippedBy(sightings, skips);
  const clients = trippedBy(sightings);
  const exchange = showingExchange(chief.result);
  const settled = new Set([...sightings.map(({ result }) => result.rule), ...skipped.map(({ rule }) => rule)]);
  const shownEndpoints = (failing.length > 0 ? failing : sightings).flatMap(
    ({ result, seen }) => result.endpoint ?? ('endpoint' in seen ? seen.endpoint : []),
  );
  return {
    key: `${sentence} (${chief.result.rule})`,
    sort: sortOf(chief),
    says: withWhatCame(isOfSeveral ? sentenceByRule(chief) : sentence, chief),
    endpoints: [...new Set(shownEndpoints)].filter((endpoint) => endpoint !== ''),
    level: gravest((failing.length > 0 ? failing : sightings).map(({ result }) => result.level)),
    rules: rulesOf(sightings),
    apis: inOrder(sightings.map(({ result }) => result.api)),
    failing: failing.length,
    blocked: sightings.length - failing.length,
    skipped: skipped.length,
    clients,
    weight: weightOf(settled.size, clients),
    shownBy: { rule: chief.result.rule, api: chief.result.api, ...(exchange !== undefined && { exchange }) },
  };
}

function sortOf({ seen }: Sighting): Cause['sort'] {
  return seen.is === 'not-served' || seen.is === 'not-reached' ? seen.is : 'deviates';
}

/**
 * The results of a run that were skipped because another verdict reports the reason, indexed by that reason; a run has
 * thousands.
 */
interface Skips {
  /** By endpoint and version, where the endpoint is not served. */
  readonly unserved: ReadonlyMap<string, readonly Result[]>;
  /** By rule and version, where that rule judges what is missing. */
  readonly judgedElsewhere: ReadonlyMap<string, readonly Result[]>;
}

function skipsIn(results: readonly Result[]): Skips {
  const skipped = results.filter(({ verdict }) => verdict === 'skip');
  const judgedBy = ({ reason }: Result) => /, which is judged by (\S+)$/.exec(reason)?.[1];
  return {
    unserved: grouped(
      skipped.filter(({ reason, endpoint }) => reason.startsWith(`${endpoint} is not served`)),
      ({ endpoint, api }) => `${endpoint} ${api}`,
    ),
    judgedElsewhere: grouped(
      skipped.filter((result) => judgedBy(result) !== undefined),
      (result) => `${judgedBy(result)} ${result.api}`,
    ),
  };
}

/** What was skipped because an endpoint is not served, or because a field is missing that another rule judges. */
function skippedBy(sightings: readonly Sighting[], { unserved, judgedElsewhere }: Skips): readonly Result[] {
  return [
    ...new Set(
      sightings.flatMap(({ seen, result }) => [
        ...(seen.is === 'not-served' ? (unserved.get(`${seen.endpoint} ${result.api}`) ?? []) : []),
        ...(judgedElsewhere.get(`${result.rule} ${result.api}`) ?? []),
      ]),
    ),
  ];
}

function rulesOf(sightings: readonly Sighting[]): ExplainedRule[] {
  const byRule = grouped(sightings, ({ result }) => result.rule);
  return [...byRule].map(([rule, own]) => ({
    rule,
    apis: inOrder(own.map(({ result }) => result.api)),
    verdict: own.some(({ result }) => result.verdict === 'fail') ? 'fail' : 'blocked',
  }));
}

function inOrder(apis: readonly ApiVersion[]): ApiVersion[] {
  return apiVersions.filter((api) => apis.includes(api));
}

const levels: readonly Level[] = ['must', 'should', 'observe'];

function gravest(own: readonly Level[]): Level {
  return levels.find((level) => own.includes(level)) ?? 'must';
}

/**
 * First a target that was lost, which explains why so little was decided; then what affects most clients and rules, what
 * the documents are loose about, and last what only the end of the run by its user blocked.
 */
function byGravity(a: Cause, b: Cause): number {
  const rank = ({ sort, level, says }: Cause) => {
    if (sort !== 'not-reached') return levels.indexOf(level);
    return isOfLostTarget(says) ? -1 : levels.length;
  };
  return rank(a) - rank(b) || b.weight - a.weight || verdictsOf(b) - verdictsOf(a);
}

/** The number of verdicts that a cause explains. */
export function verdictsOf({ failing, blocked }: Cause): number {
  return failing + blocked;
}
