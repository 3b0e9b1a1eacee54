import type { ApiVersion } from '../../specs/versions.ts';
import type { Check } from '../check.ts';

/** When the checks of a run have ended, so that others can wait for them. */
export class Ends {
  readonly #ends = new Map<string, Promise<void>>();

  add(rule: string, api: ApiVersion, end: Promise<void>): void {
    this.#ends.set(`${rule} ${api}`, end);
  }

  /** Waits for a check; not at all if it does not run in the version. */
  async of(rule: string, api: ApiVersion): Promise<void> {
    await this.#ends.get(`${rule} ${api}`);
  }

  /** Waits for some checks in some versions. */
  async ofAll(checks: readonly Check[], apis: readonly ApiVersion[]): Promise<void> {
    for (const api of apis) for (const { rule } of checks) await this.of(rule.id, api);
  }
}
