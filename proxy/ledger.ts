import type { Result } from '../harness/events.ts';
import { undocumentedInWords } from '../harness/expect/undocumented.ts';
import type { Deviation } from '../harness/verdict/outcomes.ts';
import { plainResult } from '../harness/verdict/plain-result.ts';
import type { Rule } from '../specs/rule.ts';
import type { Level } from '../specs/statement.ts';
import { type ApiVersion, holdsIn } from '../specs/versions.ts';
import { decidableRules } from './judge/exchange-judge.ts';
import type { Finding } from './judge/subject.ts';

/** The maximum number of fields reported for one answer; a map of names is not a list of fields. */
const mostFields = 200;

/** What the traffic has shown about one rule in one version. */
interface Entry {
  readonly rule: Rule;
  readonly api: ApiVersion;
  decided: number;
  deviated: number;
  worst: { readonly deviation: Deviation; readonly level: Level } | undefined;
  readonly fields: Set<string>;
  /** The exchange behind the verdict. */
  exchange: string;
}

/** Collects what exchanges show about rules, and gives each rule its verdict in each version. */
export class Ledger {
  readonly #rules: ReadonlySet<Rule>;
  readonly #apis: readonly ApiVersion[];
  readonly #violated: (result: Result) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #decidable = decidableRules();

  /** @param violated called for the first deviation from a rule in a version, and for the first more serious one */
  constructor(rules: readonly Rule[], apis: readonly ApiVersion[], violated: (result: Result) => void) {
    this.#rules = new Set(rules);
    this.#apis = apis;
    this.#violated = violated;
  }

  /** @returns whether a verdict depends on the exchange */
  add({ rule, deviation }: Finding, api: ApiVersion, exchange: string): boolean {
    const entry = this.#entry(rule, api, exchange);
    if (!entry) return false;
    entry.decided++;
    if (!deviation) return entry.exchange === exchange;
    entry.deviated++;
    const level = rule.level === 'should' ? 'should' : deviation.level;
    if (entry.worst && (entry.worst.level === 'must' || level === 'should')) return false;
    entry.worst = { deviation, level };
    entry.exchange = exchange;
    this.#violated(resultOf(entry));
    return true;
  }

  /** @returns whether a verdict depends on the exchange */
  observe(rule: Rule, fields: readonly string[], api: ApiVersion, exchange: string): boolean {
    const entry = this.#entry(rule, api, exchange);
    if (!entry) return false;
    for (const field of fields) if (entry.fields.size < mostFields) entry.fields.add(field);
    return entry.exchange === exchange;
  }

  /**
   * A result for each of the rules in each of the versions.
   * @param apis default: all of them
   */
  *results(apis: readonly ApiVersion[] = this.#apis): Iterable<Result> {
    for (const rule of this.#rules) {
      for (const api of apis) {
        if (!holdsIn(rule, api)) continue;
        const entry = this.#entries.get(keyOf(rule, api));
        yield entry ? resultOf(entry) : this.#unseen(rule, api);
      }
    }
  }

  #entry(rule: Rule, api: ApiVersion, exchange: string): Entry | undefined {
    if (!this.#apis.includes(api) || !this.#rules.has(rule)) return undefined;
    const key = keyOf(rule, api);
    const known = this.#entries.get(key);
    if (known) return known;
    const made: Entry = { rule, api, decided: 0, deviated: 0, worst: undefined, fields: new Set(), exchange };
    this.#entries.set(key, made);
    return made;
  }

  #unseen(rule: Rule, api: ApiVersion): Result {
    if (rule.unchecked !== undefined) return plainResult(rule, api, 'untested', rule.unchecked);
    const isDecidable = this.#decidable.has(rule) || rule.id.endsWith('.undocumented');
    if (isDecidable) return plainResult(rule, api, 'skip', 'the traffic did not show it');
    return plainResult(rule, api, 'untested', 'a single exchange of a client cannot decide it');
  }
}

function keyOf(rule: Rule, api: ApiVersion): string {
  return `${rule.id} ${api}`;
}

function resultOf({ rule, api, decided, deviated, worst, fields, exchange }: Entry): Result {
  const evidence = { evidence: [exchange], assertions: decided };
  if (rule.level === 'observe') {
    return { ...plainResult(rule, api, 'observed', undocumentedInWords([...fields])), evidence: [exchange] };
  }
  if (!worst) return { ...plainResult(rule, api, 'pass', `in ${exchanges(decided)}`), ...evidence };
  const { deviation, level } = worst;
  const { expected, actual } = deviation;
  const reason = `${deviation.message} (in ${deviated} of ${exchanges(decided)})`;
  return { ...plainResult(rule, api, 'fail', reason), ...evidence, level, expected, actual };
}

function exchanges(number: number): string {
  return `${number} exchange${number === 1 ? '' : 's'}`;
}
