import { createLogUpdate } from 'log-update';
import type { Lines, Screen } from './screen.ts';

const redrawMs = 100;
const clockMs = 1_000;

/** Redraws the temporary lines in place. */
export function liveScreen(stream: NodeJS.WriteStream): Screen {
  const log = createLogUpdate(stream);
  let lines: Lines | undefined;
  let drawn = 0;
  const draw = (atMost: number) => {
    if (!lines || Date.now() - drawn < atMost) return;
    drawn = Date.now();
    log(lines().join('\n'));
  };
  // The clock advances even if nothing comes from a slow target.
  const timer = setInterval(() => draw(redrawMs), clockMs).unref();
  return {
    isLive: true,
    write(text) {
      log.clear();
      stream.write(`${text}\n`);
      drawn = 0;
    },
    show(current) {
      lines = current;
      draw(redrawMs);
    },
    clear() {
      clearInterval(timer);
      log.clear();
      log.done();
    },
  };
}
