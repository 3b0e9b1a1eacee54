import type { Kind, Rule } from '../../specs/rule.ts';
import type { Level } from '../../specs/statement.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Verdict } from '../events.ts';
import type { Generated } from '../property/generation.ts';
import { TransportError } from '../transport/errors.ts';
import { Judgement, judgingBy, withJudgement } from './judgement.ts';
import { Blocked, Deviation, NotApplicable, outcomeOf, unanswered } from './outcomes.ts';
import type { Shown } from './shown.ts';

/** The outcome of a check. */
export interface Decision {
  readonly verdict: Verdict;
  readonly level: Level;
  readonly reason: string;
  readonly expected: string;
  readonly actual: string;
  readonly evidence: readonly string[];
  readonly assertions: number;
  /** How a generated test failed. */
  readonly generated?: Generated;
  /** Where an answer shows the deviation, or the step that failed. */
  readonly shown?: Shown;
  /** Whether an exchange got no complete answer: then the target may be gone. */
  readonly broken: boolean;
}

/** Whether a verdict says that a rule is broken, or cannot be kept: properties need not report it again. */
export function isToldOf({ kind, verdict }: { readonly kind: Kind; readonly verdict: Verdict }): boolean {
  return kind !== 'property' && (verdict === 'fail' || verdict === 'blocked');
}

/** Runs a check and decides the verdict on its rule. All verdicts come from here. */
export async function judge(rule: Rule, run: () => Promise<void>, api?: ApiVersion): Promise<Decision> {
  const judgement = new Judgement(api);
  const outcome = await withJudgement(judgement, () => judgingBy(rule, api, () => outcomeOf(run)));
  const decided = decide(rule, judgement, outcome);
  const shown = decided.verdict === 'fail' || decided.verdict === 'blocked' ? shownIn(outcome) : undefined;
  // An exchange that could not be read was judged nevertheless.
  if (shown && !judgement.evidence.includes(shown.exchange)) judgement.judged([shown.exchange]);
  const { assertions, evidence, generated } = judgement;
  return {
    ...decided,
    ...(generated && { generated }),
    ...(shown && { shown }),
    evidence,
    assertions,
    broken: isBroken(outcome),
  };
}

function decide(
  rule: Rule,
  judgement: Judgement,
  thrown: unknown,
): Omit<Decision, 'evidence' | 'assertions' | 'broken'> {
  const plain = { level: rule.level, expected: '', actual: '' };
  if (thrown instanceof NotApplicable) return { ...plain, verdict: 'skip', reason: thrown.message };
  if (thrown instanceof Blocked) return { ...plain, verdict: 'blocked', reason: thrown.message };
  if (thrown instanceof Deviation) return failed(rule, thrown);
  if (thrown instanceof TransportError) return failed(rule, unanswered(thrown));
  if (thrown !== undefined) return { ...plain, verdict: 'error', reason: describeError(thrown) };
  if (judgement.unused.length > 0) {
    return { ...plain, verdict: 'error', reason: `the check never used ${judgement.unused.join(', ')}` };
  }
  if (rule.level === 'observe') return observed(judgement, plain);
  if (judgement.assertions === 0 || judgement.evidence.length === 0) {
    return { ...plain, verdict: 'error', reason: 'the check ended without an assertion on a recorded exchange' };
  }
  return { ...plain, verdict: 'pass', reason: judgement.notes.join('; ') };
}

function failed(rule: Rule, deviation: Deviation): Omit<Decision, 'evidence' | 'assertions' | 'broken'> {
  const { expected, actual } = deviation;
  const message = deviation.rule === undefined ? deviation.message : `${deviation.rule}: ${deviation.message}`;
  // Where the documents leave a matter open, the result is a fact and not a failure.
  if (rule.level === 'observe') {
    return { verdict: 'observed', level: 'observe', reason: `no whole answer: ${actual}`, expected: '', actual: '' };
  }
  const level = rule.level === 'should' ? 'should' : deviation.level;
  return { verdict: 'fail', level, reason: message, expected, actual };
}

function observed(
  judgement: Judgement,
  plain: Pick<Decision, 'level' | 'expected' | 'actual'>,
): Omit<Decision, 'evidence' | 'assertions' | 'broken'> {
  if (judgement.observations.length === 0 || judgement.evidence.length === 0) {
    return { ...plain, verdict: 'error', reason: 'the check ended without an observation on a recorded exchange' };
  }
  return { ...plain, verdict: 'observed', reason: judgement.observations.join('; ') };
}

function shownIn(thrown: unknown): Shown | undefined {
  return thrown instanceof Deviation || thrown instanceof Blocked ? thrown.shown : undefined;
}

/** A fixture that could not be had for want of another one has the failed exchange as the cause of its cause. */
function isBroken(thrown: unknown): boolean {
  if (thrown instanceof TransportError) return true;
  return (thrown instanceof Blocked || thrown instanceof Deviation) && isBroken(thrown.cause);
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
