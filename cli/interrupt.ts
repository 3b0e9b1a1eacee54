import { constants } from 'node:os';

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Watches for Ctrl-C and similar signals. */
export interface Interrupt {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  /** Exit status of a process that was ended by a signal (128 + its number), once there was one. */
  readonly status: number | undefined;
  stop(): void;
}

/**
 * The first signal asks the command to end in an orderly way; a second one ends the process at once.
 * @param asked called at the first signal
 */
export function watchInterrupt(asked: () => void): Interrupt {
  const controller = new AbortController();
  let status: number | undefined;
  const listener = (name: NodeJS.Signals) => {
    if (status !== undefined) process.exit(status);
    status = 128 + constants.signals[name];
    asked();
    controller.abort();
  };
  for (const name of names) process.on(name, listener);
  return {
    signal: controller.signal,
    get status() {
      return status;
    },
    stop() {
      for (const name of names) process.off(name, listener);
    },
  };
}
