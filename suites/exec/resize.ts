import { type CheckContext, check, fixture } from '../../harness/check.ts';
import type { Answered, Exchange } from '../../harness/engine/exchange.ts';
import { Exec, makeExec, readyTerminal } from '../../harness/engine/exec.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { host } from '../support/common-containers.ts';
import { anotherTime, ifRight, ifThere } from '../support/shared-results.ts';
import { tellsSize, toldSize, type WindowSize } from '../support/streams/window-size.ts';

const size = { h: 33, w: 77 } as const;

/** A command with a terminal that has begun: that is only certain once it has written something. */
async function terminal({
  engine,
  use,
}: Pick<CheckContext, 'engine' | 'use'>): Promise<{ exec: Exec; live: LiveExchange }> {
  const container = await use(host);
  const begin = () => makeExec(engine, container, { run: tellsSize, config: { Tty: true, AttachStdin: true } });
  let exec = await begin();
  let isFirst = true;
  const live = await readyTerminal(async () => {
    if (!isFirst) exec = await begin();
    isFirst = false;
    return given(exec.start({ tty: true }), 101, 200);
  });
  return { exec, live };
}

function isResized([h, w]: WindowSize): boolean {
  return h === size.h && w === size.w;
}

/** Two commands with terminals, and the sizes that they tell once the second one is resized. */
const resized = fixture('the size of a terminal of a command that is resized', async (context) => {
  const [first, second] = [await terminal(context), await terminal(context)];
  const answer = await given(second.exec.resize(size), 201, 200);
  const told = await toldSize(second.live, isResized);
  return { answer, told, live: second.live, other: await toldSize(first.live, () => true), otherLive: first.live };
});

/** The answer of a resize that has succeeded for several rules, or else of one for this rule. */
async function resizeOnce(context: CheckContext): Promise<Exchange> {
  return (await ifThere(context.use(resized)))?.answer ?? (await terminal(context)).exec.resize(size);
}

check('exec.resize.answers-201', { faults: [answersStatus(204)] }, async (context) => {
  expect(await resizeOnce(context)).toHaveStatus(201);
});

check('exec.resize.unknown-answers-404', { faults: [answersStatus(201, 404)] }, async (context) => {
  await control(resizeOnce(context), 201, 200);
  expect(await new Exec(context.engine, '0'.repeat(64)).resize(size)).toHaveStatus(404);
});

check('exec.resize.empty-body', { faults: [answersBody('done')] }, async (context) => {
  expect(await given(resizeOnce(context), 201, 200)).toBeEmptyBody();
});

check(
  'exec.resize.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/json')] },
  async (context) => {
    expect(await given(resizeOnce(context), 201, 200)).toHaveMediaType('text/plain');
  },
);

for (const [side, place] of [
  ['h', 0],
  ['w', 1],
] as const) {
  check(`exec.resize.${side}`, { faults: [takesQueryAs(side, '40'), swallows(201)] }, async (context) => {
    const expectSide = (told: WindowSize, ...evidence: readonly Answered[]) =>
      expectValue(`${side} of the terminal`, told[place], evidence).toBe(size[side]);
    const isTold = (one: { told: WindowSize }) => one.told[place] === size[side];
    const shown = ifRight(await ifThere(context.use(resized)), isTold, anotherTime, (one) => one.live);
    if (shown) return expectSide(shown.told, shown.answer, shown.live);
    const { exec, live } = await terminal(context);
    const answer = await given(exec.resize(size), 201, 200);
    expectSide(await toldSize(live, (now) => now[place] === size[side]), answer, live);
  });
}

check('exec.resize.exec-id', { faults: [answersStatus(404), swallows(201)] }, async (context) => {
  const expectOne = (told: WindowSize, ...evidence: readonly Answered[]) =>
    expectValue('the size of the terminal', told, evidence).toBe([size.h, size.w]);
  const expectOther = (told: WindowSize, ...evidence: readonly Answered[]) =>
    expectValue('the size of the other terminal', told, evidence).toDiffer([size.h, size.w]);
  const isRight = (one: { told: WindowSize; other: WindowSize }) => isResized(one.told) && !isResized(one.other);
  const shown = ifRight(await ifThere(context.use(resized)), isRight, anotherTime, ({ live }) => live);
  if (shown) {
    expectOne(shown.told, shown.answer, shown.live);
    expectOther(shown.other, shown.answer, shown.otherLive);
    return;
  }
  const [first, second] = [await terminal(context), await terminal(context)];
  const answer = await second.exec.resize(size);
  expect(answer).toHaveStatus(201, 200);
  expectOne(await toldSize(second.live, isResized), answer, second.live);
  expectOther(await toldSize(first.live, () => true), answer, first.live);
});

check('exec.resize.without-tty', { faults: [answersStatus(201)] }, async (context) => {
  const { engine, use } = context;
  await control(resizeOnce(context), 201, 200);
  const exec = await makeExec(engine, await use(host));
  await given(exec.startDetached(), 200);
  expect(await exec.resize(size)).toBeRefused();
});
