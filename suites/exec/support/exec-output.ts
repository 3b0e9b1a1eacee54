import type { Container } from '../../../harness/engine/container.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { createExec, type Exec, execBody, execOf } from '../../../harness/engine/exec.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expect } from '../../../harness/expect/expect.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { host } from '../../support/common-containers.ts';
import { doneOnce } from '../../support/done-once.ts';
import { carriedBy, carriedUntil } from '../../support/streams/carried-text.ts';

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly evidence: LiveExchange;
}

/** Starts an exec instance and returns what its command wrote until it ended. @throws Blocked when that fails */
export async function outputOfExec(exec: Exec): Promise<Ran> {
  const live = await given(exec.start(), 101, 200);
  const { stdout, stderr } = carriedBy(live, await settled(live.rest(), 'reading the output of a command'));
  return { stdout, stderr, evidence: live };
}

/**
 * Runs the probe by exec to its end, with a configuration that is being judged: it must be accepted.
 * @throws Deviation when exec create does not answer 201
 */
async function ranWith(
  engine: Engine,
  container: Pick<Container, 'id'>,
  run: readonly string[],
  config: Readonly<Record<string, unknown>>,
): Promise<Ran> {
  const created = await createExec(engine, container.id, execBody({ run, config }));
  expect(created).toHaveStatus(201);
  return outputOfExec(execOf(engine, created));
}

/** The same for several rules, which judge one run in each version. */
export function ranOnce(run: readonly string[], config: Readonly<Record<string, JsonValue>>) {
  const what = `the output of the command ${run.join(' ')} with ${JSON.stringify(config)}`;
  return doneOnce(what, async ({ engine, use }) => ranWith(engine, await use(host), run, config));
}

/** What a command with a terminal tells of its streams. */
export const withTerminal = doneOnce('the stream of a command with a terminal', async ({ engine, use }) => {
  const body = execBody({ run: ['raw', 'tty'], config: { Tty: true } });
  const created = await createExec(engine, (await use(host)).id, body);
  expect(created).toHaveStatus(201);
  const live = await given(execOf(engine, created).start({ tty: true }), 101, 200);
  return { live, text: (await live.rest()).toString('latin1') };
});

/** What a command writes back of what a client sends. */
export const echoed = doneOnce('what a command writes back', async ({ engine, use }) => {
  const body = execBody({ run: ['echo-line'], config: { AttachStdin: true } });
  const created = await createExec(engine, (await use(host)).id, body);
  expect(created).toHaveStatus(201);
  const live = await given(execOf(engine, created).start(), 101, 200);
  live.write('a line\n');
  const { stdout } = await carriedUntil(live, 'stdout', 'a line\n');
  return { created, live, stdout };
});
