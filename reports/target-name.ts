import type { TargetIdentity } from '../harness/events.ts';

/** A target's own name, for people. */
export function targetName({ product, version }: Pick<TargetIdentity, 'product' | 'version'>): string {
  return [product || 'unnamed engine', version].filter(Boolean).join(' ');
}
