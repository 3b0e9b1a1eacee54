import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { control, given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expect, expectValue, observe } from '../../../harness/expect/expect.ts';
import { answersStatus, setsHeader } from '../../../harness/faults/answers.ts';
import { on } from '../../../harness/faults/fault.ts';
import {
  ignoresQuery,
  ignoresQueryWithout,
  knowsOnlyIdentifiers,
  swallows,
  takesQueryAs,
} from '../../../harness/faults/requests.ts';
import { type CommonContainer, idle, paused, useCommon } from '../../support/common-containers.ts';
import { doneOnce } from '../../support/done-once.ts';
import { ifRight, ifThere, withOthers } from '../../support/shared-results.ts';
import { carriedUntil } from '../../support/streams/carried-text.ts';
import { checkFraming } from '../../support/streams/framing-checks.ts';
import type { OpenStreams, StreamSource, Way, Writer } from '../../support/streams/stream-source.ts';
import { checkUpgrade } from '../../support/streams/upgrade-checks.ts';
import {
  after,
  askedForLog,
  attached,
  before,
  type Came,
  came,
  hasCome,
  hasWrittenAgain,
  logged,
  makeWriter,
  type Output,
  restOf,
  signal,
  streamed,
} from './support/attached-writer.ts';

/** The process waits for a signal, so that nothing is written before the client is attached. */
const source: StreamSource = {
  endpoint: 'containers.attach',
  ways: ['upgraded', 'plain', 'replayed'],
  opening: 'signal 10\n',
  replay: 'ready\n',
  fromLog: false,
  async ask(context, way, tty = false) {
    const container = tty
      ? await makeContainer(context.engine, { state: 'running', config: { Tty: true } })
      : await useCommon(context, idle);
    return attachIn(container, way);
  },
  async open({ engine }, writer, ways) {
    // One process each: what several clients of one process get belongs to another rule.
    const opened: Opened[] = [];
    for (const way of ways) opened.push(await openIn(await makeWaiting(engine, writer), way));
    return streamsOf(opened);
  },
  async openTogether({ engine }, writer, ways) {
    const container = await makeWaiting(engine, writer);
    const opened: Opened[] = [];
    for (const way of ways) opened.push(await openIn(container, way));
    return streamsOf(opened);
  },
};

interface Opened {
  readonly container: Container;
  readonly live: LiveExchange;
  readonly way: Way;
}

/** A running container whose process runs the steps of a writer on SIGUSR1. */
async function makeWaiting(engine: Engine, { run, tty = false }: Writer): Promise<Container> {
  const steps = ['catch', 'raw', 'out', 'ready\\n', 'wait-signal', ...run];
  const container = await makeContainer(engine, { run: steps, state: 'running', config: { Tty: tty } });
  await container.hasWritten('ready');
  return container;
}

function attachIn(container: CommonContainer, way: Way): Promise<LiveExchange> {
  const query = { stream: true, logs: way === 'replayed', stdout: true, stderr: true };
  return container.attach(query, { upgrade: way !== 'plain' });
}

async function openIn(container: Container, way: Way): Promise<Opened> {
  return { container, way, live: await attachIn(container, way) };
}

function streamsOf(opened: readonly Opened[]): OpenStreams {
  const begin = async () => {
    for (const { live, way } of opened) {
      if (way === 'replayed') await settled(live.receivedText('ready'), 'waiting for what was written before');
    }
    for (const container of new Set(opened.map(({ container }) => container))) await signal(container);
  };
  return { lives: opened.map(({ live }) => live), begin };
}

checkUpgrade(source);
checkFraming(source);

/** What the clients of one shared writer ask for when they attach together, which saves a writer for each. */
const sessions = {
  both: { stream: true, stdout: true, stderr: true },
  stdout: { stream: true, stdout: true },
  stderr: { stream: true, stderr: true },
  logAndStdout: { logs: true, stream: true, stdout: true },
  logAndStderr: { logs: true, stream: true, stderr: true },
  logAndBoth: { logs: true, stream: true, stdout: true, stderr: true },
  logOfStdout: { logs: true, stdout: true },
  logOfBoth: { logs: true, stdout: true, stderr: true },
} as const;
type Session = keyof typeof sessions;

/** The sessions with one output, from the start on. */
const logAnd = { stdout: 'logAndStdout', stderr: 'logAndStderr' } as const;

const together = fixture('what clients get that attach to one container together', async ({ engine }) => {
  const container = await makeWriter(engine);
  const lives: LiveExchange[] = [];
  for (const query of Object.values(sessions)) {
    const live = await attached(container, query);
    // A log that is read later than it was asked for would include what is written next.
    if (!('stream' in query)) await hasCome(live, 'stdout', before.stdout);
    lives.push(live);
  }
  await hasWrittenAgain(container);
  const rests = await Promise.all(lives.map(restOf));
  return new Map(Object.keys(sessions).map((session, place) => [session, rests[place]]));
});

/**
 * What came in one of the sessions, if it is right. An unexpected result may be caused by another client, so it is
 * judged again on a container with a single client.
 */
async function cameTogether(
  { use }: Pick<CheckContext, 'use'>,
  session: Session,
  isRight: (came: Came) => boolean,
): Promise<Came | undefined> {
  const rest = (await ifThere(use(together)))?.get(session);
  return ifRight(rest && (await ifThere(came(rest))), isRight, withOthers, ({ live }) => live);
}

const logAlone = doneOnce('the log that a single client gets', ({ engine }) =>
  logged(engine, { query: { logs: true, stdout: true, stderr: true }, until: ['stdout', 'stderr'] }),
);

const toStdout = { stream: true, stdout: true } as const;

