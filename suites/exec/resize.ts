import { type CheckContext, check } from '../../harness/check.ts';
import { Exec, makeExec } from '../../harness/engine/exec.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { host } from '../support/common-containers.ts';
import { tellsSize, toldSize } from '../support/streams/window-size.ts';

const size = { h: 33, w: 77 } as const;

/** A started command with a terminal. */
async function terminal({ engine, use }: CheckContext): Promise<{ exec: Exec; live: LiveExchange }> {
  const config = { Tty: true, AttachStdin: true };
  const exec = await makeExec(engine, await use(host), { run: tellsSize, config });
  return { exec, live: await given(exec.start({ tty: true }), 101, 200) };
}

check('exec.resize.answers-201', { faults: [answersStatus(204)] }, async (context) => {
  expect(await (await terminal(context)).exec.resize(size)).toHaveStatus(201);
});

check('exec.resize.unknown-answers-404', { faults: [answersStatus(201, 404)] }, async (context) => {
  await control((await terminal(context)).exec.resize(size), 201, 200);
  expect(await new Exec(context.engine, '0'.repeat(64)).resize(size)).toHaveStatus(404);
});

check('exec.resize.empty-body', { faults: [answersBody('done')] }, async (context) => {
  expect(await given((await terminal(context)).exec.resize(size), 201, 200)).toBeEmptyBody();
});

check(
  'exec.resize.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/json')] },
  async (context) => {
    expect(await given((await terminal(context)).exec.resize(size), 201, 200)).toHaveMediaType('text/plain');
  },
);

for (const [side, place] of [
  ['h', 0],
  ['w', 1],
] as const) {
  check(`exec.resize.${side}`, { faults: [takesQueryAs(side, '40'), swallows(201)] }, async (context) => {
    const { exec, live } = await terminal(context);
    const resized = await given(exec.resize(size), 201, 200);
    const told = await toldSize(live, (now) => now[place] === size[side]);
    expectValue(`${side} of the terminal`, told[place], [resized, live]).toBe(size[side]);
  });
}

check('exec.resize.exec-id', { faults: [answersStatus(404), swallows(201)] }, async (context) => {
  const [first, second] = [await terminal(context), await terminal(context)];
  const answer = await second.exec.resize(size);
  expect(answer).toHaveStatus(201, 200);
  const told = await toldSize(second.live, (now) => now[0] === size.h && now[1] === size.w);
  expectValue('the size of the terminal', told, [answer, second.live]).toBe([size.h, size.w]);
  const other = await toldSize(first.live, () => true);
  expectValue('the size of the other terminal', other, [answer, first.live]).toDiffer([size.h, size.w]);
});

check('exec.resize.without-tty', { faults: [answersStatus(201)] }, async (context) => {
  const { engine, use } = context;
  await control((await terminal(context)).exec.resize(size), 201, 200);
  const exec = await makeExec(engine, await use(host));
  await given(exec.startDetached(), 200);
  expect(await exec.resize(size)).toBeRefused();
});
