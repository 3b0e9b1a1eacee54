/** A timer that is so late, in milliseconds, shows that this process did not run: it was stopped, or the machine was suspended. */
const standstillMs = 1_000;
/** Of more, a timer takes one millisecond. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Calls back when a bound is over. If the process did not run when the bound ended, nothing of what came meanwhile has been
 * read yet, and the daemon may have stood still as well: the bound is as much longer then, up to twice as long.
 * @param boundMs one of more than 24 days, as an infinite one, is never over
 * @param longer is told by how many milliseconds, whenever that happens
 * @returns ends the bound
 */
export function afterBound(boundMs: number, over: () => void, longer: (byMs: number) => void = () => {}): () => void {
  if (boundMs > longestTimerMs) return () => {};
  let timer: NodeJS.Timeout;
  const wait = (ms: number) => {
    const endsAt = performance.now() + ms;
    timer = setTimeout(() => {
      const lateMs = performance.now() - endsAt;
      if (lateMs <= standstillMs) return over();
      const byMs = Math.min(lateMs, boundMs);
      longer(lateMs + byMs);
      wait(byMs);
    }, ms);
  };
  wait(boundMs);
  return () => clearTimeout(timer);
}
