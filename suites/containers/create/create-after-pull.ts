import { check } from '../../../harness/check.ts';
import { create, createBody } from '../../../harness/engine/containers.ts';
import { given } from '../../../harness/engine/given.ts';
import { expect } from '../../../harness/expect/expect.ts';
import { type Fault, on } from '../../../harness/faults/fault.ts';
import { memberIn } from '../../../harness/streams/json.ts';
import { givenPulled, publish, pull, withRegistry } from '../../registry/support/published-images.ts';

/** An image that was missing once stays missing. */
function remembersMissing(): Fault {
  const missing = new Set<unknown>();
  return on('POST /containers/create', {
    name: 'remembers that an image is missing',
    answer: (answer, { body }) => {
      const image = memberIn(body?.toString('utf8') ?? '', 'Image');
      if (answer.status === 404) missing.add(image);
      return missing.has(image) ? { ...answer, status: 404 } : answer;
    },
  });
}

check('containers.create.after-pull', { faults: [remembersMissing()] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const image = await publish(engine, repository, 'one');
    const name = `${repository.name}:one`;
    const body = createBody(engine, { config: { Image: name, Entrypoint: ['/probe'] } });
    await given(create(engine, body), 404);
    await given(pull(engine, { fromImage: repository.name, tag: 'one' }), 200);
    await givenPulled(engine, name, image);
    expect(await create(engine, body)).toHaveStatus(201);
  });
});
