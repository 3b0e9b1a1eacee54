import { type ApiVersion, apiVersions, compareVersions } from '../../specs/versions.ts';
import type { Result, RunHandler, Verdict } from '../events.ts';
import type { Generation } from '../property/generation.ts';
import { isPattern } from '../rule-pattern.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';
import { covers, tellsNothing } from './covers.ts';
import { fingerprintOf } from './fingerprint.ts';
import { unreviewed } from './unreviewed.ts';

/** Stands between a run and its handlers. */
export interface Waiver {
  /** Passes every event on, with known deviations as `waived`. */
  readonly handler: RunHandler;
  /**
   * The entries that no longer hold, each with what to do about it. Entries of rules or versions that were not judged
   * (not chosen, skipped, or the run ended early) are left alone.
   */
  stale(): string[];
  /** The entries that excused something but have no reason yet. */
  unreviewed(): string[];
}

/** Turns each result that a baseline excuses into `waived` before the handlers see it. */
export function waive(baseline: Baseline, handlers: readonly RunHandler[]): Waiver {
  const today = new Date().toISOString().slice(0, 10);
  const byRule = new Map<string, Watched[]>();
  const watched = baseline.entries.map((entry) => new Watched(entry, today));
  for (const one of watched) {
    for (const rule of one.entry.rules) byRule.set(rule, [...(byRule.get(rule) ?? []), one]);
  }
  let complete = false;
  return {
    async handler(event) {
      const passed = event.type === 'verdict' ? { ...event, result: judge(event.result, byRule) } : event;
      if (event.type === 'run-ended') complete = event.end === 'complete';
      for (const handler of handlers) await handler(passed);
    },
    stale() {
      return complete
        ? watched.flatMap((one) => one.problems().map((problem) => `${baseline.file}:${one.entry.line}: ${problem}`))
        : [];
    },
    unreviewed() {
      return watched
        .filter(({ entry, excused }) => excused && entry.reason === unreviewed)
        .map(({ entry }) => `${baseline.file}:${entry.line}: ${entry.rule} is ${unreviewed}: write its reason`);
    },
  };
}

/** Whether a baseline excuses a result. */
export function excuses({ entries }: Baseline, result: Result): boolean {
  return entries.some(
    (entry) => entry.rules.includes(result.rule) && entry.apis.includes(result.api) && covers(entry, result),
  );
}

/** The rules with a known deviation in a baseline, by version. */
export function knownIn({ entries }: Baseline): Generation['known'] {
  return Object.fromEntries(
    apiVersions.map((api) => [api, entries.filter(({ apis }) => apis.includes(api)).flatMap(({ rules }) => rules)]),
  );
}

function judge(result: Result, byRule: ReadonlyMap<string, readonly Watched[]>): Result {
  const entries = byRule.get(result.rule)?.filter(({ entry }) => entry.apis.includes(result.api)) ?? [];
  // Every entry sees every result, as each has to hold on its own.
  const excusing = entries.filter((one) => one.excuses(result));
  const [first] = excusing;
  if (!first) return result;
  const { does, reason, kind } = first.entry;
  return { ...result, verdict: 'waived', reason: `${does} (${reason})`, ...(kind && { knownAs: kind }) };
}

/** An entry with what the run showed for its rule. */
class Watched {
  readonly entry: BaselineEntry;
  readonly #expired: boolean;
  readonly #others: Result[] = [];
  /** The versions in which it excused something, or would have if it had not expired. */
  readonly #held = new Set<ApiVersion>();
  /** It would have excused a result if it had not expired. */
  #overdue = false;

  constructor(entry: BaselineEntry, today: string) {
    this.entry = entry;
    this.#expired = entry.expires !== undefined && entry.expires < today;
  }

  /** Whether it has excused anything. */
  get excused(): boolean {
    return this.#held.size > 0 && !this.#expired;
  }

  excuses(result: Result): boolean {
    if (covers(this.entry, result)) {
      this.#held.add(result.api);
      this.#overdue ||= this.#expired;
      return !this.#expired;
    }
    this.#others.push(result);
    return false;
  }

  problems(): string[] {
    const { rule, expires } = this.entry;
    const expired = `${rule} expired on ${expires}: review the deviation, then renew or remove the entry`;
    return [...(this.#overdue ? [expired] : []), ...this.#stale()];
  }

  #stale(): string[] {
    const byVerdict = new Map<string, Result[]>();
    // Verdicts come in no fixed order, but equal runs must report the same.
    const inOrder = this.#others.toSorted(
      (one, other) => compareVersions(one.api, other.api) || (one.rule < other.rule ? -1 : 1),
    );
    for (const result of inOrder) {
      if (tellsNothing(this.entry, result)) continue;
      // A pattern holds in a version as long as one of its rules deviates there.
      if (isPattern(this.entry.rule) && this.#held.has(result.api)) continue;
      const what = describe(result, this.entry);
      byVerdict.set(what, [...(byVerdict.get(what) ?? []), result]);
    }
    return [...byVerdict].map(([what, results]) => {
      const apis = [...new Set(results.map(({ api }) => api))];
      if (what === outcomes.pass) return this.#kept(apis);
      return `${this.entry.rule} ${what} in API ${apis.join(', ')}`;
    });
  }

  /** Good news: there is nothing left to excuse. */
  #kept(apis: readonly ApiVersion[]): string {
    const isGone = this.entry.apis.every((api) => apis.includes(api));
    const toDo = isGone
      ? 'remove the entry'
      : `remove ${apis.length === 1 ? 'that version' : 'those versions'} from the entry`;
    return `${this.entry.rule} is now kept in API ${apis.join(', ')}: ${toDo}`;
  }
}

const outcomes: Readonly<Record<Verdict, string>> = {
  pass: 'is now kept',
  fail: 'now fails instead of being blocked: review the entry,',
  blocked: 'is now blocked, so the deviation did not show: review the entry,',
  skip: 'is skipped',
  observed: 'is only observed, which needs no entry: remove it,',
  waived: 'is waived by another entry: remove one of them,',
  error: 'could not be judged, as the kit failed',
  untested: 'has no check, which needs no entry: remove it,',
};

function describe(result: Result, entry: BaselineEntry): string {
  if (result.verdict !== entry.verdict) return outcomes[result.verdict];
  return `deviates differently from what the entry says: review it (the fingerprint is now ${fingerprintOf(result)})`;
}
