/** The test file of a proof that is tested: a refusal with its positive control, one without, and two rules of one answer. */
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

check('containers.start.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async ({ engine }) => {
  await control((await makeContainer(engine)).start(), 204);
  expect(await engine.post(`/containers/${engine.name('container')}/start`)).toHaveStatus(404);
});

// Wrong on purpose: what answers 404 to everything keeps it too.
check('containers.stop.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async ({ engine }) => {
  expect(await engine.post(`/containers/${engine.name('container')}/stop`)).toHaveStatus(404);
});

check('system.ping.answers-200', { faults: [answersStatus(500)] }, async ({ engine }) => {
  expect(await engine.get('/_ping')).toHaveStatus(200);
});

check('system.ping.text-plain', { faults: [dropsHeader('Content-Type')] }, async ({ engine }) => {
  const answer = await engine.get('/_ping');
  expect(answer).toHaveStatus(200);
  expect(answer).toHaveMediaType('text/plain');
});

await runChecks();
