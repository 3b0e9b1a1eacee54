import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { saying } from '../../harness/engine/output.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import {
  doublesQuery,
  halvesQuery,
  ignoresQuery,
  ignoresZero,
  swallows,
  takesQueryAs,
} from '../../harness/faults/requests.ts';
import { afterOthers, ifRight, ifThere } from '../support/shared-results.ts';
import { unpaused } from './pause.ts';
import { checkOperation } from './support/operation-checks.ts';
import { checkSignal } from './support/signal-checks.ts';
import { runningIn, startedAt } from './support/state-values.ts';
import {
  afterPatience,
  expectHaste,
  expectKilledAtOnce,
  expectKilledSoon,
  killedAtOnce,
} from './support/stop-patience.ts';

export const restarted = checkOperation('restart', 'running', (container) => container.restart(), unpaused);

/** How often the process of a container has written a line, with the log that shows it. */
async function timesWritten(container: Container, line: string) {
  const log = await given(container.logs({ stdout: true }, saying(line)), 200);
  return { times: log.output.split(line).length - 1, log };
}

/** Waits until the restarted process has come as far as the first one did. */
async function hasStartedAgain(container: Container): Promise<void> {
  await container.inspectUntil('a running container', (inspect) => runningIn(inspect) === true);
  await container.hasWritten('ready');
}

/**
 * The process of the container started at another time than before. The first start was at least a second ago, as
 * nothing says how precise an engine's times are.
 */
function expectNewProcess(before: Exchange, after: Exchange): void {
  expectValue('State.StartedAt after the restart', startedAt(after), [before, after]).toDiffer(startedAt(before));
}

const slow = ['catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '1000', 'out', 'by itself\\n', 'exit', '7'];

/** A container that ends by itself some time after its signal, before and after its restart and that of its next end. */
const restartedSlowly = fixture('a container that ends by itself when it is restarted', async ({ engine }) => {
  const container = await makeContainer(engine, { run: slow, state: 'running' });
  await container.hasWritten('ready');
  const before = await given(container.inspect(), 200);
  await given(container.restart({ t: 30 }), 204);
  const after = await given(container.inspect(), 200);
  await hasStartedAgain(container);
  const written = await timesWritten(container, 'by itself');
  await given(container.kill(), 204);
  await container.hasEnded();
  return { before, after, ...written, ofExited: await container.restart() };
});

check('containers.restart.new-process', { faults: [swallows(204)] }, async ({ engine, use }) => {
  const shared = await ifThere(use(restartedSlowly));
  const alone = async () => {
    const run = ['sleep', '1100', 'out', 'ready\\n', 'forever'];
    const container = await makeContainer(engine, { run, state: 'running' });
    await container.hasWritten('ready');
    const before = await given(container.inspect(), 200);
    await given(container.restart(), 204);
    return { before, after: await given(container.inspect(), 200) };
  };
  const isNew = (one: { before: Exchange; after: Exchange }) =>
    runningIn(one.after) === true && startedAt(one.before) !== startedAt(one.after);
  const { before, after } = ifRight(shared, isNew, afterOthers, (one) => one.after) ?? (await alone());
  expect(after).field('State.Running').toBe(true);
  expectNewProcess(before, after);
});

check(
  'containers.restart.kills-after-t',
  { long: true, faults: [swallows(204), ignoresQuery('t'), halvesQuery('t')] },
  async ({ engine, use }) => {
    const waits = await use(afterPatience.restart);
    for (const { before, after } of [waits.hasty, waits.patient]) {
      expect(after).field('State.Running').toBe(true);
      expectNewProcess(before, after);
    }
    await expectHaste(engine, waits);
  },
);

check(
  'containers.restart.kills-soon-after-t',
  { long: true, faults: [doublesQuery('t'), ignoresZero('t')] },
  async ({ engine, use }) => {
    const waits = await use(afterPatience.restart);
    await expectKilledSoon(engine, waits);
    await expectKilledAtOnce(engine, waits, await use(killedAtOnce.restart));
  },
);

checkSignal({
  operation: 'restart',
  operate: (container, query) => container.restart(query),
  judge: (stdout, answer, wanted) => expectValue('what the first process wrote', stdout, [answer]).toContain(wanted),
});

check('containers.restart.waits-up-to-t', { faults: [takesQueryAs('t', '0')] }, async ({ engine, use }) => {
  const shared = await ifThere(use(restartedSlowly));
  const alone = async () => {
    const container = await makeContainer(engine, { run: slow, state: 'running' });
    await container.hasWritten('ready');
    await given(container.restart({ t: 30 }), 204);
    await hasStartedAgain(container);
    return timesWritten(container, 'by itself');
  };
  const isOnce = (written: { times: number }) => written.times === 1;
  const { times, log } = ifRight(shared, isOnce, afterOthers, ({ log }) => log) ?? (await alone());
  expectValue('how often the process has ended by itself', times, [log]).toBe(1);
});

check('containers.restart.exited', { faults: [] }, async ({ engine, use }) => {
  const alone = async () => (await makeContainer(engine, { run: ['out', 'started\\n'], state: 'exited' })).restart();
  const answer = (await ifThere(use(restartedSlowly)))?.ofExited ?? (await alone());
  observe(`answers ${answer.status}`, answer);
});
