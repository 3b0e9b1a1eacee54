import { expect } from '../expect/expect.ts';
import { outputs } from '../streams/frames.ts';
import { Container } from './container.ts';
import { type ContainerOptions, create, createBody } from './containers.ts';
import type { Engine } from './engine.ts';
import type { Exchange } from './exchange.ts';
import { given, settled } from './given.ts';
import { framesOf } from './live-exchange.ts';

/** Whether a log has a text, for `Container.logs`. */
export function saying(text: string): (log: Exchange) => boolean {
  return ({ output }) => output.includes(text);
}

/** Takes a log as it is, for `Container.logs`: it may be empty. */
export const asItIs = () => true;

/** What a container wrote, with its evidence. */
export interface ContainerOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly evidence: Exchange;
}

/**
 * Runs a container of the probe to its end, with a configuration that is being judged, and reads its output from its
 * log.
 * @throws Deviation when the configuration is refused
 */
export async function outputWith(engine: Engine, options: ContainerOptions): Promise<ContainerOutput> {
  const name = engine.name('container');
  expect(await create(engine, createBody(engine, options), { name })).toHaveStatus(201);
  const container = new Container(engine, name, name);
  expect(await container.start()).toHaveStatus(204);
  await container.hasEnded();
  return readOutput(container, options);
}

/**
 * What a container has written so far, according to its log.
 * @param isWhole as `Container.logs` takes it
 * @throws Blocked when the log cannot be read
 */
export async function readOutput(
  container: Pick<Container, 'logs'>,
  { config, isWhole }: Pick<ContainerOptions, 'config'> & { isWhole?: (log: Exchange) => boolean } = {},
): Promise<ContainerOutput> {
  const evidence = await given(container.logs({ stdout: true, stderr: true }, isWhole), 200);
  if (config?.Tty === true) return { stdout: evidence.text, stderr: '', evidence };
  const read = async () => outputs(framesOf(evidence.answer.body));
  const { stdout, stderr } = await settled(read(), 'reading the log');
  return { stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), evidence };
}
