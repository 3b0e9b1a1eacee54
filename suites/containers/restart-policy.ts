import { type CheckContext, check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { changesJson } from '../../harness/faults/answers.ts';
import { changesEvents } from '../../harness/faults/events.ts';
import { alike, type Fault, on, onlyFor, since } from '../../harness/faults/fault.ts';
import { doesInstead, ignoresBodyField, swallows, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { changesPieces } from '../../harness/faults/streams.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { ObjectDecoder } from '../../harness/streams/objects.ts';
import type { WireRequest } from '../../harness/transport/wire.ts';
import { type RuleId, rulebook } from '../../specs/catalogue.ts';
import { keysOf } from '../../specs/keys.ts';
import { holdsIn } from '../../specs/versions.ts';
import { listenWith } from '../events/support/listen.ts';
import { anotherTime, ifRight, ifThere } from '../support/shared-results.ts';
import { runningIn, startedAt } from './support/state-values.ts';

const noPolicy = ignoresBodyField('HostConfig.RestartPolicy');
const alwaysRestarts = takesBodyFieldAs('HostConfig.RestartPolicy', { Name: 'always', MaximumRetryCount: 0 });

interface Ending {
  readonly exit: number;
  readonly name: string;
  readonly maximum?: number;
}

const startsAndEnds = ({ exit, name, maximum = 0 }: Ending) => ({
  run: ['out', 'started\\n', 'exit', String(exit)],
  hostConfig: { RestartPolicy: { Name: name, MaximumRetryCount: maximum } },
});

/** A started container with a restart policy that ends with the exit code. */
function ending(engine: Engine, how: Ending): Promise<Container> {
  return makeContainer(engine, { ...startsAndEnds(how), state: 'running' });
}

/** A container with the policy unless-stopped that was stopped. */
async function makeStopped(engine: Engine): Promise<Container> {
  const container = await makeContainer(engine, {
    state: 'running',
    hostConfig: { RestartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 } },
  });
  await given(container.stop({ t: 5 }), 204, 304);
  return container;
}

/** A stop between two runs of a container, with what inspect shows after it. */
interface StoppedBetween {
  readonly stop: Exchange;
  readonly stopped: Exchange;
}

/** Stops a container that is restarted, most likely while it waits for that. */
async function stopBetweenRuns(container: Container): Promise<StoppedBetween> {
  const stop = await given(container.stop({ t: 5 }), 204, 304);
  return { stop, stopped: await given(container.inspect(), 200) };
}

/** Ways to end under a policy, by the rule about it. */
const endings = {
  'containers.create.host-config.restart-always': { exit: 0, name: 'always' },
  'containers.create.host-config.restart-on-failure': { exit: 1, name: 'on-failure' },
  'containers.create.host-config.restart-unless-stopped': { exit: 0, name: 'unless-stopped' },
  'containers.create.host-config.restart-empty': { exit: 1, name: '' },
  'containers.create.host-config.restart-on-failure-success': { exit: 0, name: 'on-failure' },
  'containers.create.host-config.restart-maximum': { exit: 1, name: 'on-failure', maximum: 2 },
} as const satisfies Readonly<Partial<Record<RuleId, Ending>>>;

const stoppedRule = 'containers.create.host-config.restart-unless-stopped-stopped';
/** Its container is stopped for `stoppedRule`, too. */
const restartedRule = 'containers.create.host-config.restart-unless-stopped';
const maximumRule = 'containers.create.host-config.restart-maximum';
const delayRule = 'containers.create.host-config.restart-delay-doubles';

type Watched = keyof typeof endings | typeof stoppedRule;

/** What a container says some time after its first end. */
interface Shown {
  readonly inspect: Exchange;
  /** Its log, where its starts are counted. */
  readonly log?: Exchange;
}

/** What is shown of a container once it was restarted a few times, so that it waits for the next time. */
async function shownRestarted(container: Container): Promise<Shown> {
  await container.hasRestarted(3);
  return shownBy(container);
}

async function shownBy(container: Container): Promise<Shown> {
  return { inspect: await given(container.inspect(), 200) };
}

async function shownWithStarts(container: Container): Promise<Shown> {
  const inspect = await given(container.inspect(), 200);
  const isWhole = (log: Exchange) => startsIn(log) > restartsIn(inspect);
  return { inspect, log: await given(container.logs({ stdout: true }, isWhole), 200) };
}

/**
 * A container for each policy, all watched at the same time. The last to start is restarted always: the others have had
 * as much time as it took for its restarts. What is restarted again and again is removed at once, as it keeps a daemon
 * busy that does not wait longer each time.
 */
const watched = fixture('containers with a restart policy each', async ({ engine, api }) => {
  const { 'containers.create.host-config.restart-always': always, ...others } = endings;
  const made = await Promise.all([
    ...keysOf(others)
      .filter((id) => holdsIn(rulebook[id], api))
      .map(async (id) => [id, await ifThere(ending(engine, others[id]))] as const),
    ...(holdsIn(rulebook[stoppedRule], api) ? [[stoppedRule, await ifThere(makeStopped(engine))] as const] : []),
  ]);
  const [, restarted] = made.find(([id]) => id === restartedRule) ?? [];
  const restartedShown = restarted && (await ifThere(shownRestarted(restarted)));
  const between = restarted && restartedShown && (await ifThere(stopBetweenRuns(restarted)));
  // A daemon that has not restarted one by now would be waited for in vain again, and shows nothing where it leaves others alone.
  const starts = restarted && !restartedShown ? undefined : await startsOf(engine, always);
  const all = [...made, ['containers.create.host-config.restart-always', starts?.container] as const];
  const shown = await Promise.all(
    all.map(async ([id, container]): Promise<readonly [Watched, Shown | undefined]> => {
      if (!container || !starts) return [id, undefined];
      if (id === restartedRule && restartedShown) return [id, restartedShown];
      return [id, await (id === maximumRule ? shownWithStarts(container) : shownBy(container))];
    }),
  );
  const after = restarted && between && (await ifThere(given(restarted.inspect(), 200)));
  await Promise.all(
    all.map(async ([, container]) => (container ? ifThere(given(container.remove({ force: true }), 204)) : undefined)),
  );
  return { shown: new Map(shown), starts, between: between && after && { ...between, after } };
});

/** What was seen of a container for a rule; undefined when it is not as expected. */
async function shownOf(
  { use }: CheckContext,
  id: Watched,
  expected: (shown: Shown) => boolean,
): Promise<Shown | undefined> {
  const shown = (await ifThere(use(watched)))?.shown.get(id);
  return ifRight(shown, expected, 'beside containers with other policies', ({ inspect }) => inspect);
}

function isRestarted({ inspect }: Pick<Shown, 'inspect'>): boolean {
  return restartsIn(inspect) >= 2;
}

function isLeftAlone({ inspect }: Pick<Shown, 'inspect'>): boolean {
  return restartsIn(inspect) === 0 && runningIn(inspect) === false;
}

/**
 * Waits until the container was restarted this many times, or for a bounded time, and returns the last inspect answer.
 */
export function afterRestarts({ target }: Engine, container: Container, times: number): Promise<Exchange> {
  const look = () => given(container.inspect(), 200);
  // Other checks start containers meanwhile.
  const boundMs = 20_000 + 10 * (target.startMs ?? 0);
  return lookUntil(look, (inspect) => restartsIn(inspect) >= times, boundMs);
}

function restartsIn(inspect: Exchange): number {
  return Number(valuesAt(inspect.json, 'RestartCount')[0]);
}

/** A policy under which a container that ends with the exit code is restarted. */
function checkRestarts(id: keyof typeof endings): void {
  check(id, { faults: [noPolicy], slowToFail: true }, async (context) => {
    const shown = await shownOf(context, id, isRestarted);
    const { engine } = context;
    const inspect = shown?.inspect ?? (await afterRestarts(engine, await ending(engine, endings[id]), 2));
    expect(inspect).field('RestartCount').toBeAtLeast(2);
  });
}

checkRestarts('containers.create.host-config.restart-always');
checkRestarts('containers.create.host-config.restart-on-failure');
checkRestarts('containers.create.host-config.restart-unless-stopped');

/** Another container that is restarted again and again shows that there was enough time for restarts. */
async function timePasses(engine: Engine, restarts: number): Promise<void> {
  await (await ending(engine, { exit: 1, name: 'always' })).hasRestarted(restarts);
}

function expectLeftAlone(inspect: Exchange): void {
  expect(inspect).field('RestartCount').toBe(0);
  expect(inspect).field('State.Running').toBe(false);
}

/** A policy under which it is not. */
function checkNoRestart(id: keyof typeof endings): void {
  check(id, { faults: [alwaysRestarts] }, async (context) => {
    const alone = async () => {
      const container = await ending(context.engine, endings[id]);
      await timePasses(context.engine, 2);
      return given(container.inspect(), 200);
    };
    expectLeftAlone((await shownOf(context, id, isLeftAlone))?.inspect ?? (await alone()));
  });
}

checkNoRestart('containers.create.host-config.restart-empty');
checkNoRestart('containers.create.host-config.restart-on-failure-success');

function startsIn(log: Exchange | undefined): number {
  return (log?.output ?? '').split('started\n').length - 1;
}

check(
  maximumRule,
  {
    long: true,
    faults: [
      alwaysRestarts,
      alike(
        'stops counting at the maximum and goes on',
        ignoresBodyField('HostConfig.RestartPolicy.MaximumRetryCount'),
        on('GET /containers/{id}/json', stopsCountingAt(2)),
      ),
    ],
  },
  async (context) => {
    const alone = async () => {
      const container = await ending(context.engine, endings[maximumRule]);
      await timePasses(context.engine, 4);
      return shownWithStarts(container);
    };
    const isAtMaximum = ({ inspect, log }: Shown) => restartsIn(inspect) === 2 && startsIn(log) === 3;
    const { inspect, log } = (await shownOf(context, maximumRule, isAtMaximum)) ?? (await alone());
    expect(inspect).field('RestartCount').toBe(2);
    expectValue('the number of starts that its log shows', startsIn(log), [log ?? inspect]).toBe(3);
  },
);

/** Stops counting restarts after a number of failures. */
function stopsCountingAt(most: number): Fault {
  return changesJson('stops counting', (json) => {
    const isBounded = valuesAt(json, 'HostConfig.RestartPolicy.Name')[0] === 'on-failure';
    return isObject(json) && isBounded && Number(json.RestartCount) > most ? { ...json, RestartCount: most } : json;
  });
}

check(
  stoppedRule,
  { faults: [on('POST /containers/{id}/stop', doesInstead('/stop', '/restart')), losesStops()] },
  async (context) => {
    const { engine, use } = context;
    const alone = async () => {
      const container = await makeStopped(engine);
      await timePasses(engine, 2);
      return given(container.inspect(), 200);
    };
    expectLeftAlone((await shownOf(context, stoppedRule, isLeftAlone))?.inspect ?? (await alone()));

    const all = await ifThere(use(watched));
    const between = all ? all.between : await stoppedBetween(engine);
    // Another rule judges whether it restarts at all; and of what waits for its restart it may say that it is stopped already.
    if (!between || between.stop.status === 304) return;
    const { stopped, after } =
      ifRight(between, isStill, anotherTime, (one) => one.after) ?? (await stoppedBetween(engine));
    expect(after).field('State.Running').toBe(false);
    expectValue('State.StartedAt after the stop', startedAt(after), [stopped, after]).toBe(startedAt(stopped));
  },
);

interface StillStopped extends StoppedBetween {
  /** What inspect shows after the time for another restart. */
  readonly after: Exchange;
}

function isStill({ stopped, after }: StillStopped): boolean {
  return startedAt(after) === startedAt(stopped) && runningIn(after) === false;
}

async function stoppedBetween(engine: Engine): Promise<StillStopped> {
  const container = await ending(engine, endings[restartedRule]);
  await shownRestarted(container);
  const between = await stopBetweenRuns(container);
  await timePasses(engine, 4);
  return { ...between, after: await given(container.inspect(), 200) };
}

/** Says that it has stopped what it restarts, and goes on. */
function losesStops(): Fault {
  const anew = (): Fault => {
    const restarted = new Set<string>();
    const remembers = changesJson('remembers what it has restarted', (json) => {
      if (Number(valuesAt(json, 'RestartCount')[0]) > 0) restarted.add(String(valuesAt(json, 'Id')[0]));
      return json;
    });
    const isRestarted = ({ path }: WireRequest) => [...restarted].some((id) => path.includes(id));
    const stops = onlyFor(isRestarted, swallows(204), 'answers 204 to a stop without doing it');
    return alike(
      'does not stop what it restarts',
      on('POST /containers/{id}/stop', stops),
      on('GET /containers/{id}/json', remembers),
    );
  };
  return { ...anew(), anew };
}

check(
  'containers.create.host-config.restart-unknown-refused',
  { faults: [takesBodyFieldAs('HostConfig.RestartPolicy.Name', 'always')] },
  async ({ engine }) => {
    const startWith = async (Name: string) => {
      const hostConfig = { RestartPolicy: { Name, MaximumRetryCount: 0 } };
      const created = await create(engine, createBody(engine, { hostConfig, network: 'any' }));
      if (created.status !== 201) return created;
      return engine.post(`/containers/${valuesAt(created.json, 'Id')[0]}/start`);
    };
    await control(startWith('always'), 204);
    expect(await startWith('ec-unknown')).toBeRefused();
  },
);

const firstDelayMs = 100;
/** A start itself takes time: at most this long, or on a busy host several times as long as the first one. */
const startMs = 5_000;
const timesSlower = 5;

/** After this many restarts, a wait that does not grow is shorter than the delay, however long the starts take. */
const wantedStarts = 6;

/** The starts of a container that is restarted always, and how long a start may take. */
interface Starts {
  readonly container: Container;
  readonly events: LiveExchange;
  readonly atMostMs: number;
}

async function startsOf(engine: Engine, how: Ending): Promise<Starts> {
  const container = await makeContainer(engine, { ...startsAndEnds(how), network: 'any' });
  const opening = await listenWith(engine, { container: [container.id] }, { takesMs: 30_000 });
  const begun = performance.now();
  await given(container.start(), 204);
  const atMostMs = startMs + timesSlower * (performance.now() - begun);
  const events = await given(opening.live, 200);
  // Whether a restart is told as a start is not said.
  await settled(
    events.receivedUntil(`${wantedStarts} starts`, (bytes) => eventsIn(bytes, 'start').length >= wantedStarts),
    'waiting for the events of the starts',
  );
  return { container, events, atMostMs };
}

/** How the times from one start to the next should be, and what is wrong with them. */
function waitsIn({ events, atMostMs }: Starts): { delays: readonly number[]; least: number; wrong: readonly string[] } {
  const starts = eventsIn(events.received, 'start').slice(0, wantedStarts);
  // The process ends at once, so the time between two starts is the delay plus what the start itself takes.
  const waits = starts.slice(1).map((start, i) => start.at - (starts[i]?.at ?? Number.NaN));
  const delays = waits.map((_wait, i) => firstDelayMs * 2 ** i);
  // Before 1.21 events have whole seconds only.
  const grain = starts.every(({ fine }) => fine) ? 2 : 1_000;
  const least = sum(delays) - grain;
  const wrong = [
    ...(sum(waits) >= least ? [] : [`less than ${least} in all`]),
    ...waits.flatMap((wait, i) => wrongIn(wait, delays[i] ?? 0, { atMostMs, grain })),
  ];
  return { delays, least, wrong };
}

check(
  delayRule,
  {
    long: true,
    faults: [
      on('GET /events', changesPieces('tells the same time for every event', sameTime)),
      // Before 1.21 events have whole seconds, which cannot tell a wait of one second from a shorter one.
      since(
        '1.21',
        tellsWaits('waits a second before each restart', () => 1_000),
      ),
      tellsWaits('makes each wait four times as long', (restart) => 100 * 4 ** (restart - 1)),
    ],
  },
  async ({ engine, use }) => {
    const shared = (await ifThere(use(watched)))?.starts;
    const starts = shared ?? (await startsOf(engine, { exit: 1, name: 'always' }));
    const { delays, least, wrong } = waitsIn(starts);
    // Only the longest wrong delay is named, as which of the short ones a busy host hides differs; the events tell how
    // long it was.
    expectValue('the milliseconds from one start to the next', wrong.at(-1) ?? 'as wanted', [starts.events]).toSatisfy(
      `no less than ${delays.join(', ')}, in all ${least}, and not much more`,
      () => wrong.length === 0,
    );
  },
);

/** @param atMostMs how long a start itself may take */
function wrongIn(waitMs: number, delayMs: number, { atMostMs, grain }: { atMostMs: number; grain: number }): string[] {
  if (waitMs >= delayMs - grain && waitMs <= delayMs + atMostMs + grain) return [];
  return [`${waitMs > delayMs ? 'far more' : 'less'} than ${delayMs}`];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

interface TimedEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether the event has a time finer than a second. */
  readonly fine: boolean;
}

/** The events of one kind among the complete lines or objects so far. */
function eventsIn(bytes: Buffer, kind: string): TimedEvent[] {
  return new ObjectDecoder().push(bytes).flatMap(({ value }): TimedEvent[] => {
    if (!isObject(value) || (value.status ?? value.Action) !== kind) return [];
    const nanoseconds = value.timeNano;
    if (nanoseconds === undefined) return [{ at: Number(value.time) * 1_000, fine: false }];
    return [{ at: Number(BigInt(String(nanoseconds)) / 1_000_000n), fine: true }];
  });
}

/** Reports starts as if these were the waits before a container's restarts. */
function tellsWaits(name: string, waitMs: (restart: number) => number): Fault {
  const told = new Map<JsonValue | undefined, { at: number; restarts: number }>();
  return changesEvents(name, (event) => {
    const { id, time } = event;
    if (event.status !== 'start') return event;
    const before = told.get(id);
    const restarts = before ? before.restarts + 1 : 0;
    const at = before ? before.at + waitMs(restarts) : Number(time) * 1_000;
    told.set(id, { at, restarts });
    const timeNano = event.timeNano === undefined ? {} : { timeNano: BigInt(at) * 1_000_000n };
    return { ...event, time: Math.floor(at / 1_000), ...timeNano };
  });
}

function sameTime(piece: Buffer): Buffer {
  return Buffer.from(piece.toString().replace(/"(time|timeNano)":\d+/g, '"$1":1000000000'));
}
