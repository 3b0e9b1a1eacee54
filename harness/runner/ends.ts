import type { ApiVersion } from '../../specs/versions.ts';
import type { Check } from '../check.ts';

/** When the checks of a run have ended, so that others can wait for them. */
export class Ends {
  readonly #ends = new Map<string, Promise<void>>();
  readonly #together = new Map<readonly Check[], Promise<void>>();
  readonly #apis: readonly ApiVersion[];

  /** @param apis the versions of the run */
  constructor(apis: readonly ApiVersion[]) {
    this.#apis = apis;
  }

  add(rule: string, api: ApiVersion, end: Promise<void>): void {
    this.#ends.set(`${rule} ${api}`, end);
  }

  /** Waits for a check; not at all if it does not run in the version. */
  async of(rule: string, api: ApiVersion): Promise<void> {
    await this.#ends.get(`${rule} ${api}`);
  }

  /** Waits for some checks in all versions. However many wait for them, it is one wait. */
  ofAll(checks: readonly Check[]): Promise<void> {
    const wait = this.#together.get(checks) ?? this.#all(checks);
    this.#together.set(checks, wait);
    return wait;
  }

  async #all(checks: readonly Check[]): Promise<void> {
    for (const api of this.#apis) for (const { rule } of checks) await this.of(rule.id, api);
  }
}
