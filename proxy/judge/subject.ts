import type { Answered } from '../../harness/engine/exchange.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { Judgement, withJudgement } from '../../harness/verdict/judgement.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';
import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import type { Endpoint } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { RequestHead } from '../observe/observed.ts';

/** What an exchange is judged as: an endpoint of the contract in one version. */
export interface Subject {
  readonly endpoint: Endpoint;
  readonly api: ApiVersion;
  readonly request: RequestHead;
  readonly query: URLSearchParams;
  /** The body of the request when it is JSON and was read. */
  readonly sent: JsonValue | undefined;
}

/** What one exchange shows about a rule: a deviation, or that it is kept. */
export interface Finding {
  readonly rule: Rule;
  readonly deviation?: Deviation;
}

/** Decides one rule by a single exchange. */
export interface PassiveCheck<T extends Answered = Answered> {
  readonly rule: Rule;
  /** Whether such an exchange decides the rule, one way or the other, whatever preceded it. */
  readonly decidedBy: (subject: Subject, answer: T) => boolean;
  /** Asserts with the matchers of the suite. */
  readonly assert: (subject: Subject, answer: T) => void;
}

/** The rule with a composed id; undefined if the endpoint has no such rule. */
export function ruleNamed(id: string): Rule | undefined {
  return isRuleId(id) ? rulebook[id] : undefined;
}

/** The result of the suite's matchers outside a check: the deviation, or undefined when the assertion holds. */
export function deviationIn(assert: () => void): Deviation | undefined {
  try {
    withJudgement(new Judgement(), assert);
    return undefined;
  } catch (error) {
    if (error instanceof Deviation) return error;
    throw error;
  }
}

export function finding(rule: Rule, deviation: Deviation | undefined): Finding {
  return { rule, ...(deviation && { deviation }) };
}
