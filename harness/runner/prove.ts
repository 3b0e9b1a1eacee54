import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { Verdict } from '../events.ts';
import type { OthersTried, RefusalTried } from './matrix-trials.ts';
import type { Finished } from './messages.ts';
import type { RunOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { setStage } from './stage.ts';
import { startWorker } from './worker.ts';

/** The outcome of a check under a fault. */
interface Trial {
  readonly rule: string;
  readonly api: ApiVersion;
  readonly fault: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface Unproven {
  readonly rule: string;
  readonly reasons: readonly string[];
}

/** A busy machine makes a few trials come out otherwise; more than that is a defect, and would take long to repeat. */
const mostTriedAgain = 20;

/** The result of `prove`: every trial, the proven rules, and the others with the reason. */
export interface Proof {
  readonly trials: readonly Trial[];
  readonly proven: readonly string[];
  readonly unproven: readonly Unproven[];
  /** The proven rules of which a trial came out otherwise at first, with what it said then. */
  readonly again: readonly Unproven[];
  /** The outcome of each check on a daemon that refuses everything. */
  readonly refusals: readonly RefusalTried[];
  /** The effect of each fault on other checks, if requested. */
  readonly others: readonly OthersTried[];
}

export interface ProveOptions {
  /** Called after each trial with the number of trials so far. */
  readonly progress?: (trials: number) => void;
  /** Whether each fault is also tried on the other checks of its endpoint. */
  readonly others?: boolean;
  /** Whether carried versions are tried only with the rules that they introduced. */
  readonly whereChanged?: boolean;
}

/**
 * Runs every check as it is, where it has to pass, under each of its faults, where it has to fail, and, if it met
 * refusals, on a daemon that refuses everything like that, where it must not pass. A rule is proven when this holds in
 * every version it has. The few rules of which a trial came out otherwise are tried once more by themselves. Rules of
 * level `observe` never fail and are left out.
 */
export async function prove(options: RunOptions, settings: ProveOptions = {}): Promise<Proof> {
  const { apis, tests } = await tried(options, settings);
  const rules = options.rules
    .filter(isRuleId)
    .map((id): Rule => rulebook[id])
    .filter((rule) => rule.level !== 'observe' && apis.some((api) => holdsIn(rule, api)));
  const first = summarise(rules, tests);
  const open = first.unproven.filter(({ rule }) => tests.some((test) => test.rule === rule && isJudged(test)));
  if (open.length === 0 || open.length > mostTriedAgain || options.signal?.aborted) return first;
  const isOpen = (id: string) => open.some(({ rule }) => rule === id);
  const progress = (trials: number) => settings.progress?.(tests.length + trials);
  const few = { ...options, rules: options.rules.filter(isOpen) };
  const second = await tried(few, { ...settings, others: false, progress });
  const proof = summarise(rules, [...tests.filter(({ rule }) => !isOpen(rule)), ...second.tests]);
  return { ...proof, others: first.others, again: open.filter(({ rule }) => proof.proven.includes(rule)) };
}

async function tried(
  options: RunOptions,
  { progress = () => {}, others = false, whereChanged = false }: ProveOptions,
): Promise<{ readonly apis: readonly ApiVersion[]; readonly tests: readonly Finished[] }> {
  const stage = await setStage(options);
  const tests: Finished[] = [];
  try {
    const finished = (test: Finished) => {
      tests.push(test);
      progress(tests.length);
    };
    const plan: Plan = { ...stage.plan('prove', options.rules), keeps: 'nothing', others, whereChanged };
    const outcome = await startWorker(options.entry, plan.rules).run(plan, options, { finished });
    await stage.clean();
    if (outcome.problems.length > 0) throw new Error(`the kit failed: ${outcome.problems.join('; ')}`);
  } finally {
    await stage.close();
  }
  return { apis: stage.apis, tests };
}

function isJudged({ result }: Finished): boolean {
  return result !== undefined && result.verdict !== 'skip';
}

function summarise(rules: readonly Rule[], tests: readonly Finished[]): Proof {
  const byRule = grouped(tests);
  const unproven = rules.flatMap((rule) => {
    const reasons = whyUnproven(rule, byRule.get(rule.id) ?? []);
    return reasons.length > 0 ? [{ rule: rule.id, reasons }] : [];
  });
  const open = new Set(unproven.map(({ rule }) => rule));
  return {
    trials: tests.flatMap(trialOf),
    proven: rules.map(({ id }) => id).filter((id) => !open.has(id)),
    unproven,
    again: [],
    refusals: tests.flatMap(({ refusals }) => refusals ?? []),
    others: tests.flatMap((test) => test.others ?? []),
  };
}

function grouped(tests: readonly Finished[]): Map<string, Finished[]> {
  const groups = new Map<string, Finished[]>();
  for (const test of tests) {
    const group = groups.get(test.rule);
    if (group) group.push(test);
    else groups.set(test.rule, [test]);
  }
  return groups;
}

function trialOf({ result, fault }: Finished): Trial[] {
  if (!result || fault === undefined) return [];
  return [{ rule: result.rule, api: result.api, fault, verdict: result.verdict, reason: result.reason }];
}

function whyUnproven(rule: Rule, tests: readonly Finished[]): string[] {
  if (tests.length === 0) return [rule.unchecked ?? 'no check decides this rule'];
  const skipped = tests.filter(({ result }) => result?.verdict === 'skip');
  const judged = tests.filter((test) => !skipped.includes(test));
  // A rule that is skipped in one version can still be proven in others.
  if (skipped.length > 0 && !judged.some(({ result }) => result))
    return skipped.slice(0, 1).map(({ result }) => `skipped: ${result?.reason ?? ''}`);
  const reasons = judged.flatMap(({ result, fault, problem, others, refusals }) => {
    if (!result)
      return problem === '' && (others || refusals)
        ? passedRefused(refusals)
        : [`a trial ended without a result: ${problem}`];
    const wanted: Verdict = fault === undefined ? 'pass' : 'fail';
    if (result.verdict === wanted) return [];
    const where = fault === undefined ? 'without a fault' : `under the fault '${fault}'`;
    return [`${result.api}: ${result.verdict} ${where}${result.reason ? ` (${result.reason})` : ''}`];
  });
  if (!tests.some(({ fault }) => fault !== undefined)) reasons.push('the check has no fault');
  return reasons;
}

/** The refusals that prove nothing, as the check also accepts them from a daemon that refuses everything. */
function passedRefused(refusals: readonly RefusalTried[] = []): string[] {
  return refusals
    .filter(({ verdict }) => verdict === 'pass')
    .map(({ api, endpoint, status }) => `${api}: pass where ${endpoint} answers ${status} to everything`);
}
