import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { given } from '../../../harness/engine/given.ts';

/**
 * A container that is restarted again and again. Where the delay doubles before each restart, it waits nearly all of
 * the time. Without a delay it keeps the daemon busy, so it is not shared.
 */
export async function makeRestarting(engine: Engine): Promise<Container> {
  const hostConfig = { RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } };
  const container = await makeContainer(engine, { run: ['exit', '1'], hostConfig, network: 'any' });
  await given(container.start(), 204);
  await container.hasRestarted(3);
  return container;
}
