import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { control, given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import type { Query } from '../../../harness/engine/query.ts';
import {
  isClosed,
  messagesIn,
  openWebSocket,
  type WebSocketAttempt,
  webSocketFrames,
} from '../../../harness/engine/websocket.ts';
import { expect, expectValue, observe } from '../../../harness/expect/expect.ts';
import { expectHandshake } from '../../../harness/expect/whole-answers.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../../harness/faults/answers.ts';
import type { Fault } from '../../../harness/faults/fault.ts';
import {
  ignoresQuery,
  ignoresQueryWithout,
  knowsOnly,
  knowsOnlyIdentifiers,
  takesQueryAs,
} from '../../../harness/faults/requests.ts';
import { changesPieces } from '../../../harness/faults/streams.ts';
import type { WebSocketFrame } from '../../../harness/streams/websocket.ts';
import { idle, useCommon } from '../../support/common-containers.ts';
import { doneOnce } from '../../support/done-once.ts';
import { ifRight, ifThere, withOthers } from '../../support/shared-results.ts';
import { no, yes } from '../../support/spellings.ts';

const output = { stream: true, stdout: true, stderr: true } as const;

function connect(engine: Engine, container: string, query: Query = output): Promise<WebSocketAttempt> {
  return openWebSocket(engine, `/containers/${container}/attach/ws`, query);
}

const shaken = doneOnce('the handshake of attach/ws', async ({ engine, use }) => {
  const attempt = await connect(engine, (await use(idle)).id);
  attempt.live.drop();
  return attempt;
});

async function connected(engine: Engine, container: Container, query: Query): Promise<LiveExchange> {
  const { live } = await connect(engine, container.id, query);
  return given(Promise.resolve(live), 101);
}

check(
  'containers.attach-ws.handshake',
  { faults: [answersStatus(200, 101), dropsHeader('Upgrade'), setsHeader('Connection', 'close')] },
  async (context) => {
    expectHandshake((await shaken(context)).live);
  },
);

check(
  'containers.attach-ws.accept-key',
  { faults: [dropsHeader('Sec-WebSocket-Accept'), setsHeader('Sec-WebSocket-Accept', 'another')] },
  async (context) => {
    const { live, acceptKey } = await shaken(context);
    await given(Promise.resolve(live), 101);
    // Keys that differ only in case are different, too.
    const accepted = live.header('Sec-WebSocket-Accept');
    expectValue('Sec-WebSocket-Accept', accepted, [live]).toBe(acceptKey);
  },
);

/** Also accepts a plain request; handshakes are left as they are. */
const takesPlainRequest: Fault = {
  name: 'answers 200 to a plain request',
  answer: (answer) => ({ ...answer, status: 200 }),
};

check('containers.attach-ws.no-handshake-refused', { faults: [takesPlainRequest] }, async (context) => {
  const { engine } = context;
  await control(
    shaken(context).then(({ live }) => live),
    101,
  );
  const container = await useCommon(context, idle);
  expect(await engine.get(container.path('attach/ws'), output)).toBeRefused();
});

check('containers.attach-ws.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async (context) => {
  const { engine } = context;
  await control(
    shaken(context).then(({ live }) => live),
    101,
  );
  expect((await connect(engine, engine.unusedName('container'))).live).toHaveStatus(404);
});

check('containers.attach-ws.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect((await shaken(context)).live).toHaveStatus(101);
  expect((await connect(engine, (await use(idle)).name)).live).toHaveStatus(101);
});

const before = { stdout: 'out before', stderr: 'err before' } as const;
const after = { stdout: 'out after', stderr: 'err after' } as const;
const written = [...Object.values(before), ...Object.values(after)];

/** A running container that has written to both outputs. On SIGUSR1 it writes to both again and ends. */
async function makeWriter(engine: Engine): Promise<Container> {
  const begins = ['catch', 'err', `${before.stderr}\\n`, 'out', `${before.stdout}\\n`, 'wait-signal'];
  const ends = ['out', `${after.stdout}\\n`, 'err', `${after.stderr}\\n`];
  const container = await makeContainer(engine, { run: [...begins, ...ends], state: 'running' });
  await container.hasWritten(...Object.values(before));
  return container;
}

