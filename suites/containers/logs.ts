import { type CheckContext, check, fixture } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import { framesOf, type LiveExchange } from '../../harness/engine/live-exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { ignoresQuery, knowsOnly, knowsOnlyIdentifiers, takesQueryAs } from '../../harness/faults/requests.ts';
import { outputs } from '../../harness/streams/frames.ts';
import { checkStream } from '../streams/framing.ts';

const [yes, no] = [
  ['1', 'True', 'true'],
  ['0', 'False', 'false'],
] as const;

checkStream('containers.logs', async (engine, { run, tty }, upgrade) => {
  const container = await makeContainer(engine, { run, state: 'exited', config: { Tty: tty ?? false } });
  return container.openLogs({ stdout: true, stderr: true }, upgrade);
});

/** A container that has written three lines to stdout and one to stderr, and ended. */
const written = fixture('a container that has written to its log', ({ engine }) =>
  makeContainer(engine, { run: ['out', 'one\\n', 'err', 'of stderr\\n', 'out', 'two\\nthree\\n'], state: 'exited' }),
);

interface Log {
  readonly answer: Exchange;
  readonly stdout: string;
  readonly stderr: string;
}

async function logOf(container: Container, query: Query): Promise<Log> {
  const answer = await given(container.logs(query), 200);
  const frames = await settled((async () => framesOf(answer.answer.body))(), 'reading the log');
  const { stdout, stderr } = outputs(frames);
  return { answer, stdout: stdout.toString(), stderr: stderr.toString() };
}

const all = 'one\ntwo\nthree\n';

async function expectStdout({ use }: CheckContext, query: Query, text: string): Promise<void> {
  const { answer, stdout } = await logOf(await use(written), query);
  expectValue('the log of stdout', stdout, [answer]).toBe(text);
}

async function expectStderr({ use }: CheckContext, query: Query, text: string): Promise<void> {
  const { answer, stderr } = await logOf(await use(written), query);
  expectValue('the log of stderr', stderr, [answer]).toBe(text);
}

check('containers.logs.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async ({ engine, use }) => {
  await control((await use(written)).logs({ stdout: true }), 200);
  const missing = engine.name('container');
  expect(await new Container(engine, missing, missing).logs({ stdout: true })).toHaveStatus(404);
});

check('containers.logs.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async ({ engine, use }) => {
  const { id, name } = await use(written);
  for (const form of [id, name]) {
    expect(await new Container(engine, form, name).logs({ stdout: true })).toHaveStatus(200);
  }
});

/** What the log of a container with a logging driver has of what it wrote. */
async function logWithDriver(engine: Engine, Type: string): Promise<Exchange> {
  const hostConfig = { LogConfig: { Type, Config: {} } };
  const container = await makeContainer(engine, { run: ['out', 'logged\\n'], state: 'exited', hostConfig });
  return container.logs({ stdout: true });
}

for (const driver of ['json-file', 'journald'] as const) {
  check(`containers.logs.driver-${driver}`, { faults: [answersBody(''), answersStatus(500)] }, async ({ engine }) => {
    const answer = await logWithDriver(engine, driver);
    expect(answer).toHaveStatus(200);
    expectValue('the log', answer.text, [answer]).toContain('logged\n');
  });
}

check('containers.logs.other-drivers', { faults: [answersBody('logged\n')] }, async ({ engine }) => {
  const answer = await logWithDriver(engine, 'none');
  expectValue('what is answered for the driver none', answer.text, [answer]).toLack('logged\n');
});

/** A running container that writes once more when it gets SIGUSR1. */
function makeSignalled(engine: Engine): Promise<Container> {
  return makeContainer(engine, { run: ['catch', 'out', 'ready\\n', 'wait-signal', 'forever'], state: 'running' });
}

check('containers.logs.follow-true', { faults: [ignoresQuery('follow')] }, async ({ engine }) => {
  const container = await makeSignalled(engine);
  await container.hasWritten('ready');
  const log = await given(container.openLogs({ follow: true, stdout: true }), 200);
  await log.receivedText('ready');
  await given(container.kill({ signal: 'SIGUSR1' }), 204);
  await log.receivedText('signal 10');
  await given(container.kill(), 204);
  const bytes = await log.rest();
  expectValue('the log that was followed', outputs(framesOf(bytes)).stdout.toString(), [log]).toBe(
    'ready\nsignal 10\n',
  );
});

check('containers.logs.follow-default-false', { faults: [takesQueryAs('follow', '1')] }, async ({ engine }) => {
  const container = await makeSignalled(engine);
  await container.hasWritten('ready');
  const answer = await container.logs({ stdout: true });
  expect(answer).toHaveStatus(200);
  expectValue('the log', answer.text, [answer]).toContain('ready\n');
});

