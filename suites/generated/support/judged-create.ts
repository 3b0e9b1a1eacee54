import { Container } from '../../../harness/engine/container.ts';
import { type ContainerOptions, create, createBody } from '../../../harness/engine/containers.ts';
import { expect } from '../../../harness/expect/expect.ts';
import type { Trial } from '../../../harness/property/trial.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';

/**
 * Creates a container with a fresh name of the sandbox, and judges that it is created.
 * @returns undefined when it is not, and this is a known deviation of the daemon
 */
export async function createJudged(trial: Trial, options: ContainerOptions): Promise<Container | undefined> {
  const { engine } = trial;
  const name = engine.name('container');
  const created = await create(engine, createBody(engine, options), { name });
  await trial.decides('containers.create.answers-201', () => expect(created).toHaveStatus(201));
  if (created.status !== 201) return undefined;
  return new Container(engine, String(valuesAt(created.json, 'Id')[0]), name);
}
