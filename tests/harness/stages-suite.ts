/** The test file of a run whose checks tell when they run: alone after the others, beside generated tests, or before them. */
import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

const begun: string[] = [];
const ended: string[] = [];
let propertyBegins = () => {};
const propertyHasBegun = new Promise<void>((resolve) => {
  propertyBegins = resolve;
});

// The property decides nothing about it. If it was waited for, it would never end.
check('containers.stop.answers-204', { faults: [], long: true }, async ({ engine }) => {
  begun.push('long');
  await propertyHasBegun;
  expect(await engine.get('/_ping')).toHaveStatus(200);
});

// The property decides its rule.
check('volumes.list.every-volume', { faults: [], long: true }, async ({ engine }) => {
  begun.push('decided');
  expect(await engine.get('/_ping')).toHaveStatus(200);
  ended.push('decided');
});

check('system.ping.answers-200', { faults: [] }, async ({ engine }) => {
  begun.push('short');
  expect(await engine.get('/_ping')).toHaveStatus(200);
  ended.push('short');
});

check('containers.list.limit', { faults: [], exclusive: true }, async ({ engine }) => {
  const before = begun.length;
  const ping = await engine.get('/_ping');
  expectValue('checks that began before and during it', [before, begun.length], [ping]).toBe([3, 3]);
});

check('generated.inputs.volumes', { faults: [] }, (context) =>
  forAll(context, fc.constant(0), { runs: 1 }, async (_value, trial) => {
    propertyBegins();
    const ping = await trial.engine.get('/_ping');
    await trial.decides('volumes.list.every-volume', () =>
      expectValue('checks that ended before it', ended.toSorted(), [ping]).toBe(['decided', 'short']),
    );
  }),
);

await runChecks();
