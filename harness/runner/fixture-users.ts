import type { ApiVersion } from '../../specs/versions.ts';

/** The rules whose checks used a fixture, by its name, as measured in a run of all checks. */
export type RecordedUsers = Readonly<Record<string, readonly string[]>>;

/** A check in one version. */
export interface User {
  readonly rule: string;
  readonly api: ApiVersion;
}

/**
 * Which fixtures will be used again in a run. The record may be older than the checks: a fixture that it lacks is kept
 * to the end, and one with more users than recorded may have to be made again.
 */
export class FixtureUsers {
  readonly #names = new Map<string, string[]>();
  readonly #recorded: RecordedUsers;
  /** Checks that have not ended yet, by the name of the fixture and the version. */
  readonly #awaited = new Map<string, Map<ApiVersion | 'all', number>>();

  /** @param checks the checks that run, in each version */
  constructor(recorded: RecordedUsers, checks: readonly User[]) {
    this.#recorded = recorded;
    for (const [name, rules] of Object.entries(recorded)) {
      for (const rule of rules) this.#names.set(rule, [...(this.#names.get(rule) ?? []), name]);
    }
    for (const check of checks) this.#count(check, 1);
  }

  /** The check has ended, or will not run. @returns whether it was the last one that some fixture waited for */
  over(check: User): boolean {
    return this.#count(check, -1);
  }

  /**
   * Whether unfinished checks may use it.
   * @param api absent for fixtures that all versions share
   */
  awaits(name: string, api?: ApiVersion): boolean {
    if (!Object.hasOwn(this.#recorded, name)) return true;
    return (this.#awaited.get(name)?.get(api ?? 'all') ?? 0) > 0;
  }

  /** @returns whether a count has come to 0 */
  #count({ rule, api }: User, by: number): boolean {
    let isLast = false;
    for (const name of this.#names.get(rule) ?? []) {
      const checks = this.#awaited.get(name) ?? new Map<ApiVersion | 'all', number>();
      this.#awaited.set(name, checks);
      for (const version of ['all', api] as const) {
        const count = (checks.get(version) ?? 0) + by;
        checks.set(version, count);
        if (count === 0) isLast = true;
      }
    }
    return isLast;
  }
}
