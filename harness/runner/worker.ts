import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestCase, TestModule } from 'vitest/node';
import type { Result } from '../events.ts';
import type { Plan } from './plan.ts';

/** What the worker tells about one finished test. */
export interface Finished {
  readonly result: Result | undefined;
  readonly fault: string | undefined;
  readonly lost: string | undefined;
  /** Name of the test, for one that ended without a result. */
  readonly title: string;
  readonly problem: string;
}

export interface WorkerOutcome {
  readonly interrupted: boolean;
  /** What went wrong outside of any test; empty when nothing did. */
  readonly problems: readonly string[];
}

/** A check that runs longer than this is a fault of the kit: every exchange has a tighter bound of its own. */
const checkMs = 180_000;

/** The root of the package: the folder with package.json, from the sources as well as from the build. */
export function packageRoot(): string {
  let directory = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(directory, 'package.json'))) directory = path.dirname(directory);
  return directory;
}

/**
 * Runs the checks of a plan in one worker thread of vitest. No file is written, and no configuration of the user's is
 * read.
 * @param finished called for every test in the order in which they end
 * @throws when vitest cannot be loaded or started
 */
export async function runWorker(
  plan: Plan,
  concurrency: number,
  finished: (test: Finished) => void,
  signal: AbortSignal | undefined,
): Promise<WorkerOutcome> {
  const { createVitest } = await import('vitest/node');
  const own = listenersOfSignals();
  const seen = new Set<string>();
  const problems: string[] = [];
  let reason = 'failed';
  const vitest = await createVitest('test', {
    config: false,
    root: packageRoot(),
    dir: path.dirname(fileURLToPath(import.meta.url)),
    include: [path.basename(fileURLToPath(new URL(`./entry${path.extname(import.meta.url)}`, import.meta.url)))],
    exclude: [],
    watch: false,
    cache: false,
    // One thread without isolation: start-up is what isolation costs, and checks wait on the daemon, not on the CPU.
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    maxConcurrency: concurrency,
    testTimeout: checkMs,
    hookTimeout: checkMs,
    retry: 0,
    allowOnly: false,
    passWithNoTests: true,
    silent: false,
    // The build is imported as it stands, from the repository as from an installed package.
    server: { deps: { external: [/\/dist\//] } },
    provide: { plan },
    reporters: [
      {
        onTestCaseResult(test: TestCase) {
          // A cancelled run reports every finished test a second time.
          if (seen.has(test.id)) return;
          seen.add(test.id);
          finished(describeTest(test));
        },
        onTestModuleEnd(module: TestModule) {
          problems.push(...module.errors().map(({ message }) => message));
        },
        onTestRunEnd(_modules, errors, end) {
          problems.push(...errors.map(({ message }) => message));
          reason = end;
        },
      },
    ],
  });
  dropSignalListeners(own);
  const cancel = () => void vitest.cancelCurrentRun('keyboard-input');
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    if (!signal?.aborted) await vitest.start();
  } finally {
    signal?.removeEventListener('abort', cancel);
    await vitest.close();
  }
  return { interrupted: reason === 'interrupted' || signal?.aborted === true, problems };
}

function describeTest(test: TestCase): Finished {
  const { result, fault, lost } = test.meta();
  const { errors = [] } = test.result();
  return { result, fault, lost, title: test.name, problem: errors.map(({ message }) => message).join('; ') };
}

type Listener = NodeJS.SignalsListener;

function listenersOfSignals(): Map<NodeJS.Signals, Listener[]> {
  return new Map((['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name) as Listener[]]));
}

/** vitest ends the process at once on Ctrl-C, without any clean-up; the run's own handling is kept instead. */
function dropSignalListeners(own: Map<NodeJS.Signals, Listener[]>): void {
  for (const [name, kept] of own) {
    for (const listener of process.listeners(name) as Listener[]) {
      if (!kept.includes(listener)) process.off(name, listener);
    }
  }
}
