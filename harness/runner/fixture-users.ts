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
  /** Checks that have not ended yet, by the name of the fixture and, where each version has its own, the version. */
  readonly #awaited = new Map<string, number>();

  /** @param checks the checks that run, in each version */
  constructor(recorded: RecordedUsers, checks: readonly User[]) {
    this.#recorded = recorded;
    for (const [name, rules] of Object.entries(recorded)) {
      for (const rule of rules) this.#names.set(rule, [...(this.#names.get(rule) ?? []), name]);
    }
    for (const check of checks) this.#count(check, 1);
  }

  /** The check has ended, or will not run. */
  over(check: User): void {
    this.#count(check, -1);
  }

  /**
   * Whether unfinished checks may use it.
   * @param api absent for fixtures that all versions share
   */
  awaits(name: string, api?: ApiVersion): boolean {
    if (!Object.hasOwn(this.#recorded, name)) return true;
    return (this.#awaited.get(keyOf(name, api)) ?? 0) > 0;
  }

  #count({ rule, api }: User, by: number): void {
    for (const name of this.#names.get(rule) ?? []) {
      for (const key of [keyOf(name), keyOf(name, api)]) this.#awaited.set(key, (this.#awaited.get(key) ?? 0) + by);
    }
  }
}

function keyOf(name: string, api?: ApiVersion): string {
  return `${api ?? 'all'} ${name}`;
}