const head = doneOnce('the head of an attach to stdout', async (context) => {
  const live = await (await useCommon(context, idle)).attach(toStdout);
  live.drop();
  return live;
});

check('containers.attach.unknown-answers-404', { faults: [answersStatus(101, 404)] }, async (context) => {
  const { engine } = context;
  await control(head(context), 101, 200);
  const missing = engine.unusedName('container');
  expect(await new Container(engine, missing, missing).attach(toStdout)).toHaveStatus(404);
});

check(
  'containers.attach.paused-answers-409',
  { faults: [answersStatus(101, 409), on('POST /containers/{id}/pause', swallows(204))] },
  async (context) => {
    await control(head(context), 101, 200);
    expect(await (await useCommon(context, paused)).attach(toStdout)).toHaveStatus(409);
  },
);

check('containers.attach.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await head(context)).toHaveStatus(101, 200);
  const { name } = await use(idle);
  expect(await new Container(engine, name, name).attach(toStdout)).toHaveStatus(101, 200);
});

for (const [output, other] of [
  ['stdout', 'stderr'],
  ['stderr', 'stdout'],
] as const) {
  const ignored = ignoresQuery(output);
  const taken = takesQueryAs(output, '1');

  check(`containers.attach.logs-${output}`, { faults: [ignoresQuery('logs'), ignored] }, async (context) => {
    const { [output]: text, live } =
      (await cameTogether(context, 'logOfBoth', (came) => came[output] === before[output])) ??
      (await came(logAlone(context)));
    expectValue(`what came of ${output}`, text, [live]).toBe(before[output]);
  });

  check(
    `containers.attach.stream-${output}`,
    { faults: [ignoresQuery('stream'), ignored, ignoresQueryWithout('stream', other)] },
    async (context) => {
      const { [output]: text, live } =
        (await cameTogether(context, 'both', (came) => came[output] === after[output])) ??
        (await streamed(context.engine, { [output]: true, [other]: true }));
      expectValue(`what came of ${output}`, text, [live]).toBe(after[output]);
      const alone =
        (await cameTogether(context, output, (came) => came[output].includes(after[output]))) ??
        (await streamed(context.engine, { [output]: true }));
      expectValue(`what came of ${output} alone`, alone[output], [alone.live]).toContain(after[output]);
    },
  );

  check(`containers.attach.${output}-default-false`, { faults: [taken] }, async (context) => {
    const { [output]: text, live } =
      (await cameTogether(context, logAnd[other], (came) => came[output] === '')) ??
      (await streamed(context.engine, { logs: true, [other]: true }));
    expectValue(`what came of ${output}`, text, [live]).toBe('');
  });
}

check('containers.attach.logs-default-false', { faults: [takesQueryAs('logs', '1')] }, async (context) => {
  const { stdout, live } =
    (await cameTogether(context, 'stdout', (came) => !came.stdout.includes(before.stdout))) ??
    (await streamed(context.engine, { stdout: true }));
  expectValue('what came of stdout', stdout, [live]).toLack(before.stdout);
});

check(
  'containers.attach.logs-then-stream',
  { faults: [ignoresQuery('logs'), ignoresQuery('stream')], slowToFail: true },
  async (context) => {
    const outputs = ['stdout', 'stderr'] as const;
    const expectFirst = (output: Output, text: string, live: LiveExchange) =>
      expectValue(`what came first of ${output}`, text, [live]).toBe(before[output]);
    const expectThen = (output: Output, text: string, live: LiveExchange) =>
      expectValue(`what came of ${output}`, text.slice(before[output].length), [live]).toContain(after[output]);
    const isRight = (came: Came) => outputs.every((output) => came[output] === before[output] + after[output]);
    const shown = await cameTogether(context, 'logAndBoth', isRight);
    if (shown) {
      for (const output of outputs) {
        expectFirst(output, shown[output].slice(0, before[output].length), shown.live);
        expectThen(output, shown[output], shown.live);
      }
      return;
    }
    const container = await makeWriter(context.engine);
    const live = await attached(container, { logs: true, stream: true, stdout: true, stderr: true });
    for (const output of outputs) {
      expectFirst(output, (await carriedUntil(live, output, before[output]))[output], live);
    }
    await signal(container);
    for (const output of outputs) {
      expectThen(output, (await carriedUntil(live, output, after[output]))[output], live);
    }
  },
);

check('containers.attach.stream-default-false', { faults: [takesQueryAs('stream', '1')] }, async (context) => {
  const alone = async () => {
    const container = await makeWriter(context.engine);
    const live = await askedForLog(container, {});
    await hasWrittenAgain(container);
    return came(restOf(live));
  };
  const isRight = (came: Came) => came.stdout === before.stdout;
  const { stdout, live } = (await cameTogether(context, 'logOfStdout', isRight)) ?? (await alone());
  expectValue('what came of stdout', stdout, [live]).toBe(before.stdout);
});

check('containers.attach.media-type-200', { faults: [setsHeader('Content-Type', 'text/plain')] }, async (context) => {
  const container = await useCommon(context, idle);
  const attach = await given(container.attach(toStdout, { upgrade: false }), 200);
  expect(attach).toHaveMediaType('application/vnd.engine.raw-stream');
});

check('containers.attach.not-running', { faults: [] }, async ({ engine }) => {
  // A container of its own: an engine may reset an ended container for its next start when a client attaches to it.
  const attach = await (await makeContainer(engine, { state: 'exited' })).attach(toStdout);
  observe(`answers ${attach.status}`, attach);
});

check('containers.attach.no-streams', { faults: [] }, async (context) => {
  const attach = await (await useCommon(context, idle)).attach({ stdout: true });
  observe(`answers ${attach.status}`, attach);
});