interface Came {
  /**
   * Which lines of the writer came. Lines of the two outputs may overtake each other, so their order is not recorded.
   */
  readonly lines: readonly string[];
  readonly bytes: Buffer;
  readonly live: LiveExchange;
}

/** What the clients of one shared writer ask for, which saves a writer per rule. */
const sessions: readonly Query[] = [
  output,
  { ...output, logs: true },
  { stdout: true, stderr: true, logs: true },
  { stream: true, stderr: true },
  { stream: true, stdout: true },
];

const together = fixture('what clients get that connect to one container together', async ({ engine }) => {
  const come = await cameOver(
    engine,
    sessions.map((query) => ({ query })),
  );
  return new Map(come.map(({ query, ...came }) => [flagsOf(query), came]));
});

/** The flags of a query that are true. */
function flagsOf(query: Query): string {
  const flags = Object.keys(query).filter((name) => isTrue(query[name]));
  return flags.toSorted().join(' ');
}

/**
 * Connects to one container once for each query, makes the process write again and end, and returns the lines that each
 * session received before it ended.
 */
async function cameOver<T extends { readonly query: Query }>(
  engine: Engine,
  asked: readonly T[],
): Promise<(T & Came)[]> {
  const container = await makeWriter(engine);
  const opened: (T & { live: LiveExchange })[] = [];
  for (const one of asked) {
    const live = await connected(engine, container, one.query);
    opened.push({ ...one, live });
    // A log that is read later than it was asked for would include what is written next.
    if (isTrue(one.query.stream)) continue;
    const come = (bytes: Buffer) => live.ended || messagesIn(bytes).includes(before.stdout);
    await settled(live.receivedUntil('what was written before', come), 'reading the log');
  }
  await given(container.kill({ signal: 'SIGUSR1' }), 204);
  await container.hasEnded();
  return Promise.all(
    opened.map(async (one) => {
      const closed = (bytes: Buffer) => isClosed(one.live, bytes);
      const bytes = await settled(one.live.receivedUntil('the end of the session', closed), 'reading the messages');
      const text = messagesIn(bytes);
      return { ...one, bytes, lines: written.filter((line) => text.includes(line)) };
    }),
  );
}

/**
 * What came for each query, as far as it came in a session together with others. Where it is not right, which another
 * client may have caused, the query is asked again on a container with a single client.
 */
async function* cameOrAlone<T extends { readonly query: Query; readonly has: boolean }>(
  engine: Engine,
  asked: readonly T[],
  { wanted, shownOf }: { readonly wanted: string; readonly shownOf: (one: T) => Came | undefined },
): AsyncGenerator<T & Came> {
  for (const one of asked) {
    const isRight = ({ lines }: Came) => lines.includes(wanted) === one.has;
    const shown = ifRight(shownOf(one), isRight, withOthers, ({ live }) => live);
    yield* shown ? [{ ...one, ...shown }] : await cameOver(engine, [one]);
  }
}

function isTrue(flag: Query[string]): boolean {
  return flag === true || yes.some((spelling) => spelling === flag);
}

/** The rule for later versions, in which daemons honour the parameter again. */
function selects<const Name extends 'stdout' | 'stderr'>(name: Name) {
  return `containers.attach-ws.selects-${name}` as const;
}

function isOutput(flag: string): flag is 'stdout' | 'stderr' {
  return flag === 'stdout' || flag === 'stderr';
}

/** Each flag with a line that comes when it is true, and the query that it is added to. */
const flags = [
  ['logs', before.stdout, output],
  ['stream', after.stdout, { ...output, stream: undefined, logs: true }],
  ['stdout', after.stdout, { ...output, stdout: undefined }],
  ['stderr', after.stderr, { ...output, stderr: undefined }],
] as const;

/** The six ways to spell a flag. */
const spelt = flags.flatMap(([name, , query]) => [
  ...yes.map((spelling) => ({ name, has: true, spelling, query: { ...query, [name]: spelling } })),
  ...no.map((spelling) => ({ name, has: false, spelling, query: { ...query, [name]: spelling } })),
]);

const speltTogether = fixture('what clients get that spell the flags of attach/ws in all ways', ({ engine }) =>
  cameOver(engine, spelt),
);

