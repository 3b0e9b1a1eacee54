/** The test file of runs with generated tests: properties that hold, do not hold, or cannot be decided. */
import fc from 'fast-check';
import { check, fixture } from '../../harness/check.ts';
import { create, createBody, makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 20 });

// Wrong on purpose: says that the daemon deviates for lists with a number over 100, and otherwise for longer ones.
check('system.ping.answers-200', { faults: [] }, (context) =>
  forAll(context, numbers, { runs: 100 }, async (value, trial) => {
    for (const one of value) trial.step(`adds ${one}`);
    const ping = await trial.engine.get('/_ping');
    const largest = Math.max(...value);
    await trial.decides('system.ping.body-OK', () => expectValue('the largest', largest <= 100, [ping]).toBe(true));
    await trial.decides('system.ping.text-plain', () => expectValue('the length', value.length < 3, [ping]).toBe(true));
  }),
);

check('containers.create.answers-201', { faults: [] }, (context) =>
  forAll(context, fc.nat(), { runs: 5 }, async (_value, { engine }) => {
    expect(await create(engine, createBody(engine))).toHaveStatus(201);
  }),
);

check('containers.start.answers-204', { faults: [] }, (context) =>
  forAll(context, fc.nat(), { runs: 5 }, async (_value, { engine }) => {
    await given(engine.get(`/containers/${engine.name('container')}/json`), 200);
  }),
);

// Wrong on purpose, as are the properties below that decide the same.
check('containers.rename.name', { faults: [] }, async ({ engine }) => {
  expect(await engine.get('/_ping')).toHaveStatus(418);
});

check('volumes.create.answers-201', { faults: [] }, async ({ engine }) => {
  await given(engine.get('/_ping'), 418);
});

check('generated.inputs.container-names', { faults: [] }, (context) =>
  forAll(context, fc.nat(), { runs: 5 }, async (value, trial) => {
    const ping = await trial.engine.get('/_ping');
    await trial.decides('containers.rename.name', () => expectValue('a value', value, [ping]).toBe(-1));
    await trial.decides('containers.create.name', () => expectValue('a value', value, [ping]).toBeAtLeast(0));
  }),
);

check('generated.inputs.volumes', { faults: [] }, (context) =>
  forAll(context, fc.nat(), { runs: 5 }, async (value, trial) => {
    const ping = await trial.engine.get('/_ping');
    await trial.decides('volumes.create.answers-201', () => expectValue('a value', value, [ping]).toBe(-1));
    await trial.decides('volumes.list.every-volume', () => expectValue('a value', value, [ping]).toBe(-2));
  }),
);

const shared = fixture('a container that trials share', ({ engine }) => makeContainer(engine));

// Wrong on purpose, whoever made the container.
check('containers.inspect.answers-200', { faults: [] }, (context) =>
  forAll(context, numbers, { runs: 5, unbiased: true }, async (value, trial) => {
    const container = await trial.use(shared);
    const inspect = await container.inspect();
    const isLong = value.length > 2;
    await trial.decides('containers.inspect.field.Name', () =>
      expectValue('a long list', isLong, [inspect]).toBe(false),
    );
  }),
);

let firstId: string | undefined;

// Wrong on purpose about the container that is shared, which the first trial has.
check('containers.list.answers-200', { faults: [] }, (context) =>
  forAll(context, numbers, { runs: 5, unbiased: true }, async (value, trial) => {
    const container = await trial.use(shared);
    firstId ??= container.id;
    const inspect = await container.inspect();
    const isFirst = container.id === firstId && value.length > 2;
    await trial.decides('containers.inspect.field.Id', () => expectValue('the first', isFirst, [inspect]).toBe(false));
  }),
);

await runChecks();
