import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { RunEvent } from '../../harness/events.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { proxyTo } from './proxy.ts';
import { optionsFor } from './run-options.ts';
import { newSocketPath } from './servers.ts';

const rules = [
  'system.ping.answers-200',
  'containers.stop.answers-204',
  'containers.inspect.id-or-name',
  'containers.remove.paused',
];

/** Runs against an engine that dies at its first stop; a supervisor may start a new one, which knows nothing. */
async function runWithDeath(restartsAfterMs: number | undefined, restartMs: number) {
  const socketPath = newSocketPath();
  const listen = { socketPath };
  let engine = await startReferenceEngine({ listen });
  let deaths = 0;
  const dying = await proxyTo(parseAddress(`unix://${socketPath}`), {
    before: ({ request, answer }) => {
      if (deaths > 0 || !request.url?.includes('/stop')) return false;
      deaths++;
      answer.destroy();
      supervised = engine.close().then(async () => {
        if (restartsAfterMs === undefined) return;
        await delay(restartsAfterMs);
        engine = await startReferenceEngine({ listen });
      });
      return true;
    },
  });
  let supervised = Promise.resolve();
  onTestFinished(async () => {
    await supervised;
    await engine.close();
  });
  const events: RunEvent[] = [];
  const handlers = [(event: RunEvent) => void events.push(event)];
  const ended = await run(optionsFor(dying, rules, { apis: ['1.21', '1.23'], concurrency: 1, restartMs, handlers }));
  const results = events.flatMap((event) => (event.type === 'verdict' ? [event.result] : []));
  const verdicts = Object.fromEntries(results.map(({ rule, api, verdict }) => [`${rule} ${api}`, verdict]));
  return { events, results, verdicts, ended };
}

test('a target that comes back is judged on, and the check during which it died is blocked', async () => {
  const { events, results, verdicts, ended } = await runWithDeath(700, 20_000);
  expect(ended.end).toBe('complete');
  expect(verdicts).toEqual({
    'system.ping.answers-200 1.21': 'pass',
    'containers.stop.answers-204 1.21': 'blocked',
    'containers.inspect.id-or-name 1.21': 'pass',
    'containers.remove.paused 1.21': 'observed',
    'system.ping.answers-200 1.23': 'pass',
    'containers.stop.answers-204 1.23': 'pass',
    'containers.inspect.id-or-name 1.23': 'pass',
    'containers.remove.paused 1.23': 'observed',
  });
  expect(results.find(({ verdict }) => verdict === 'blocked')?.reason).toMatch(
    /^the target died and came back meanwhile/,
  );
  const restarts = events.filter(({ type }) => type === 'target-restarted');
  expect(restarts).toMatchObject([{ after: 'containers.stop.answers-204' }]);
});

test('one that does not come back in time is lost, and it is said how long it was waited for', async () => {
  const { verdicts, ended } = await runWithDeath(undefined, 1_000);
  expect(ended).toMatchObject({ end: 'lost', endReason: expect.stringMatching(/it did not come back in 1 s$/) });
  expect(verdicts['containers.stop.answers-204 1.23']).toBe('blocked');
});
