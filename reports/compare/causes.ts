import type { Result } from '../../harness/events.ts';
import type { Rule } from '../../specs/rule.ts';
import type { Level } from '../../specs/statement.ts';
import { type ApiVersion, apiVersions } from '../../specs/versions.ts';
import { answersAmong } from '../causes/answers.ts';
import type { Cause } from '../causes/cause.ts';
import { causesIn } from '../causes/causes.ts';
import { grouped } from '../grouped.ts';
import type { StoredReport } from '../stored/stored-report.ts';

/**
 * How a report relates to a cause.
 * - `has`: the cause is among its own.
 * - `keeps`: every rule of it that was decided is kept.
 * - `otherwise`: some of its rules fail for another cause.
 * - `open`: none of its rules was decided.
 */
type CauseState = 'has' | 'keeps' | 'otherwise' | 'open';

/** A cause of deviations in one report or several; known deviations are among them. */
export interface ComparedCause {
  readonly says: string;
  readonly level: Level;
  /** The rules and versions that it explains in any of the reports. */
  readonly rules: readonly string[];
  readonly apis: readonly ApiVersion[];
  readonly weight: number;
  /** By the place of the report. */
  readonly reports: readonly CauseState[];
}

const levels: readonly Level[] = ['must', 'should', 'observe'];

/** The causes of all reports: first those that one has while another keeps the rules, then the most serious. */
export function comparedCauses(reports: readonly StoredReport[], rules: readonly Rule[]): ComparedCause[] {
  const found = reports.flatMap(({ results, exchanges }, place) => {
    const asSeen = results.map(unwaived);
    const causes = causesIn(asSeen, answersAmong(Object.values(exchanges), asSeen), rules);
    return causes.filter(({ sort }) => sort !== 'not-reached').map((cause) => ({ place, cause }));
  });
  const decided = reports.map(({ results }) => grouped(results.filter(isDecided), ({ rule }) => rule));
  const causes = [...grouped(found, ({ cause }) => cause.key).values()].map((own): ComparedCause => {
    const all = own.map(({ cause }) => cause);
    const explained = [...new Set(all.flatMap((cause) => cause.rules.map(({ rule }) => rule)))];
    const having = new Set(own.map(({ place }) => place));
    return {
      says: all[0]?.says ?? '',
      level: gravest(all),
      rules: explained,
      apis: apiVersions.filter((api) => all.some((cause) => cause.apis.includes(api))),
      weight: Math.max(...all.map(({ weight }) => weight)),
      reports: decided.map((byRule, place) => (having.has(place) ? 'has' : stateOf(byRule, explained))),
    };
  });
  return causes.toSorted(
    (a, b) =>
      Number(isSplit(b)) - Number(isSplit(a)) ||
      levels.indexOf(a.level) - levels.indexOf(b.level) ||
      b.weight - a.weight,
  );
}

/** Whether one report has the cause and another keeps its rules. */
export function isSplit({ reports }: Pick<ComparedCause, 'reports'>): boolean {
  return reports.includes('has') && reports.includes('keeps');
}

/** A target's behaviour is the same whether a baseline knows it or not. */
export function unwaived(result: Result): Result {
  if (result.verdict !== 'waived') return result;
  return { ...result, verdict: result.expected === '' && result.actual === '' ? 'blocked' : 'fail' };
}

function isDecided({ verdict }: Result): boolean {
  return ['pass', 'fail', 'waived', 'blocked', 'error'].includes(verdict);
}

function stateOf(byRule: ReadonlyMap<string, readonly Result[]>, rules: readonly string[]): CauseState {
  const own = rules.flatMap((rule) => byRule.get(rule) ?? []);
  if (own.length === 0) return 'open';
  return own.every(({ verdict }) => verdict === 'pass') ? 'keeps' : 'otherwise';
}

function gravest(causes: readonly Cause[]): Level {
  return levels.find((level) => causes.some((cause) => cause.level === level)) ?? 'must';
}
