/** The test file of the runs whose failures are confirmed: a check fails always, one after another, one by the daemon. */
import { check } from '../../harness/check.ts';
import { expect } from '../../harness/expect/expect.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

let stopped = false;

check('system.info.answers-200', { faults: [] }, async ({ engine }) => {
  expect(await engine.get('/_ping')).toHaveStatus(204);
});

check('system.version.answers-200', { faults: [] }, async ({ engine }) => {
  stopped = true;
  expect(await engine.get('/_ping')).toHaveStatus(200);
});

check('system.ping.answers-200', { faults: [] }, async ({ engine }) => {
  expect(await engine.get('/_ping')).toHaveStatus(stopped ? 204 : 200);
});

check('system.ping.body-OK', { faults: [] }, async ({ engine }) => {
  const answer = await engine.get('/_ping?counts');
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveText('OK');
});

await runChecks();
