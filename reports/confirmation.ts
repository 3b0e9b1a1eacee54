import type { Confirmation } from '../harness/events.ts';

/** `deterministic: failed 3 of 3 times alone` */
export function confirmationText({ outcome, failed, rounds, after }: Confirmation): string {
  const alone = `failed ${failed} of ${rounds} times alone`;
  if (outcome === 'order') return `depends on order: ${alone}, and again after ${after ?? 'another check'}`;
  if (outcome === 'intermittent' && failed === 0)
    return `intermittent: ${alone}, so it needs other checks running beside it`;
  return `${outcome}: ${alone}`;
}
