/** The test file of runs and proofs whose order is tested: the last checks say that they take long, or fail late. */
import { check } from '../../harness/check.ts';
import { expect } from '../../harness/expect/expect.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

check('system.ping.answers-200', { faults: [] }, async ({ engine }) => {
  expect(await engine.get('/_ping?short')).toHaveStatus(200);
});

check('system.version.answers-200', { faults: [], long: true }, async ({ engine }) => {
  expect(await engine.get('/_ping?long')).toHaveStatus(200);
});

check('system.info.answers-200', { faults: [], slowToFail: true }, async ({ engine }) => {
  expect(await engine.get('/_ping?slow')).toHaveStatus(200);
});

await runChecks();
