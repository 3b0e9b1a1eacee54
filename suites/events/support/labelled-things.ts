import { fixture } from '../../../harness/check.ts';
import { given } from '../../../harness/engine/given.ts';
import { createVolume } from '../../volumes/support/volumes.ts';
import { loadImage, newRepository } from './event-images.ts';
import { listen } from './listen.ts';
import { ownLabel } from './short-run.ts';

const label = { [ownLabel[0]]: ownLabel[1] };

/** Besides the listener, what the events of each may name. */
export const labelledImage = fixture('the events of an image with a label that is tagged', async ({ engine }) => {
  const listener = await listen(engine);
  const image = await loadImage(engine, label);
  const repo = newRepository(engine);
  await given(engine.post(`/images/${image.name}/tag`, { query: { repo, tag: 'ec' } }), 201);
  return { listener, image, repo };
});

export const labelledVolume = fixture('the events of a volume with a label', async ({ engine }) => {
  const listener = await listen(engine);
  const name = engine.name('volume');
  await given(createVolume(engine, name, { Labels: { ...engine.sandbox.labels, ...label } }), 201);
  return { listener, name };
});
