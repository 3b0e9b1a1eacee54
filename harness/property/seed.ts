import { createHash } from 'node:crypto';

/** The seed of one property in one version, so that each gets values of its own from the one seed of the run. */
export function seedOf(seed: number, rule: string, api: string): number {
  return createHash('sha256').update(`${seed} ${rule} ${api}`).digest().readInt32BE();
}
