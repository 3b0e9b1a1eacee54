import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import {
  doublesQuery,
  halvesQuery,
  ignoresQuery,
  ignoresZero,
  swallows,
  takesQueryAs,
} from '../../harness/faults/requests.ts';
import { ifThere } from '../support/shared-results.ts';
import { startedInTurn } from './start.ts';
import { checkOperation } from './support/operation-checks.ts';
import { checkSignal } from './support/signal-checks.ts';
import {
  afterPatience,
  expectHaste,
  expectKilledAtOnce,
  expectKilledSoon,
  killedAtOnce,
  makeDeaf,
  stoppedByItself,
} from './support/stop-patience.ts';

const stopped = checkOperation('stop', 'running', (container) => container.stop());

check('containers.stop.stopped-answers-304', { faults: [answersStatus(204, 304)] }, async ({ engine, use }) => {
  const { answer, container } = await use(stopped.id);
  await control(Promise.resolve(answer), 204);
  expect(await container.boundTo(engine).stop()).toHaveStatus(304);
});

check('containers.stop.container-not-running', { faults: [swallows(204)] }, async ({ engine, use }) => {
  const { answer, container } = await use(stopped.id);
  await given(Promise.resolve(answer), 204);
  expect(await given(container.boundTo(engine).inspect(), 200))
    .field('State.Running')
    .toBe(false);
});

check(
  'containers.stop.kills-after-t',
  { long: true, faults: [swallows(204), ignoresQuery('t'), halvesQuery('t')] },
  async ({ engine, use }) => {
    const waits = await use(afterPatience.stop);
    for (const { after } of [waits.hasty, waits.patient]) expect(after).field('State.Running').toBe(false);
    await expectHaste(engine, waits);
  },
);

check(
  'containers.stop.kills-soon-after-t',
  { long: true, faults: [doublesQuery('t'), ignoresZero('t')] },
  async ({ engine, use }) => {
    const waits = await use(afterPatience.stop);
    await expectKilledSoon(engine, waits);
    await expectKilledAtOnce(engine, waits, await use(killedAtOnce.stop));
  },
);

check('containers.stop.waits-up-to-t', { faults: [takesQueryAs('t', '0')] }, async ({ use }) => {
  const { inspect } = await use(stoppedByItself);
  expect(inspect).field('State.ExitCode').toBe(7);
});

checkSignal({
  operation: 'stop',
  operate: (container, query) => container.stop(query),
  judge: (stdout, answer, wanted) => expectValue('the log of stdout', stdout, [answer]).toBe(wanted),
});

/** One wait is enough for all versions, as it is a property of the daemon. */
const withoutT = fixture(
  'a stop without t of a container that only a kill ends',
  async ({ engine }) => {
    const container = await makeDeaf(engine);
    const begun = performance.now();
    const answer = await given(engine.post(container.path('stop'), { takesMs: 30_000 }), 204);
    return { answer, tookMs: performance.now() - begun };
  },
  { allVersions: (made) => made },
);

check('containers.stop.t-default', { long: true, faults: [] }, async ({ use }) => {
  const { answer, tookMs } = await use(withoutT);
  // A busy machine takes longer, but never less.
  observe(`waits ${5 * Math.floor(tookMs / 5_000)} s or somewhat more`, answer);
});

check('containers.stop.bad-t', { faults: [] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(startedInTurn)))?.container;
  const container = shared?.boundTo(engine) ?? (await makeContainer(engine, { state: 'running' }));
  const answer = await engine.post(container.path('stop'), { query: { t: 'soon' } });
  observe(`answers ${answer.status}`, answer);
});

check('containers.stop.created', { faults: [] }, async ({ engine }) => {
  const answer = await (await makeContainer(engine)).stop();
  observe(`answers ${answer.status}`, answer);
});
