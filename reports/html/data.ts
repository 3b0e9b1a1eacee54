import type { Result, Traffic } from '../../harness/events.ts';
import type { Rule } from '../../specs/rule.ts';
import { beyondContract, versionsInWords } from '../../specs/versions.ts';
import type { FindCauses } from '../causes/once.ts';
import { clientsInWords, extentInWords } from '../causes/words.ts';
import { confirmationText } from '../confirmation.ts';
import type { contractAddresses } from '../contract/addresses.ts';
import { coverageOf } from '../coverage.ts';
import { repeatedOptions } from '../judge-again.ts';
import { knownTitles } from '../known.ts';
import { observationsOf } from '../observations.ts';
import { factsOf } from '../rule-facts.ts';
import type { KnowRule, RuleKnowledge } from '../rule-knowledge.ts';
import type { RunRecord } from '../run-record.ts';
import { standingInWords, standingOf } from '../standing.ts';
import { overall } from '../summary.ts';
import { clientMatters, passedLines, trafficInWords } from '../traffic.ts';
import { withUnjudged } from '../unjudged.ts';

/** The data for the page of a report, except the exchanges. */
export type PageData = Awaited<ReturnType<typeof pageData>> & {
  /** The address of the site's first page, if the report is part of a site. */
  readonly site?: string;
  /** The address of the pages of the contract, if there are any. */
  readonly contract?: ReturnType<typeof contractAddresses>;
};

/** A rule with its results by version. */
export type PageRule = ReturnType<typeof pageRule>;

/** The verdict on a rule in one version. */
export type PageResult = ReturnType<typeof pageResult>;

/** A cause with its description. */
export type PageCause = PageData['causes'][number];

/** Where a page looks up what a run itself does not say. */
interface Knowing {
  readonly findCauses: FindCauses;
  readonly knowRule?: KnowRule | undefined;
}

/** A run, its results and its causes, as the page needs them. */
export async function pageData(record: RunRecord, rules: readonly Rule[], { findCauses, knowRule }: Knowing) {
  const { started, ended, results, left, lost, restarts } = record;
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const shown = new Map<string, ReturnType<typeof pageRule>>();
  const interpretations: Record<string, { place: string; reading: string }> = {};
  for (const result of results) {
    const facts = factsOf(result.rule, byId.get(result.rule));
    for (const { id, place, reading } of facts.interpretations) interpretations[id] = { place, reading };
    const rule = shown.get(result.rule) ?? pageRule(result, facts);
    rule.results[result.api] = pageResult(result);
    shown.set(result.rule, rule);
  }
  const causes = await findCauses(record);
  const known: Record<string, RuleKnowledge> = {};
  for (const { rule: id, verdict } of results) {
    const rule = byId.get(id);
    if (knowRule && rule && isOff(verdict)) known[id] ??= knowRule(rule);
  }
  const outcome = overall(record);
  const standing = standingInWords(standingOf(results)) ?? '';
  return {
    tool: started.tool,
    target: started.target,
    startedAt: started.startedAt,
    durationMs: ended.durationMs,
    seed: started.seed,
    apis: started.apis,
    judgedIn: [versionsInWords(started.apis), beyondContract(started.target.apiVersion)].filter(Boolean).join('; '),
    left,
    ...(lost && { lost }),
    restarts,
    ...(ended.traffic && { traffic: trafficData(ended.traffic) }),
    overall: outcome,
    // This is the headline for a target that deviates.
    standing: outcome.verdict === 'deviates' ? withUnjudged(standing, record) : standing,
    causes: causes.map((cause) => ({ ...cause, extent: extentInWords(cause), trips: clientsInWords(cause) })),
    endpoints: coverageOf(results, causes),
    interpretations,
    known,
    // A proxy judges what its clients send, which no command repeats.
    ...(!ended.traffic && { again: repeatedOptions(started) }),
    knownTitles,
    observations: observationsOf(results, rules),
    rules: [...shown.values()],
  };
}

/** Whether readers want to know more about the rule than what it states. */
function isOff(verdict: Result['verdict']): boolean {
  return verdict === 'fail' || verdict === 'blocked' || verdict === 'waived';
}

function trafficData(traffic: Traffic) {
  return {
    says: trafficInWords(traffic),
    deviates: traffic.clients.some(({ weight }) => weight === 'deviates'),
    passed: passedLines(traffic),
    matters: clientMatters(traffic.clients),
  };
}

function pageRule(result: Result, facts: ReturnType<typeof factsOf>) {
  const { says, source, interpretations } = facts;
  const results: Record<string, ReturnType<typeof pageResult>> = {};
  const endpoint = result.endpoint ?? facts.endpoint;
  return {
    id: result.rule,
    area: result.area,
    kind: result.kind,
    level: facts.level ?? result.level,
    says,
    ...(endpoint !== undefined && { endpoint }),
    ...(source !== undefined && { source }),
    interpretations: interpretations.map(({ id }) => id),
    results,
  };
}

function pageResult(result: Result) {
  const { api, verdict, level, reason, expected, actual, evidence, assertions, durationMs } = result;
  const { confirmation, generated, names, fingerprint, knownAs } = result;
  const again = confirmation && confirmationText(confirmation);
  return {
    api,
    verdict,
    level,
    reason,
    expected,
    actual,
    evidence,
    assertions,
    durationMs,
    ...(names && { names }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(again && { again }),
    ...(generated && { generated }),
    ...(knownAs && { knownAs }),
  };
}
