import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { until } from '../../harness/faults/fault.ts';
import { knowsOnlyIdentifiers, swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { newestDocumented } from '../../specs/versions.ts';
import { created, exited, idle, terminal } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { anotherTime, ifRight, ifThere } from '../support/shared-results.ts';
import { tellsSize, toldSize, type WindowSize } from '../support/streams/window-size.ts';

const size = { h: 33, w: 77 } as const;

function resize(engine: Engine, container: string, query = size): Promise<Exchange> {
  return engine.post(`/containers/${container}/resize`, { query });
}

const resized = doneOnce('the answer of a resize', async ({ engine, use }) => resize(engine, (await use(terminal)).id));

/** A running container with a terminal. */
function makeTerminal(engine: Engine): Promise<Container> {
  const config = { Tty: true, OpenStdin: true };
  return makeContainer(engine, { run: tellsSize, state: 'running', config });
}

check('containers.resize.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await resized(context)).toHaveStatus(200);
});

check('containers.resize.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(resized(context), 200);
  expect(await resize(engine, engine.unusedName('container'))).toHaveStatus(404);
});

check('containers.resize.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await resized(context)).toHaveStatus(200);
  expect(await resize(engine, (await use(terminal)).name)).toHaveStatus(200);
});

check('containers.resize.empty-body', { faults: [answersBody('done')] }, async (context) => {
  expect(await given(resized(context), 200)).toBeEmptyBody();
});

for (const [name, header, value, other] of [
  ['content-length-0', 'Content-Length', '0', '1'],
  ['media-type', 'Content-Type', /^text\/plain;\s*charset=utf-8$/i, 'text/plain'],
] as const) {
  const faults = [dropsHeader(header), setsHeader(header, other)];
  check(`containers.resize.${name}`, { faults }, async (context) => {
    expect(await given(resized(context), 200)).toHaveHeader(header, value);
  });
}

const attached = { stream: true, stdin: true, stdout: true } as const;

interface Restarted {
  readonly told: WindowSize;
  readonly answer: Exchange;
  readonly live: LiveExchange;
}

/** What a terminal tells of its size after it was resized and restarted. */
async function restarted(engine: Engine, isRight: (size: WindowSize) => boolean): Promise<Restarted> {
  const container = await makeTerminal(engine);
  const answer = await given(resize(engine, container.id), 200);
  await given(container.restart({ t: 1 }), 204);
  const live = await given(container.attach({ ...attached, logs: true }), 101, 200);
  return { told: await toldSize(live, isRight), answer, live };
}

const restartedOnce = fixture('the size of a terminal that was resized and restarted', ({ engine }) =>
  restarted(engine, ([h, w]) => h === size.h && w === size.w),
);

for (const [side, place] of [
  ['h', 0],
  ['w', 1],
] as const) {
  check(`containers.resize.${side}`, { faults: [takesQueryAs(side, '40'), swallows(200)] }, async ({ engine, use }) => {
    const shown = await ifThere(use(restartedOnce));
    const isRight = (now: WindowSize) => now[place] === size[side];
    const isTold = (one: Restarted) => isRight(one.told);
    const shared = ifRight(shown, isTold, anotherTime, (one) => one.live);
    const { told, answer, live } = shared ?? (await restarted(engine, isRight));
    expectValue(`${side} of the terminal after a restart`, told[place], [answer, live]).toBe(size[side]);
  });
}

const answersOtherwise = [until(newestDocumented, answersStatus(409, 500)), answersStatus(404, 500)];

check('containers.resize.cannot-resize-500', { faults: answersOtherwise }, async (context) => {
  const { engine, use } = context;
  await control(resized(context), 200);
  // Which containers cannot be resized is not stated: of those that some daemons do not resize, each refused one
  // counts.
  const refused: Exchange[] = [];
  for (const { id } of [await use(idle), await use(created), await use(exited)]) {
    const answer = await resize(engine, id);
    if (answer.status !== 200) refused.push(answer);
  }
  if (refused.length === 0) throw new NotApplicable('it resizes containers without a terminal and such as do not run');
  for (const answer of refused) expect(answer).toHaveStatus(500);
});

/** One wait is enough for all versions, as it is a property of the daemon. */
const sizeBeforeRestart = fixture(
  'the size of a terminal before a restart',
  async ({ engine }) => {
    const container = await makeTerminal(engine);
    await given(resize(engine, container.id), 200);
    const live = await given(container.attach({ ...attached, logs: true }), 101, 200);
    return { live, told: await toldSize(live, (now) => now[0] === size.h && now[1] === size.w) };
  },
  { allVersions: (made) => made },
);

check('containers.resize.effect-before-restart', { long: true, faults: [] }, async ({ use }) => {
  const { live, told } = await use(sizeBeforeRestart);
  const [h, w] = told;
  observe(h === size.h && w === size.w ? 'is in effect at once' : 'is not in effect before a restart', live);
});

check('containers.resize.without-tty', { faults: [] }, async ({ engine, use }) => {
  const { id } = await use(idle);
  const answer = await resize(engine, id);
  observe(`answers ${answer.status}`, answer);
});
