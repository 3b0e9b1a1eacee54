import { outputs } from '../streams/frames.ts';
import { type ContainerOptions, makeContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import type { Exchange } from './exchange.ts';
import { given, settled } from './given.ts';
import { framesOf } from './live-exchange.ts';

/** What a container wrote, with the exchange that shows it. */
export interface ContainerOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly evidence: Exchange;
}

/**
 * Runs a container of the probe to its end and reads what it wrote from its log.
 * @throws Blocked when a step fails
 */
export async function outputOf(engine: Engine, options: ContainerOptions): Promise<ContainerOutput> {
  const container = await makeContainer(engine, { ...options, state: 'exited' });
  const evidence = await given(container.logs({ stdout: true, stderr: true }), 200);
  if (options.config?.Tty === true) return { stdout: evidence.text, stderr: '', evidence };
  const frames = await settled(
    Promise.resolve().then(() => framesOf(evidence.answer.body)),
    'reading the log',
  );
  const { stdout, stderr } = outputs(frames);
  return { stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), evidence };
}
