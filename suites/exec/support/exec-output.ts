import type { Container } from '../../../harness/engine/container.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { createExec, type Exec, execBody, execOf } from '../../../harness/engine/exec.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expect } from '../../../harness/expect/expect.ts';
import { carriedBy } from '../../support/streams/carried-text.ts';

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
export async function ranWith(
  engine: Engine,
  container: Pick<Container, 'id'>,
  run: readonly string[],
  config: Readonly<Record<string, unknown>>,
): Promise<Ran> {
  const created = await createExec(engine, container.id, execBody({ run, config }));
  expect(created).toHaveStatus(201);
  return outputOfExec(execOf(engine, created));
}
