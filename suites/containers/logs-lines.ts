import { type CheckContext, check } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { asItIs, saying } from '../../harness/engine/output.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import { changesWholeBody, encodeFrames } from '../../harness/faults/streams.ts';
import { decodeFrames } from '../../harness/streams/frames.ts';
import { commonContainer, useCommon } from '../support/common-containers.ts';
import { no, yes } from '../support/spellings.ts';
import { carriedBy } from '../support/streams/carried-text.ts';
import {
  betweenLines,
  haveTimes,
  logOf,
  logOfStdout,
  spacedLines,
  timedLines,
  written,
} from './support/logged-container.ts';

const all = 'one\ntwo\nthree\n';

async function expectStdout(context: CheckContext, query: Query, text: string): Promise<void> {
  const { answer, stdout } = await logOf(await useCommon(context, written), query);
  expectValue('the log of stdout', stdout, [answer]).toBe(text);
}

/** A request for stdout and nothing else brings all lines, as they were written. */
async function expectAll(context: CheckContext): Promise<void> {
  const answer = await given(logOfStdout(context), 200);
  expectValue('the log of stdout', carriedBy(answer, answer.answer.body).stdout, [answer]).toBe(all);
}

async function expectStderr(context: CheckContext, query: Query, text: string): Promise<void> {
  const { answer, stderr } = await logOf(await useCommon(context, written), query);
  expectValue('the log of stderr', stderr, [answer]).toBe(text);
}

for (const [stream, other, judge, text] of [
  ['stdout', 'stderr', expectStdout, all],
  ['stderr', 'stdout', expectStderr, 'of stderr\n'],
] as const) {
  check(`containers.logs.${stream}-true`, { faults: [ignoresQuery(stream)] }, async (context) => {
    await judge(context, { [stream]: true, [other]: true }, text);
  });

  check(`containers.logs.${stream}-default-false`, { faults: [takesQueryAs(stream, '1')] }, async (context) => {
    await judge(context, { [other]: true }, '');
  });

  check(
    `containers.logs.${stream}-spellings`,
    { faults: [knowsOnly(stream, '1'), takesQueryAs(stream, '1')] },
    async (context) => {
      for (const spelling of yes) await judge(context, { [stream]: spelling, [other]: true }, text);
      for (const spelling of no) await judge(context, { [stream]: spelling, [other]: true }, '');
    },
  );
}

check('containers.logs.since', { long: true, faults: [ignoresQuery('since')] }, async (context) => {
  const since = await context.use(betweenLines);
  const container = await useCommon(context, spacedLines);
  const { answer, stdout } = await logOf(container, { stdout: true, since });
  expectValue('the log of stdout', stdout, [answer]).toBe('late\n');
});

/** A second in the year 2100, later than any line. */
const future = takesQueryAs('since', '4102444800');

check('containers.logs.since-0', { faults: [future] }, async (context) => {
  await expectStdout(context, { stdout: true, since: 0 }, all);
});

check('containers.logs.since-default-0', { faults: [future] }, async (context) => {
  await expectAll(context);
});

async function expectTimes(context: CheckContext, timestamps: string): Promise<void> {
  const both = { stdout: true, stderr: true, timestamps };
  const { answer, stdout, stderr } = await logOf(await useCommon(context, written), both);
  expectValue('the log of stdout', stdout, [answer]).toSatisfy('a time before each of its three lines', () =>
    haveTimes(stdout, ['one', 'two', 'three']),
  );
  expectValue('the log of stderr', stderr, [answer]).toSatisfy('a time before its one line', () =>
    haveTimes(stderr, ['of stderr']),
  );
}

/** Changes the texts of a log. Followed logs show how far a container has come. */
function changesTexts(name: string, change: (text: string) => string): Fault {
  return changesWholeBody(name, (body) =>
    encodeFrames(decodeFrames(body).map((frame) => ({ ...frame, payload: Buffer.from(change(`${frame.payload}`)) }))),
  );
}

const noTimeOfStderr = changesTexts('puts no time before a line of stderr', (text) =>
  text.replace(/^\S+ (?=of stderr)/, ''),
);

check('containers.logs.timestamps-true', { faults: [ignoresQuery('timestamps'), noTimeOfStderr] }, (context) =>
  expectTimes(context, '1'),
);

const timeInLine = changesTexts('puts a time before each part of a line', (text) =>
  text.replace('ly\n', '2015-12-01T12:00:00Z ly\n'),
);

check('containers.logs.timestamps-parts', { long: true, faults: [timeInLine] }, async (context) => {
  const { answer, stdout } = await timedLines(context);
  expectValue('the log of stdout', stdout, [answer]).toSatisfy('a time before each of its two lines', () =>
    haveTimes(stdout, ['early', 'late']),
  );
});

check('containers.logs.timestamps-default-false', { faults: [takesQueryAs('timestamps', '1')] }, expectAll);

check(
  'containers.logs.timestamps-spellings',
  { faults: [knowsOnly('timestamps', '1'), takesQueryAs('timestamps', '1')] },
  async (context) => {
    for (const timestamps of yes) await expectTimes(context, timestamps);
    for (const timestamps of no) await expectStdout(context, { stdout: true, timestamps }, all);
  },
);

/** How lines of two streams are counted together is left open, so there is only one stream. */
const stdoutOnly = commonContainer('a container that has written to stdout only', {
  run: ['out', 'one\\ntwo\\nthree\\n'],
  state: 'exited',
});

check('containers.logs.tail-number', { faults: [ignoresQuery('tail'), takesQueryAs('tail', '2')] }, async (context) => {
  for (const [tail, lines] of [
    [2, 'two\nthree\n'],
    [1, 'three\n'],
    [0, ''],
    [4, all],
  ] as const) {
    const isWhole = tail === 0 ? asItIs : undefined;
    const { answer, stdout } = await logOf(await useCommon(context, stdoutOnly), { stdout: true, tail }, isWhole);
    expectValue(`the log of stdout with tail=${tail}`, stdout, [answer]).toBe(lines);
  }
});

const partOfLine = changesTexts('sends the last part of a line', (text) => text.replace('ear', ''));

check('containers.logs.tail-parts', { long: true, faults: [partOfLine] }, async (context) => {
  const { answer, stdout } = await logOf(
    await useCommon(context, spacedLines),
    { stdout: true, tail: 2 },
    saying('late'),
  );
  expectValue('the log of stdout with tail=2', stdout, [answer]).toBe('early\nlate\n');
});

const lastLine = takesQueryAs('tail', '1');

check('containers.logs.tail-all', { faults: [lastLine] }, async (context) => {
  await expectStdout(context, { stdout: true, tail: 'all' }, all);
});

check('containers.logs.tail-default-all', { faults: [lastLine] }, expectAll);
