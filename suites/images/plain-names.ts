import { check, fixture } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { loadImage } from '../events/support/event-images.ts';
import { idOf, inspectImage, newName } from './support/committed-images.ts';
import { itemIds } from './support/history-items.ts';

/** Finds images only by identifier, or by a name with a tag or digest. */
const needsTag: Fault = {
  name: 'finds no image by its name alone',
  request: (request) =>
    /\/images\/[^:?]*[^0-9a-f:?/][^:?]*?(?:\/(?:json|history|tag))?(?:\?|$)/.test(request.path)
      ? { instead: { status: 404, headers: [], body: Buffer.from('there is no such image') } }
      : request,
};

/** The name without its tag, of an image that is tagged latest by loadImage. */
function withoutTag(name: string): string {
  return name.replace(/:latest$/, '');
}

/** An image that is only looked at. */
const loaded = fixture('an image with the tag latest', ({ engine }) => loadImage(engine));

check('images.inspect.by-plain-name', { faults: [needsTag] }, async ({ engine, use }) => {
  const { name } = await use(loaded);
  const tagged = await given(inspectImage(engine, name), 200);
  expectValue('Id', idOf(tagged), [tagged]).toMatch(/./);
  const plain = await inspectImage(engine, withoutTag(name));
  expect(plain).toHaveStatus(200);
  expectValue('Id', idOf(plain), [tagged, plain]).toBe(idOf(tagged));
});

check('images.history.by-plain-name', { faults: [needsTag] }, async ({ engine, use }) => {
  const { name } = await use(loaded);
  const tagged = await given(engine.get(`/images/${name}/history`), 200);
  const items = itemIds(tagged);
  expectValue('the number of items', items.length, [tagged]).toBeAtLeast(1);
  const plain = await engine.get(`/images/${withoutTag(name)}/history`);
  expect(plain).toHaveStatus(200);
  expectValue('the Ids of its items', itemIds(plain), [tagged, plain]).toBe(items);
});

check('images.tag.by-plain-name', { faults: [needsTag] }, async ({ engine }) => {
  const { name } = await loadImage(engine);
  const tagged = await given(inspectImage(engine, name), 200);
  const other = newName(engine);
  const answer = await engine.post(`/images/${withoutTag(name)}/tag`, { query: { repo: other.repository, tag: 'ec' } });
  expect(answer).toHaveStatus(201);
  const found = await given(inspectImage(engine, other.name), 200);
  expectValue('Id of the image with the new name', idOf(found), [tagged, answer, found]).toBe(idOf(tagged));
});

check('images.remove.by-plain-name', { faults: [needsTag] }, async ({ engine }) => {
  const { name } = await loadImage(engine);
  await given(inspectImage(engine, name), 200);
  expect(await engine.delete(`/images/${withoutTag(name)}`)).toHaveStatus(200);
  expect(await inspectImage(engine, name)).toHaveStatus(404);
});
