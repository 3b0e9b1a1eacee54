/** The test file of a run whose order is tested: one check that says that it takes long, after one that does not. */
import { check } from '../../harness/check.ts';
import { expect } from '../../harness/expect/expect.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

check('system.ping.answers-200', { faults: [] }, async ({ engine }) => {
  expect(await engine.get('/_ping?short')).toHaveStatus(200);
});

check('system.version.answers-200', { faults: [], long: true }, async ({ engine }) => {
  expect(await engine.get('/_ping?long')).toHaveStatus(200);
});

await runChecks();
