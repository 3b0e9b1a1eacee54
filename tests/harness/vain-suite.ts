/** The test file of a proof in which three checks wait under their faults until all three do. */
import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../../harness/check.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

let waiting = 0;
let allWait = () => {};
const together = new Promise<void>((resolve) => {
  allWait = resolve;
});

for (const [id, path] of [
  ['system.ping.answers-200', '/_ping'],
  ['system.version.answers-200', '/version'],
  ['system.info.answers-200', '/info'],
] as const) {
  check(id, { faults: [answersStatus(500)], slowToFail: true }, async ({ engine }) => {
    const answer = await engine.get(path);
    if (answer.status === 500) {
      waiting++;
      if (waiting === 3) allWait();
      const isAlone = await Promise.race([together.then(() => false), delay(5_000, true)]);
      // Then the fault is missed.
      if (isAlone) return expect(answer).toHaveStatus(500);
    }
    expect(answer).toHaveStatus(200);
  });
}

await runChecks();
