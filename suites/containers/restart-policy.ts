import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { readOutput } from '../../harness/engine/output.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { changesJson } from '../../harness/faults/answers.ts';
import { changesEvents } from '../../harness/faults/events.ts';
import { alike, type Fault, on, since } from '../../harness/faults/fault.ts';
import { doesInstead, ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { changesPieces } from '../../harness/faults/streams.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { ObjectDecoder } from '../../harness/streams/objects.ts';
import type { RuleId } from '../../specs/catalogue.ts';

const noPolicy = ignoresBodyField('HostConfig.RestartPolicy');
const alwaysRestarts = takesBodyFieldAs('HostConfig.RestartPolicy', { Name: 'always', MaximumRetryCount: 0 });

/** A started container with a restart policy that ends with the exit code. */
async function ending(engine: Engine, exit: number, name: string, maximum = 0): Promise<Container> {
  const container = await makeContainer(engine, {
    run: ['out', 'started\\n', 'exit', String(exit)],
    hostConfig: { RestartPolicy: { Name: name, MaximumRetryCount: maximum } },
  });
  await given(container.start(), 204);
  return container;
}

/**
 * Waits until the container was restarted this many times, or for a bounded time, and returns the last inspect answer.
 */
export function afterRestarts(container: Container, times: number): Promise<Exchange> {
  const look = () => given(container.inspect(), 200);
  return lookUntil(look, (inspect) => restartsIn(inspect) >= times, 20_000);
}

function restartsIn(inspect: Exchange): number {
  return Number(valuesAt(inspect.json, 'RestartCount')[0]);
}

/** A policy under which a container that ends with the exit code is restarted. */
function checkRestarts(id: RuleId, exit: number, name: string): void {
  check(id, { faults: [noPolicy] }, async ({ engine }) => {
    const inspect = await afterRestarts(await ending(engine, exit, name), 2);
    expect(inspect).field('RestartCount').toBeAtLeast(2);
  });
}

checkRestarts('containers.create.host-config.restart-always', 0, 'always');
checkRestarts('containers.create.host-config.restart-on-failure', 1, 'on-failure');
checkRestarts('containers.create.host-config.restart-unless-stopped', 0, 'unless-stopped');

/** A policy under which it is not; another container that is restarted meanwhile shows that there was enough time. */
function checkNoRestart(id: RuleId, exit: number, name: string): void {
  check(id, { faults: [alwaysRestarts] }, async ({ engine }) => {
    const container = await ending(engine, exit, name);
    await (await ending(engine, 1, 'always')).hasRestarted(2);
    const inspect = await given(container.inspect(), 200);
    expect(inspect).field('RestartCount').toBe(0);
    expect(inspect).field('State.Running').toBe(false);
  });
}

checkNoRestart('containers.create.host-config.restart-empty', 1, '');
checkNoRestart('containers.create.host-config.restart-on-failure-success', 0, 'on-failure');

check(
  'containers.create.host-config.restart-maximum',
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
  async ({ engine }) => {
    const container = await ending(engine, 1, 'on-failure', 2);
    await (await ending(engine, 1, 'always')).hasRestarted(4);
    expect(await given(container.inspect(), 200))
      .field('RestartCount')
      .toBe(2);
    const { stdout, evidence } = await readOutput(container);
    expectValue('the number of starts that its log shows', stdout.split('started\n').length - 1, [evidence]).toBe(3);
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
  'containers.create.host-config.restart-unless-stopped-stopped',
  { faults: [on('POST /containers/{id}/stop', doesInstead('/stop', '/restart'))] },
  async ({ engine }) => {
    const container = await makeContainer(engine, {
      state: 'running',
      hostConfig: { RestartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 } },
    });
    await given(container.stop({ t: 5 }), 204, 304);
    await (await ending(engine, 1, 'always')).hasRestarted(2);
    const inspect = await given(container.inspect(), 200);
    expect(inspect).field('RestartCount').toBe(0);
    expect(inspect).field('State.Running').toBe(false);
  },
);

const firstDelayMs = 100;
/** A start itself takes time: at most this long, or on a busy host several times as long as the first one. */
const startMs = 5_000;
const timesSlower = 5;

check(
  'containers.create.host-config.restart-delay-doubles',
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
  async ({ engine }) => {
    const container = await makeContainer(engine, {
      run: ['exit', '1'],
      hostConfig: { RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } },
    });
    const query = { filters: filters({ container: [container.id] }) };
    const events = await given(engine.open('GET', '/events', { query, boundMs: 60_000 }), 200);
    const begun = performance.now();
    await given(container.start(), 204);
    const atMostMs = startMs + timesSlower * (performance.now() - begun);
    // After this many restarts, a wait that does not grow is shorter than the delay, however long the starts take on a
    // busy host.
    const wanted = 6;
    await events.receivedUntil(`${wanted} starts`, (bytes) => eventsIn(bytes, 'start').length >= wanted);
    const starts = eventsIn(events.received, 'start').slice(0, wanted);
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
    // Only the longest wrong delay is named, as which of the short ones a busy host hides differs; the events tell how
    // long it was.
    expectValue('the milliseconds from one start to the next', wrong.at(-1) ?? 'as wanted', [events]).toSatisfy(
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
