import type { TargetIdentity } from '../harness/events.ts';

/** What a target calls itself, for people. */
export function targetName({ product, version }: Pick<TargetIdentity, 'product' | 'version'>): string {
  return [product || 'unnamed engine', version].filter(Boolean).join(' ');
}
