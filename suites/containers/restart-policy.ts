import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { framesOf } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import type { RuleId } from '../../specs/catalogue.ts';

const noPolicy = ignoresBodyField('HostConfig.RestartPolicy');
const alwaysRestarts = takesBodyFieldAs('HostConfig.RestartPolicy', { Name: 'always', MaximumRetryCount: 0 });

/** A started container that ends with the exit code, with a restart policy. */
async function ending(engine: Engine, exit: number, name: string, maximum = 0): Promise<Container> {
  const container = await makeContainer(engine, {
    run: ['out', 'started\\n', 'exit', String(exit)],
    hostConfig: { RestartPolicy: { Name: name, MaximumRetryCount: maximum } },
  });
  await given(container.start(), 204);
  return container;
}

/** Waits until the container was restarted so many times, or for a bound of time, and gives the last inspect. */
async function afterRestarts(container: Container, times: number): Promise<Exchange> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const inspect = await given(container.inspect(), 200);
    if (restartsIn(inspect) >= times || Date.now() > deadline) return inspect;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function restartsIn(inspect: Exchange): number {
  return Number(valuesAt(inspect.json, 'RestartCount')[0]);
}

/** A policy under which a container that ends with the code is restarted. */
function checkRestarts(id: RuleId, exit: number, name: string): void {
  check(id, { faults: [noPolicy] }, async ({ engine }) => {
    const inspect = await afterRestarts(await ending(engine, exit, name), 2);
    expect(inspect).field('RestartCount').toBeAtLeast(2);
  });
}

checkRestarts('containers.create.host-config.restart-always', 0, 'always');
checkRestarts('containers.create.host-config.restart-on-failure', 1, 'on-failure');
checkRestarts('containers.create.host-config.restart-unless-stopped', 0, 'unless-stopped');

/** A policy under which it is not; another container that is restarted meanwhile shows that there was time for it. */
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

check('containers.create.host-config.restart-maximum', { faults: [alwaysRestarts] }, async ({ engine }) => {
  const container = await ending(engine, 1, 'on-failure', 2);
  await (await ending(engine, 1, 'always')).hasRestarted(4);
  expect(await given(container.inspect(), 200))
    .field('RestartCount')
    .toBe(2);
});

check(
  'containers.create.host-config.restart-unless-stopped-stopped',
  { faults: [takesBodyFieldAs('Cmd', ['exit', '1'])] },
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
/** A start takes time of its own, on a busy host a lot. */
const startMs = 5_000;

check(
  'containers.create.host-config.restart-delay-doubles',
  { faults: [takesBodyFieldAs('Cmd', ['out', 'started\\n', 'sleep', '6000', 'exit', '1'])] },
  async ({ engine }) => {
    const container = await ending(engine, 1, 'always');
    await afterRestarts(container, 5);
    await container.hasWritten('started');
    const log = await given(container.logs({ stdout: true, timestamps: true }), 200);
    const starts = framesOf(log.answer.body).map(({ payload }) => Date.parse(payload.toString().split(' ')[0] ?? ''));
    const gaps = starts.slice(1, 5).map((start, i) => start - (starts[i] ?? Number.NaN));
    const delays = gaps.map((_gap, i) => firstDelayMs * 2 ** i);
    // From one start to the next there is the delay and the time the start takes; clocks are kept to the millisecond.
    expectValue('the milliseconds between one start and the next', gaps, [log]).toSatisfy(
      `at least ${delays.join(', ')} and not much more`,
      () =>
        gaps.length === 4 && gaps.every((gap, i) => gap >= (delays[i] ?? 0) - 2 && gap <= (delays[i] ?? 0) + startMs),
    );
  },
);
