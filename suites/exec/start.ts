import { type CheckContext, check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { Exec, makeExec } from '../../harness/engine/exec.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, setsHeader } from '../../harness/faults/answers.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { ignoresBodyField, swallows, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { changesStream, losesInput } from '../../harness/faults/streams.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { host, useCommon } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { carriedBy, carriedUntil } from '../support/streams/carried-text.ts';
import { expectText } from '../support/streams/expect-text.ts';
import { checkFraming } from '../support/streams/framing-checks.ts';
import type { SourceContext, StreamSource, Way, Writer } from '../support/streams/stream-source.ts';
import { checkUpgrade } from '../support/streams/upgrade-checks.ts';

const source: StreamSource = {
  endpoint: 'exec.start',
  ways: ['upgraded', 'plain'],
  opening: '',
  fromLog: false,
  ask: (context, way, tty = false) => startIn(context, { run: ['out', 'to stdout\\n'], tty }, way),
  async open(context, writer, ways) {
    const lives = await Promise.all(ways.map((way) => startIn(context, writer, way)));
    // The command starts with the stream.
    return { lives, begin: () => Promise.resolve() };
  },
};

async function startIn({ engine, use }: SourceContext, { run, tty = false }: Writer, way: Way): Promise<LiveExchange> {
  const exec = await makeExec(engine, await use(host), { run: ['raw', ...run], config: { Tty: tty } });
  return exec.start({ tty, upgrade: way !== 'plain' });
}

checkUpgrade(source);
checkFraming(source);

const started = doneOnce('the answer to a command that is started detached', async ({ engine, use }) => {
  const exec = await makeExec(engine, await use(host));
  return { id: exec.id, answer: await exec.startDetached() };
});

/** Judges that every way to start is refused: a daemon may hijack for a session before it looks what it is for. */
async function expectRefused(status: number, detached: Exec, upgraded: Exec, plain: Exec): Promise<void> {
  expect(await detached.startDetached()).toHaveStatus(status);
  expect(await upgraded.start()).toHaveStatus(status);
  expect(await plain.start({ upgrade: false })).toHaveStatus(status);
}

/** Answers a refused session with a stream. */
function hijacksFirst(refused: number): Fault {
  const { head } = answersStatus(101, refused);
  return { name: `answers 101 to a session in place of ${refused}`, ...(head && { head }) };
}

check('exec.start.unknown-answers-404', { faults: [answersStatus(200, 404), hijacksFirst(404)] }, async (context) => {
  await control(
    started(context).then(({ answer }) => answer),
    200,
  );
  const unknown = new Exec(context.engine, '0'.repeat(64));
  await expectRefused(404, unknown, unknown, unknown);
});

check(
  'exec.start.paused-answers-409',
  {
    faults: [answersStatus(200, 409), on('POST /containers/{id}/pause', swallows(204)), hijacksFirst(409)],
  },
  async ({ engine }) => {
    const container = await makeContainer(engine, { state: 'running' });
    const make = () => makeExec(engine, container);
    const before = await make();
    // One for each, as nothing says that one can be started which was refused.
    const after = [await make(), await make(), await make()] as const;
    await control(before.startDetached(), 200);
    await given(container.pause(), 204);
    await expectRefused(409, ...after);
  },
);

const swapsTexts = changesStream('runs another exec instance', (bytes) =>
  Buffer.from(bytes.toString('latin1').replace('first', 'other'), 'latin1'),
);

check('exec.start.exec-id', { faults: [answersStatus(404, 101), swapsTexts] }, async ({ engine, use }) => {
  const execs = [];
  for (const text of ['first', 'second'])
    execs.push({ text, exec: await makeExec(engine, await use(host), { run: ['out', text] }) });
  for (const { text, exec } of execs.toReversed()) {
    const live = await exec.start();
    expect(live).toHaveStatus(101, 200);
    expectValue('what the command wrote', carriedBy(live, await live.rest()).stdout, [live]).toBe(text);
  }
});

check('exec.start.media-type-200', { faults: [setsHeader('Content-Type', 'text/plain')] }, async ({ engine, use }) => {
  const exec = await makeExec(engine, await use(host), { run: ['out', 'ran'] });
  const live = await given(exec.start({ upgrade: false }), 200);
  expect(live).toHaveMediaType('application/vnd.engine.raw-stream');
});

check('exec.start.json-media-type', { faults: [answersStatus(415)] }, async (context) => {
  // `startDetached` sends Content-Type: application/json.
  expect((await started(context)).answer).toHaveStatus(200);
});

check('exec.start.runs-command', { faults: [swallows(200)] }, async (context) => {
  const { engine } = context;
  const container = await useCommon(context, host);
  const hostname = valuesAt((await given(container.inspect(), 200)).json, 'Config.Hostname')[0];
  const exec = await makeExec(engine, container, { run: ['hostname'] });
  const live = await given(exec.start(), 101, 200);
  const { stdout } = carriedBy(live, await live.rest());
  expectValue('the host name that the command sees', stdout, [live]).toBe(`${hostname}\n`);
});

/** The call returns while the command is still running. */
async function expectDetached(context: CheckContext): Promise<void> {
  const { id, answer } = await started(context);
  expect(answer).toHaveStatus(200);
  const inspect = await given(new Exec(context.engine, id).inspect(), 200);
  expectValue('Running after the call', valuesAt(inspect.json, 'Running')[0], [answer, inspect]).toBe(true);
}

const startedConnected = doneOnce('the output of a command that takes a moment', async ({ engine, use }) => {
  const run = ['out', 'begun ', 'sleep', '300', 'out', 'ended'];
  const live = await given((await makeExec(engine, await use(host), { run })).start(), 101, 200);
  return { live, stdout: carriedBy(live, await live.rest()).stdout };
});

/** The stream carries what the command writes until it ends. */
async function expectConnected(context: CheckContext): Promise<void> {
  const { live, stdout } = await startedConnected(context);
  expectValue('what came of stdout', stdout, [live]).toBe('begun ended');
}

const attached = takesBodyFieldAs('Detach', false);
const detached = takesBodyFieldAs('Detach', true);

check('exec.start.detach-true', { faults: [attached], slowToFail: true }, expectDetached);
check('exec.start.detach-false', { faults: [detached] }, expectConnected);
check(
  'exec.start.body.Detach',
  { faults: [attached, detached, ignoresBodyField('Detach')], slowToFail: true },
  async (context) => {
    await expectDetached(context);
    await expectConnected(context);
  },
);

async function expectTerminal({ engine, use }: CheckContext): Promise<void> {
  const exec = await makeExec(engine, await use(host), { run: ['raw', 'tty'], config: { Tty: true } });
  const live = await given(exec.start({ tty: true }), 101, 200);
  const stream = (await live.rest()).toString('latin1');
  expectValue('the stream', stream, [live]).toBe('tty=111\n');
}

const noTerminal = on('POST /containers/{id}/exec', ignoresBodyField('Tty'));

const alwaysTerminal = on('POST /containers/{id}/exec', takesBodyFieldAs('Tty', true));

check('exec.start.tty-true', { faults: [noTerminal] }, expectTerminal);

check('exec.start.body.Tty', { faults: [noTerminal, alwaysTerminal] }, async (context) => {
  await expectTerminal(context);
  const { engine, use } = context;
  const exec = await makeExec(engine, await use(host), { run: ['tty'] });
  const live = await exec.start({ tty: false });
  expect(live).toHaveStatus(101, 200);
  expectText('the stream', await live.rest(), 'tty=000\n', live);
});

check('exec.start.stdin', { faults: [losesInput()], slowToFail: true }, async ({ engine, use }) => {
  const exec = await makeExec(engine, await use(host), { run: ['echo-line'], config: { AttachStdin: true } });
  const live = await given(exec.start(), 101, 200);
  live.write('a line\n');
  const { stdout } = await carriedUntil(live, 'stdout', 'a line\n');
  expectValue('what the command wrote back', stdout, [live]).toBe('a line\n');
});

check('exec.start.again', { faults: [] }, async ({ engine, use }) => {
  const exec = await makeExec(engine, await use(host), { run: ['exit', '0'] });
  const live = await given(exec.start(), 101, 200);
  await settled(live.rest(), 'waiting for the end of the stream');
  await exec.hasEnded();
  const again = await exec.startDetached();
  observe(`answers ${again.status}`, again);
});

check('exec.start.detached-body', { faults: [] }, async (context) => {
  const { answer } = await started(context);
  const type = answer.header('Content-Type') ?? 'no Content-Type';
  observe(`answers ${answer.status}, ${type}, ${answer.text === '' ? 'no body' : 'a body'}`, answer);
});
