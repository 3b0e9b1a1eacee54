import { afterBound } from '../transport/after-bound.ts';

/** Whether a step is over within a time, in milliseconds, whatever comes of it. It goes on all the same. */
export function comesWithin(step: Promise<unknown>, boundMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const endBound = afterBound(boundMs, () => resolve(false));
    const over = () => {
      endBound();
      resolve(true);
    };
    step.then(over, over);
  });
}
