import type { Container } from '../../../../harness/engine/container.ts';
import { makeContainer } from '../../../../harness/engine/containers.ts';
import type { Engine } from '../../../../harness/engine/engine.ts';
import { given, settled } from '../../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../../harness/engine/live-exchange.ts';
import type { Query } from '../../../../harness/engine/query.ts';
import type { CommonContainer } from '../../../support/common-containers.ts';
import { type Carried, carriedBy, carriedSoFar } from '../../../support/streams/carried-text.ts';

/** Lets a process go on that waits for a signal. */
export function signal(container: Container) {
  return given(container.kill({ signal: 'SIGUSR1' }), 204);
}

/** Attaches where attaching itself is not judged. The statuses with and without an upgrade have their own rules. */
export function attached(container: CommonContainer, query: Query): Promise<LiveExchange> {
  return given(container.attach(query), 101, 200);
}

/** What a writer writes to each output before the signal, and what it writes after. */
export const before = { stdout: 'out before\n', stderr: 'err before\n' } as const;
export const after = { stdout: 'signal 10\nout after\n', stderr: 'err after\n' } as const;

/** A running container that has written to both outputs. On SIGUSR1 it writes to both again and ends. */
export async function makeWriter(engine: Engine): Promise<Container> {
  const run = ['catch', 'err', 'err before\\n', 'out', 'out before\\n', 'wait-signal'];
  const ending = ['out', 'out after\\n', 'err', 'err after\\n'];
  const container = await makeContainer(engine, { run: [...run, ...ending], state: 'running' });
  await container.hasWritten(before.stdout, before.stderr);
  return container;
}

export type Output = keyof typeof before;
export type Came = Carried & { readonly live: LiveExchange };

/** A whole stream. Whether it can be read is seen by each rule that it decides. */
export interface Rest {
  readonly live: LiveExchange;
  readonly bytes: Buffer;
}

export async function restOf(live: LiveExchange): Promise<Rest> {
  return { live, bytes: await settled(live.rest(), 'reading the stream') };
}

/** Everything that a stream carries. @throws Blocked when it cannot be read */
export async function came(rest: Rest | Promise<Rest>): Promise<Came> {
  const { live, bytes } = await rest;
  return { live, ...carriedBy(live, bytes) };
}

/** Attaches with a stream, makes the process write again and end, and returns everything that came. */
export async function streamed(engine: Engine, query: Query): Promise<Came> {
  const container = await makeWriter(engine);
  const live = await attached(container, { stream: true, ...query });
  await signal(container);
  return came(restOf(live));
}

/** A query for the log, and the outputs to wait for, unless the stream ends before they are complete. */
interface ForLog {
  readonly query: Query;
  readonly until: readonly Output[];
}

/**
 * Attaches to a container of its own for the log alone. Then the container is killed: whether a stream ends before that is
 * left open.
 */
export async function logged(engine: Engine, { query, until }: ForLog): Promise<Rest> {
  const container = await makeWriter(engine);
  const live = await attached(container, query);
  for (const output of until) await hasCome(live, output, before[output]);
  await given(container.kill(), 204);
  return restOf(live);
}

/** Asks one container for its log alone. */
export async function askedForLog(container: Container, query: Query): Promise<LiveExchange> {
  const live = await attached(container, { logs: true, stdout: true, ...query });
  await hasCome(live, 'stdout', before.stdout);
  return live;
}

/** Makes the process write again and end. */
export async function hasWrittenAgain(container: Container): Promise<void> {
  await signal(container);
  await container.hasEnded();
}

/** Waits until a text has come, or the stream has ended or cannot be read, which is seen when it is judged. */
export async function hasCome(live: LiveExchange, output: Output, text: string): Promise<void> {
  const come = (bytes: Buffer) => live.ended || carriedSoFar(bytes)?.[output].includes(text) !== false;
  await settled(live.receivedUntil(JSON.stringify(text), come), 'reading the log');
}
