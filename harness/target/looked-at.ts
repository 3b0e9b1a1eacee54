import type { Capability } from '../../specs/capabilities.ts';
import { untriedOf } from './capabilities.ts';
import type { Target } from './target.ts';

/** The capabilities of a target, of those not yet tried, that something looks at. */
export function lookedAt(target: Target, look: (target: Target) => void): readonly Capability[] {
  const seen = new Set<Capability>();
  const lacks = new Proxy(target.lacks, {
    get(known, name) {
      for (const untried of untriedOf(target)) if (untried === name) seen.add(untried);
      return Reflect.get(known, name);
    },
  });
  look({ ...target, lacks });
  return [...seen];
}
