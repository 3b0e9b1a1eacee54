import { Worker } from 'node:worker_threads';
import type { CheckTest, Finished, FromWorker, ToWorker } from './messages.ts';
import type { RunOptions } from './options.ts';
import type { Plan } from './plan.ts';

export interface WorkerListener {
  /** Called once with every test that will run. */
  readonly collected?: (tests: readonly CheckTest[]) => void;
  /** Called for every test in the order in which they end. */
  readonly finished: (test: Finished) => void;
}

export interface WorkerOutcome {
  readonly interrupted: boolean;
  /** What went wrong outside any test; empty if nothing did. */
  readonly problems: readonly string[];
}

let preloaded: CheckWorker | undefined;

/** Begins to load what all checks need, for the next run with this entry. It keeps no process alive. */
export function preloadWorker(entry: string): void {
  preloaded = new CheckWorker(entry);
  preloaded.keepsAlive(false);
}

/** A worker that has begun to load the suites of these rules. */
export function startWorker(entry: string, rules: readonly string[]): CheckWorker {
  const worker = preloaded?.entry === entry ? preloaded : new CheckWorker(entry);
  if (worker === preloaded) preloaded = undefined;
  worker.keepsAlive(true);
  worker.load(rules);
  return worker;
}

/**
 * Where V8 is allowed more, it leaves garbage for longer. The old generation may become ten times what a run on a right
 * daemon needs; half the usual young one costs no time and takes 35 MB less.
 */
const resourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 24 };

/** A thread that is over ends by itself; after this time it is ended. */
const lingerMs = 5_000;

/** One worker thread, which runs the checks of one plan. */
export class CheckWorker {
  readonly entry: string;
  readonly #thread: Worker;
  readonly #problems: string[] = [];
  readonly #exited: Promise<void>;
  #listener: WorkerListener | undefined;
  #isOver = false;

  /** @param entry the file that runs the checks of the suites, with `runChecks` */
  constructor(entry: string) {
    this.entry = entry;
    this.#thread = new Worker(entry, { resourceLimits });
    const problem = (error: unknown) => this.#problems.push(error instanceof Error ? error.message : String(error));
    this.#thread.on('message', (message: FromWorker) => {
      try {
        this.#receive(message);
      } catch (error) {
        // A mistake of a listener must not end the process before what was made is removed.
        problem(error);
      }
    });
    this.#thread.on('error', problem);
    this.#exited = new Promise((resolve) => this.#thread.once('exit', () => resolve()));
  }

  /** Loads the suites of these rules. To be called once, before `run`. */
  load(rules: readonly string[]): void {
    this.#send({ type: 'rules', rules });
  }

  /** Runs the checks of a plan, and ends the thread. What goes wrong is in the outcome. */
  async run(
    plan: Plan,
    { concurrency, signal }: Pick<RunOptions, 'concurrency' | 'signal'>,
    listener: WorkerListener,
  ): Promise<WorkerOutcome> {
    this.#listener = listener;
    const end = () => this.#send({ type: 'end' });
    signal?.addEventListener('abort', end, { once: true });
    try {
      if (!signal?.aborted) {
        this.#send({ type: 'plan', plan, concurrency });
        await this.#exited;
        if (!this.#isOver && this.#problems.length === 0) this.#problems.push('the worker thread ended by itself');
      }
    } finally {
      signal?.removeEventListener('abort', end);
      await this.close();
    }
    return { interrupted: signal?.aborted === true, problems: this.#problems };
  }

  /** Whether the process goes on for as long as the thread does. */
  keepsAlive(does: boolean): void {
    if (does) this.#thread.ref();
    else this.#thread.unref();
  }

  /** Ends the thread, whatever it does. */
  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #send(message: ToWorker): void {
    this.#thread.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'collected':
        this.#listener?.collected?.(message.tests);
        break;
      case 'finished':
        this.#listener?.finished(message.test);
        break;
      case 'problem':
        this.#problems.push(message.message);
        break;
      case 'over':
        this.#isOver = true;
        setTimeout(() => void this.close(), lingerMs).unref();
    }
  }
}
