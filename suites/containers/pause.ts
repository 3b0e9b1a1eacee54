import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { afterOthers, ifRight, ifThere, itself } from '../support/shared-results.ts';
import { started } from './start.ts';
import { checkOperation } from './support/operation-checks.ts';
import { runningIn } from './support/state-values.ts';

const paused = checkOperation('pause', 'running', (container) => container.pause(), started);
export const unpaused = checkOperation('unpause', 'paused', (container) => container.unpause(), paused);

/**
 * The inspect answer once a field has a value, or the last answer after some time: how soon inspect reflects a change
 * is not stated.
 */
function inspectOnce(container: Container, field: string, value: boolean): Promise<Exchange> {
  const look = () => given(container.inspect(), 200);
  return lookUntil(look, ({ json }) => valuesAt(json, field)[0] === value, 5_000);
}

/** A container that was paused. */
const pausedOnce = fixture('a container that was paused', async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await given(container.pause(), 204);
  return { container, inspect: await inspectOnce(container, 'State.Paused', true) };
});

/** The same, paused once more and then resumed twice, with what came of each. */
const resumedTwice = fixture('a container that was paused and resumed twice', async ({ engine, use }) => {
  const container = (await use(pausedOnce)).container.boundTo(engine);
  const pausedAgain = await container.pause();
  await given(container.unpause(), 204);
  const inspect = await inspectOnce(container, 'State.Paused', false);
  return { pausedAgain, inspect, notPaused: await container.unpause() };
});

function runs(inspect: Exchange): boolean {
  return runningIn(inspect) === true && valuesAt(inspect.json, 'State.Paused')[0] === false;
}

check('containers.pause.container-paused', { faults: [swallows(204)], slowToFail: true }, async ({ engine, use }) => {
  const shared = (await ifThere(use(pausedOnce)))?.inspect;
  const alone = async () => {
    const container = await makeContainer(engine, { state: 'running' });
    await given(container.pause(), 204);
    return inspectOnce(container, 'State.Paused', true);
  };
  const isPaused = ({ json }: Exchange) => valuesAt(json, 'State.Paused')[0] === true;
  const inspect = ifRight(shared, isPaused, afterOthers, itself) ?? (await alone());
  expect(inspect).field('State.Paused').toBe(true);
});

check('containers.unpause.container-runs', { faults: [swallows(204)], slowToFail: true }, async ({ engine, use }) => {
  const shared = (await ifThere(use(resumedTwice)))?.inspect;
  const alone = async () => {
    const container = await makeContainer(engine, { state: 'paused' });
    await given(container.unpause(), 204);
    return inspectOnce(container, 'State.Paused', false);
  };
  const inspect = ifRight(shared, runs, afterOthers, itself) ?? (await alone());
  expect(inspect).field('State.Running').toBe(true);
  expect(inspect).field('State.Paused').toBe(false);
});

const tickMs = 50;
const ticks = 400;

/** A running container that writes a line at intervals, which shows whether it is running. */
async function ticking(engine: Engine): Promise<Container> {
  const run = Array.from({ length: ticks }, (_, i) => ['out', `tick ${i}\\n`, 'sleep', String(tickMs)]).flat();
  const container = await makeContainer(engine, { run, state: 'running' });
  await container.hasWritten('tick 3');
  return container;
}

interface Ticks {
  readonly count: number;
  readonly log: Exchange;
}

async function ticksOf(container: Container): Promise<Ticks> {
  const log = await given(container.logs({ stdout: true }), 200);
  return { count: log.output.split('tick ').length - 1, log };
}

/** The output of a process that is paused and resumed, next to another whose lines show that time passes. */
const halted = fixture('the lines of a process that is paused and resumed', async ({ engine }) => {
  const [container, clock] = await Promise.all([ticking(engine), ticking(engine)]);
  await given(container.pause(), 204);
  // What the process wrote before the pause may reach the log a little later.
  await clock.hasWritten('tick 20');
  const before = await ticksOf(container);
  await clock.hasWritten('tick 40');
  const paused = await ticksOf(container);
  const unpause = await container.unpause();
  await clock.hasWritten('tick 60');
  return { before, paused, unpause, resumed: await ticksOf(container) };
});

check('containers.pause.process-halts', { long: true, faults: [swallows(204)] }, async ({ use }) => {
  const { before, paused } = await use(halted);
  expectValue('the lines that the paused container has written', paused.count, [before.log, paused.log]).toBe(
    before.count,
  );
});

check('containers.unpause.process-goes-on', { long: true, faults: [swallows(204)] }, async ({ use }) => {
  const { before, unpause, resumed } = await use(halted);
  await given(Promise.resolve(unpause), 204);
  expectValue('the lines that the resumed container has written', resumed.count, [before.log, resumed.log]).toBeAtLeast(
    before.count + 1,
  );
});

check('containers.pause.paused-again', { faults: [] }, async ({ engine, use }) => {
  const alone = async () => (await makeContainer(engine, { state: 'paused' })).pause();
  const answer = (await ifThere(use(resumedTwice)))?.pausedAgain ?? (await alone());
  observe(`answers ${answer.status}`, answer);
});

check('containers.pause.not-running', { faults: [] }, async ({ engine }) => {
  const answer = await (await makeContainer(engine)).pause();
  observe(`answers ${answer.status}`, answer);
});

check('containers.unpause.not-paused', { faults: [] }, async ({ engine, use }) => {
  const alone = async () => (await makeContainer(engine, { state: 'running' })).unpause();
  const answer = (await ifThere(use(resumedTwice)))?.notPaused ?? (await alone());
  observe(`answers ${answer.status}`, answer);
});
