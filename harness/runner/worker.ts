import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule, TestUserConfig, Vitest } from 'vitest/node';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Result } from '../events.ts';
import type { OthersTried, RefusalTried } from './matrix-trials.ts';
import type { RunOptions } from './options.ts';
import { endingChannel, type Plan } from './plan.ts';

/** The test of one check in one version. */
export interface CheckTest {
  readonly rule: string;
  readonly api: ApiVersion;
  /** The fault under which the check runs, when the run proves checks. */
  readonly fault: string | undefined;
}

/** What the worker reports about one finished test. */
export interface Finished extends CheckTest {
  /** Absent when the test was never run, or the kit failed in it. */
  readonly result: Result | undefined;
  /** Whether the check was begun at all. */
  readonly begun: boolean;
  readonly lost: string | undefined;
  /** How the target died, if it came back meanwhile. */
  readonly death: string | undefined;
  readonly problem: string;
  /** Of a proof: the effect of a fault on other checks. */
  readonly others: OthersTried | undefined;
  /** Of a proof: the outcome of the check where everything is refused. */
  readonly refusals: readonly RefusalTried[] | undefined;
}

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

/**
 * A check that runs longer is a defect of the kit: every exchange has a tighter bound of its own, but some checks have
 * hundreds of exchanges, which take minutes on a slow daemon.
 */
const checkMs = 30 * 60_000;

/**
 * The root of the package: the folder with package.json, found from the sources and from the build alike.
 * @throws Error where there is none, as when the build was copied without it
 */
export function packageRoot(): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  for (let directory = start; directory !== path.dirname(directory); directory = path.dirname(directory)) {
    if (existsSync(path.join(directory, 'package.json'))) return directory;
  }
  throw new Error(`no package.json above ${start}: the package is incomplete; install it again`);
}

/** Starts loading the runner, which takes a while; `runWorker` reports errors. */
export function loadRunner(): void {
  import('vitest/node').catch(() => {});
}

/**
 * Runs the checks of a plan in one vitest worker thread. It writes no files and reads no configuration of the user's.
 * @throws when vitest cannot be loaded or started
 */
export async function runWorker(
  plan: Plan,
  { concurrency, entry, signal }: Pick<RunOptions, 'concurrency' | 'entry' | 'signal'>,
  listener: WorkerListener,
): Promise<WorkerOutcome> {
  const { createVitest } = await import('vitest/node');
  // Not vitest's own cancelling: that forgets some of the concurrent tests, and waits until they end.
  const ending = new BroadcastChannel(endingChannel(plan));
  const end = () => ending.postMessage('end');
  const listenAgain = keepSignalListeners();
  const problems: string[] = [];
  const reporter: Reporter = {
    onTestCaseResult(test: TestCase) {
      listener.finished(describeTest(test));
    },
    onTestModuleCollected(module: TestModule) {
      listener.collected?.([...module.children.allTests()].map(testOf));
      // A worker that was still starting did not receive the end.
      if (signal?.aborted) end();
    },
    onTestModuleEnd(module: TestModule) {
      problems.push(...module.errors().map(({ message }) => message));
    },
    onTestRunEnd(_modules, errors) {
      problems.push(...errors.map(({ message }) => message));
    },
  };
  signal?.addEventListener('abort', end, { once: true });
  let vitest: Vitest | undefined;
  try {
    vitest = await createVitest('test', configOf(plan, { concurrency, entry, reporter }));
    if (!signal?.aborted) await vitest.start();
  } finally {
    signal?.removeEventListener('abort', end);
    ending.close();
    await vitest?.close();
    listenAgain();
  }
  return { interrupted: signal?.aborted === true, problems };
}

function configOf(
  plan: Plan,
  { concurrency, entry, reporter }: Pick<RunOptions, 'concurrency' | 'entry'> & { readonly reporter: Reporter },
): TestUserConfig {
  return {
    config: false,
    root: packageRoot(),
    dir: path.dirname(entry),
    include: [path.basename(entry)],
    exclude: [],
    watch: false,
    cache: false,
    // One thread without isolation: isolation would dominate the start-up time, and checks wait on the daemon, not on
    // the CPU.
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
    // The build is imported unchanged, both in the repository and in an installed package.
    server: { deps: { external: [/\/dist\//] } },
    provide: { plan },
    reporters: [reporter],
  };
}

function describeTest(test: TestCase): Finished {
  const { result, lost, death, begun = false, others, refusals } = test.meta();
  const { errors = [] } = test.result();
  return {
    ...testOf(test),
    result,
    begun,
    lost,
    death,
    others,
    refusals,
    problem: errors.map(({ message }) => message).join('; '),
  };
}

function testOf(test: TestCase): CheckTest {
  const { rule, api, fault } = test.meta();
  if (rule === undefined || api === undefined) throw new Error(`a test belongs to no rule: ${test.fullName}`);
  return { rule, api, fault };
}

/**
 * vitest ends the process at once on Ctrl-C, without any clean-up; the run's own handling is kept instead. Listeners
 * added while a worker runs are removed in the same turn of the event loop.
 * @returns allows listeners to be added again
 */
function keepSignalListeners(): () => void {
  const added = (name: string | symbol, listener: NodeJS.SignalsListener) => {
    if (name === 'SIGINT' || name === 'SIGTERM') queueMicrotask(() => process.off(name, listener));
  };
  process.on('newListener', added);
  return () => process.off('newListener', added);
}