check(
  'containers.logs.follow-spellings',
  { faults: [knowsOnly('follow', '1'), takesQueryAs('follow', '1')] },
  async ({ engine }) => {
    const container = await makeSignalled(engine);
    await container.hasWritten('ready');
    for (const follow of no) expect(await container.logs({ follow, stdout: true })).toHaveStatus(200);
    const logs: LiveExchange[] = [];
    for (const follow of yes) logs.push(await given(container.openLogs({ follow, stdout: true }), 200));
    await given(container.kill({ signal: 'SIGUSR1' }), 204);
    for (const log of logs) {
      const bytes = await log.receivedText('signal 10');
      expectValue('the log that was followed', bytes.toString('latin1'), [log]).toContain('signal 10\n');
    }
  },
);

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

/** Two lines more than two seconds apart, and a second that lies between them. */
const spaced = fixture('a container that has written two lines some seconds apart', async ({ engine }) => {
  const run = ['out', 'early\\n', 'sleep', '2200', 'out', 'late\\n'];
  const container = await makeContainer(engine, { run, state: 'exited' });
  const { stdout } = await logOf(container, { stdout: true, timestamps: true });
  const late = /^(\S+) late$/m.exec(stdout)?.[1] ?? '';
  return { container, since: Math.floor(Date.parse(late) / 1_000) };
});

check('containers.logs.since', { faults: [ignoresQuery('since')] }, async ({ use }) => {
  const { container, since } = await use(spaced);
  const { answer, stdout } = await logOf(container, { stdout: true, since });
  expectValue('the log of stdout', stdout, [answer]).toBe('late\n');
});

/** A second in the year 2100: no line is as late. */
const future = takesQueryAs('since', '4102444800');

check('containers.logs.since-0', { faults: [future] }, async (context) => {
  await expectStdout(context, { stdout: true, since: 0 }, all);
});

check('containers.logs.since-default-0', { faults: [future] }, async (context) => {
  await expectStdout(context, { stdout: true }, all);
});

const timed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S* (?:one|two|three)$/;

/** How many lines of the log begin with a time. */
async function expectTimed({ use }: CheckContext, query: Query, wanted: number): Promise<void> {
  const { answer, stdout } = await logOf(await use(written), { stdout: true, ...query });
  const lines = stdout.split('\n').filter((line) => timed.test(line));
  expectValue('the number of lines with a time', lines.length, [answer]).toBe(wanted);
}

check('containers.logs.timestamps-true', { faults: [ignoresQuery('timestamps')] }, (context) =>
  expectTimed(context, { timestamps: true }, 3),
);

check('containers.logs.timestamps-default-false', { faults: [takesQueryAs('timestamps', '1')] }, (context) =>
  expectTimed(context, {}, 0),
);

check(
  'containers.logs.timestamps-spellings',
  { faults: [knowsOnly('timestamps', '1'), takesQueryAs('timestamps', '1')] },
  async (context) => {
    for (const timestamps of yes) await expectTimed(context, { timestamps }, 3);
    for (const timestamps of no) await expectTimed(context, { timestamps }, 0);
  },
);

/** How lines of two streams count together is left open, so there is only one. */
const stdoutOnly = fixture('a container that has written to stdout only', ({ engine }) =>
  makeContainer(engine, { run: ['out', 'one\\ntwo\\nthree\\n'], state: 'exited' }),
);

check('containers.logs.tail-number', { faults: [ignoresQuery('tail')] }, async ({ use }) => {
  const { answer, stdout } = await logOf(await use(stdoutOnly), { stdout: true, tail: 2 });
  expectValue('the log of stdout', stdout, [answer]).toBe('two\nthree\n');
});

const lastLine = takesQueryAs('tail', '1');

check('containers.logs.tail-all', { faults: [lastLine] }, async (context) => {
  await expectStdout(context, { stdout: true, tail: 'all' }, all);
});

check('containers.logs.tail-default-all', { faults: [lastLine] }, async (context) => {
  await expectStdout(context, { stdout: true }, all);
});

check('containers.logs.no-streams', { faults: [] }, async ({ use }) => {
  const answer = await (await use(written)).logs({});
  observe(`answers ${answer.status}`, answer);
});

check('containers.logs.bad-tail', { faults: [] }, async ({ use }) => {
  const answer = await (await use(written)).logs({ stdout: true, tail: 'some' });
  observe(`answers ${answer.status}`, answer);
});

check('containers.logs.media-type-200', { faults: [] }, async ({ use }) => {
  const answer = await given((await use(written)).logs({ stdout: true }), 200);
  observe(answer.header('Content-Type') ?? 'no Content-Type', answer);
});
