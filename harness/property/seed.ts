import { createHash } from 'node:crypto';

/** The seed of one property in one version, derived from the run's seed, so that each gets different values. */
export function seedOf(seed: number, rule: string, api: string): number {
  return createHash('sha256').update(`${seed} ${rule} ${api}`).digest().readInt32BE();
}