for (const [name, wanted, query] of flags) {
  const taken = takesQueryAs(name, '1');
  const other = (['stdout', 'stderr'] as const).filter((one) => isOutput(name) && one !== name);

  const ids = [`containers.attach-ws.${name}`, ...(isOutput(name) ? [selects(name)] : [])] as const;
  for (const id of ids) {
    const faults = [ignoresQuery(name), taken, ...other.map((one) => ignoresQueryWithout('stream', one))];
    check(id, { faults, slowToFail: true }, async ({ engine, use }) => {
      const asked = [
        { has: true, query: { ...query, [name]: true } },
        { has: false, query },
        ...other.map(() => ({ has: true, query: { stream: true, [name]: true } })),
      ];
      const shared = await ifThere(use(together));
      const shownOf = ({ query }: { readonly query: Query }) => shared?.get(flagsOf(query));
      for await (const { has, lines, live } of cameOrAlone(engine, asked, { wanted, shownOf })) {
        if (has) expectValue(`the lines that came with ${name}`, lines, [live]).toContain(wanted);
        else expectValue(`the lines that came without ${name}`, lines, [live]).toLack(wanted);
      }
    });
  }

  check(
    `containers.attach-ws.${name}-spellings`,
    { faults: [knowsOnly(name, '1'), taken] },
    async ({ engine, use }) => {
      const shown = await ifThere(use(speltTogether));
      const shownOf = ({ query }: { readonly query: Query }) => shown?.find((one) => one.query === query);
      const asked = spelt.filter((one) => one.name === name);
      for await (const { has, spelling, lines, live } of cameOrAlone(engine, asked, { wanted, shownOf })) {
        if (has) expectValue(`the lines that came with ${name}=${spelling}`, lines, [live]).toContain(wanted);
        else expectValue(`the lines that came with ${name}=${spelling}`, lines, [live]).toLack(wanted);
      }
    },
  );
}

/** Marks as of another kind the messages that the server sends whole in one frame. */
function sendsAs(kind: 'text' | 'binary', from: number, to: number): Fault {
  return changesPieces(`sends ${kind} messages`, (piece) => {
    if (piece[0] !== from) return piece;
    return Buffer.concat([Buffer.from([to]), piece.subarray(1)]);
  });
}

/** The messages of a session that carry the log of a writer. */
interface LogSession {
  readonly live: LiveExchange;
  readonly frames: readonly WebSocketFrame[];
}

async function logSession(engine: Engine): Promise<LogSession> {
  const container = await makeWriter(engine);
  const live = await connected(engine, container, { ...output, logs: true });
  const some = (bytes: Buffer) => messagesIn(bytes).includes(before.stdout);
  const bytes = await settled(live.receivedUntil('a message', some), 'waiting for a message');
  return { live, frames: webSocketFrames(bytes) };
}

/** The same of a session among others at one container, which is over. */
async function sharedLogSession({ use }: Pick<CheckContext, 'use'>): Promise<LogSession | undefined> {
  const shared = (await ifThere(use(together)))?.get(flagsOf({ ...output, logs: true }));
  if (!shared?.lines.includes(before.stdout)) return undefined;
  return { live: shared.live, frames: webSocketFrames(shared.bytes).filter(({ type }) => type !== 'close') };
}

function typesOf({ frames }: LogSession): string[] {
  return [...new Set(frames.map(({ type }) => type))];
}

for (const [rule, type, fault] of [
  ['containers.attach-ws.text-messages', 'text', sendsAs('binary', 0x81, 0x82)],
  ['containers.attach-ws.binary-messages', 'binary', sendsAs('text', 0x82, 0x81)],
] as const) {
  check(rule, { faults: [fault] }, async (context) => {
    const shared = await sharedLogSession(context);
    const isRight = shared && typesOf(shared).join() === type;
    // An unexpected result may be caused by another client.
    const session = isRight ? shared : await logSession(context.engine);
    expectValue('the kinds of the messages', typesOf(session), [session.live]).toBe([type]);
  });
}

check('containers.attach-ws.message-type', { faults: [] }, async (context) => {
  const session = (await sharedLogSession(context)) ?? (await logSession(context.engine));
  const types = typesOf(session);
  const framed = session.frames.some(({ payload }) => payload.length >= 8 && payload.readUInt32BE(0) % 0x1000000 === 0);
  observe(`sends ${types.join(' and ')} messages, ${framed ? 'with' : 'without'} frame headers`, session.live);
});
