import { fixture } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { given } from '../../../harness/engine/given.ts';
import type { RegistryImage } from '../../../harness/registry/image.ts';
import { publish, pull, withRegistry } from './published-images.ts';

/** Pulls an image, and returns its names. @throws Blocked */
export function pullNew(engine: Engine): Promise<{ tagged: string; name: string; image: RegistryImage }> {
  return withRegistry(engine, {}, async (repository) => {
    const image = await publish(engine, repository, 'one');
    await given(pull(engine, { fromImage: repository.name, tag: 'one' }), 200);
    return { tagged: `${repository.name}:one`, name: `${repository.name}@${image.manifest.digest}`, image };
  });
}

/** Whether the daemon has it is not judged yet. */
export const pulled = fixture('a pulled image, and its name by digest', ({ engine }) => pullNew(engine));
