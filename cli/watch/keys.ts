const ctrlC = '\u0003';

/** What a key requests: another run at once, or the end. */
export type Wish = 'again' | 'end';

/**
 * Settles at the next meaningful key; never without a terminal. Keys are read one by one until then or until `signal`
 * is aborted.
 */
export function keyPressed(signal: AbortSignal, stdin: NodeJS.ReadStream = process.stdin): Promise<Wish> {
  return new Promise((resolve) => {
    if (!stdin.isTTY || signal.aborted) return;
    const stop = () => {
      stdin.off('data', read).pause();
      stdin.setRawMode(false);
    };
    const read = (data: Buffer) => {
      for (const key of data.toString('latin1')) {
        // A terminal that delivers single keys sends no signal for this one.
        if (key === ctrlC) process.kill(process.pid, 'SIGINT');
        const wish = wishes[key.toLowerCase()];
        if (wish) resolve(wish);
      }
    };
    stdin.setRawMode(true);
    stdin.on('data', read).resume();
    signal.addEventListener('abort', stop, { once: true });
  });
}

const wishes: Readonly<Record<string, Wish>> = { r: 'again', '\r': 'again', '\n': 'again', q: 'end' };
