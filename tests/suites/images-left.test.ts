import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

/** Rules whose checks build the same again, or have builds fail. */
const rules = [
  'images.build.nocache-spellings',
  'images.build.parameter.nocache-true',
  'images.build.forcerm-spellings',
  'images.build.parameter.forcerm-failure',
  'images.build.syntax-first',
];

// Podman takes the longer to list images, and to answer many other requests, the more of them there are.
test('checks of builds leave no images without a name until the end of the run', async () => {
  // What was there when the run began, and when it removed what was left.
  const lists: string[][] = [];
  around('GET /images/json', (call, answer) => {
    const { images } = call.engine;
    if (call.req.url?.endsWith('/images/json')) {
      lists.push(images.all().flatMap(({ id }) => (images.tags(id).length === 0 ? [id] : [])));
    }
    return answer();
  });
  const results = await resultsOf(rules, '1.23');
  expect([...results.values()].map(({ verdict }) => verdict)).toEqual(rules.map(() => 'pass'));
  expect(lists.length).toBeGreaterThan(1);
  expect(lists.flat()).toEqual([]);
});
