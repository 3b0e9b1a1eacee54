import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Result, RunEvent } from '../../harness/events.ts';
import { isSlow, paceOn } from '../../harness/runner/pace.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { bundled } from '../bundle-suites.ts';
import { around } from '../generated/planted.ts';
import { optionsFor } from './run-options.ts';
import { newSocketPath } from './servers.ts';

test.each([
  { startMs: 250, checks: 8 },
  { startMs: 2_400, checks: 8 },
  { startMs: 2_600, checks: 3 },
  { startMs: 4_999, checks: 2 },
  { startMs: 9_000, checks: 1 },
  { startMs: 40_000, checks: 1 },
])('where a start takes $startMs ms and the bound is 30 s, $checks checks run at once', ({ startMs, checks }) => {
  const { concurrency, why } = paceOn({ startMs }, 8, 30_000);
  expect(concurrency).toBe(checks);
  expect(why === undefined).toBe(checks === 8);
});

test.each([
  { processors: 1, checks: 3 },
  { processors: 2, checks: 6 },
  { processors: 3, checks: 8 },
  { processors: 64, checks: 8 },
])('where the daemon has $processors processors, $checks checks run at once', ({ processors, checks }) => {
  expect(paceOn({ startMs: 250, processors }, 8, 30_000)).toEqual({ concurrency: checks });
});

test('a slow daemon with few processors gets no more than either allows', () => {
  expect(paceOn({ startMs: 2_600, processors: 1 }, 8, 30_000)).toEqual({ concurrency: 3 });
  expect(paceOn({ startMs: 9_000, processors: 2 }, 8, 30_000)).toMatchObject({
    concurrency: 1,
    why: expect.stringContaining('instead of 6'),
  });
});

test('a short bound makes no daemon slow', () => {
  expect(paceOn({ startMs: 900 }, 8, 2_000)).toEqual({ concurrency: 8 });
  expect(isSlow({ startMs: 900 }, 2_000)).toBe(false);
});

test('where nothing was started nothing is known, and all run at once', () => {
  expect(paceOn({}, 8, 30_000)).toEqual({ concurrency: 8 });
  expect(isSlow({}, 30_000)).toBe(false);
});

/** Rules whose checks start containers of their own. */
const rules = [
  'containers.attach.several-clients',
  'containers.attach.slow-client',
  'containers.attach.stream.payload-whole',
  'containers.attach.stream.tty-raw',
  'containers.create.config.open-stdin-default',
  'containers.archive-put.pseudo-paths',
  'volumes.remove.in-use-answers-409',
];
const startMs = 1_050;

/** An engine that starts one container after another, and slowly. @returns what a run says of it, and the most starts at once */
async function judgeSlowStarter(paced: boolean) {
  let last = Promise.resolve();
  let waiting = 0;
  let most = 0;
  around('POST /containers/{id}/start', async (_, answer) => {
    most = Math.max(most, ++waiting);
    last = last.then(() => delay(startMs));
    await last;
    waiting--;
    await answer();
  });
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const events: RunEvent[] = [];
  const options = {
    entry: bundled('suites/entry.ts'),
    apis: ['1.23'] as const,
    concurrency: 8,
    paced,
    timeoutMs: 6_500,
    handlers: [(event: RunEvent) => void events.push(event)],
  };
  await run(optionsFor(parseAddress(`unix://${socketPath}`), rules, options));
  const results = events.flatMap((event): Result[] => (event.type === 'verdict' ? [event.result] : []));
  const [started] = events.filter((event) => event.type === 'run-started');
  return {
    verdicts: results.map(({ rule, verdict, reason }) => ({ rule, verdict, reason })),
    most,
    slow: started?.slow,
  };
}

test('a daemon that starts slowly is asked for fewer starts at once, so that it can keep what it keeps', async () => {
  const { verdicts, most, slow } = await judgeSlowStarter(true);
  expect(slow).toMatch(/^the daemon takes 1\.\d s to start a container, so (?:one check runs|2 checks run) at once/);
  // Two checks, and two more while they wait.
  expect(most).toBeLessThanOrEqual(4);
  expect(verdicts.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
});

test('where the user says how many run at once, so many do', async () => {
  const { verdicts, most, slow } = await judgeSlowStarter(false);
  expect(slow).toBeUndefined();
  expect(most).toBeGreaterThan(4);
  expect(verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked')).not.toEqual([]);
});
