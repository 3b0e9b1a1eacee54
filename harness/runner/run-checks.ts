import { parentPort } from 'node:worker_threads';
import { startTests, type Test, type VitestRunner, type VitestRunnerConfig } from '@vitest/runner';
import { getTests } from '@vitest/runner/utils';
import type { CheckTest, Finished, FromWorker, ToWorker } from './messages.ts';
import { Places } from './places.ts';
import { type Measured, registerChecks } from './register.ts';
import { Turns } from './turns.ts';

/** The places limit how many run at once, and each check its own time. */
const config: VitestRunnerConfig = {
  name: undefined,
  root: '',
  setupFiles: [],
  passWithNoTests: true,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: Number.POSITIVE_INFINITY,
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

/** Where the checks come from. */
export interface Suites {
  /** Imports the modules that declare the checks of these rules. */
  readonly load: (rules: readonly string[]) => Promise<void>;
  readonly measured: Measured;
}

/**
 * Runs the checks in this worker thread with vitest's runner: loads the suites of the rules that it is told, waits for
 * the plan, and tells the main thread what becomes of each check. At the end, it ends the thread.
 * @param suites absent where they are imported already, and nothing is measured
 * @throws Error when it is not in a worker of `worker.ts`
 */
export async function runChecks(suites?: Suites): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('the checks run in a worker thread only');
  const tell = (message: FromWorker) => port.postMessage(message);
  // A mistake anywhere does not cost the verdicts of the others.
  const problem = (error: unknown) => tell({ type: 'problem', message: String(Object(error).stack ?? error) });
  process.on('uncaughtException', problem);
  process.on('unhandledRejection', problem);

  const ending = new AbortController();
  let loaded: Promise<void> | undefined;
  const { plan, concurrency } = await new Promise<Extract<ToWorker, { type: 'plan' }>>((resolve) => {
    port.on('message', (message: ToWorker) => {
      if (message.type === 'rules') {
        loaded = suites?.load(message.rules);
        // What goes wrong is told where it is waited for.
        loaded?.catch(() => {});
      } else if (message.type === 'plan') resolve(message);
      else ending.abort();
    });
  });
  const places = new Places(concurrency);
  const turns = new Turns();
  const runner: VitestRunner = {
    config,
    importFile: () => registerChecks(plan, { places, turns, ending: ending.signal }, suites?.measured),
    onCollected: (files) => tell({ type: 'collected', tests: getTests(files).map(checkTestOf) }),
    onBeforeRunTask: ({ meta }) => turns.of(meta.turn),
    onAfterRunTask: (test) => tell({ type: 'finished', test: finishedOf(test) }),
  };
  try {
    await loaded;
    const files = await startTests(['checks'], runner);
    for (const { message } of files.flatMap(({ result }) => result?.errors ?? [])) tell({ type: 'problem', message });
  } catch (error) {
    problem(error);
  }
  tell({ type: 'over' });
  // By itself, and between two callbacks: a thread that is ended while node's HTTP parser works takes the process along.
  setImmediate(() => process.exit());
}

function checkTestOf({ meta, name }: Test): CheckTest {
  const { rule, api, fault } = meta;
  if (rule === undefined || api === undefined) throw new Error(`a test belongs to no rule: ${name}`);
  return { rule, api, fault };
}

function finishedOf(test: Test): Finished {
  const { result, lost, death, begun = false, others, refusals } = test.meta;
  const { errors = [] } = test.result ?? {};
  const problem = errors.map(({ message }) => message).join('; ');
  return { ...checkTestOf(test), result, begun, lost, death, others, refusals, problem };
}
