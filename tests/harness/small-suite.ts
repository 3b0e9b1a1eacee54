/** The test file of the runs that are tested: checks of a few rules, each with another end. */
import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { runChecks } from '../../harness/runner/run-checks.ts';

const shared = fixture('a running container', ({ engine }) => makeContainer(engine, { state: 'running' }));

check('system.ping.answers-200', { faults: [answersStatus(500)] }, async ({ engine }) => {
  expect(await engine.get('/_ping')).toHaveStatus(200);
});

// Wrong on purpose: the documents say 204.
check('containers.start.answers-204', { faults: [answersStatus(500)] }, async ({ engine }) => {
  expect(await (await makeContainer(engine)).start()).toHaveStatus(299);
});

check('containers.stop.answers-204', { faults: [answersStatus(500)] }, async ({ engine }) => {
  expect(await (await makeContainer(engine, { state: 'running' })).stop({ t: 0 })).toHaveStatus(204);
});

check('containers.inspect.id-or-name', { faults: [] }, async ({ use }) => {
  expect(await (await use(shared)).inspect()).toHaveStatus(200);
});

check('containers.top.unknown-answers-404', { faults: [] }, async ({ engine }) => {
  await given(engine.get(`/containers/${engine.name('container')}/json`), 200);
});

check('containers.kill.answers-204', { faults: [] }, async () => {
  throw new TypeError('a mistake of the kit');
});

check('containers.remove.paused', { faults: [] }, async ({ engine }) => {
  observe('answers something', await engine.get('/_ping'));
});

// Its container never ends.
check(
  'containers.wait.blocks-until-stopped',
  { faults: [], notOn: (_target, api) => (api === '1.20' ? 'not in 1.20' : undefined) },
  async ({ engine }) => {
    expect(await (await makeContainer(engine, { state: 'running' })).wait({ boundMs: 60_000 })).toHaveStatus(200);
  },
);

await runChecks();
