import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { lines, words } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { IndexedImage } from '../../harness/registry/index-of-images.ts';
import { Registry } from '../../harness/registry/registry.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { isDocumented } from '../../specs/versions.ts';

const names = fc.tuple(fc.constantFrom('ec-sought', 'ec-other'), words).map((parts) => parts.join('/'));

const images: fc.Arbitrary<IndexedImage> = fc.record(
  {
    name: names,
    description: lines,
    is_official: fc.boolean(),
    is_automated: fc.boolean(),
    star_count: fc.nat({ max: 100_000 }),
  },
  { noNullPrototype: true },
);

const values = fc.record({
  index: fc.uniqueArray(images, { minLength: 1, maxLength: 6, size: 'max', selector: ({ name }) => name }),
  /** Which image is searched for, and how much of its name; null: all images of one owner. */
  sought: fc.option(fc.record({ which: fc.nat({ max: 5 }), length: fc.integer({ min: 1, max: 8 }) }), { freq: 1 }),
});

const searches = 'GET /images/search';

check(
  'generated.inputs.searches',
  { faults: [on(searches, swallows(200, '[]')), on(searches, setsField('star_count', 3.5))] },
  (context) =>
    forAll(context, values, { runs: 5, unbiased: true }, async ({ index, sought }, trial) => {
      const image = sought ? index[sought.which % index.length] : undefined;
      const term = image && sought ? image.name.slice(0, 'ec-sought/'.length + sought.length) : 'ec-sought';
      const registry = await Registry.start({ index });
      try {
        trial.step(`searches a registry of ${index.length} images for ${term}`);
        const answer = await trial.engine.get('/images/search', { term: `${registry.host}/${term}` });
        await trial.decides('images.search.answers-200', () => expect(answer).toHaveStatus(200));
        const found = index.filter(({ name }) => name.includes(term)).sort(byName);
        // From 1.24 on, today's daemons always answer false (Document 4, Images).
        const wanted = isDocumented(trial.engine.api) ? found : found.map(({ is_automated: _, ...others }) => others);
        const items = Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
        await trial.decides('images.search.term', () =>
          expectValue('the number of results', items.length, [answer]).toBe(wanted.length),
        );
        const shown = items.map((item) => ({
          name: typeof item.name === 'string' ? item.name : '',
          description: item.description,
          is_official: item.is_official,
          ...(isDocumented(trial.engine.api) && { is_automated: item.is_automated }),
          star_count: item.star_count,
        }));
        await trial.decides('images.search.registry-keys', () =>
          expectValue('the results', shown.sort(byName), [answer]).toBe(wanted),
        );
      } finally {
        await registry.close();
      }
    }),
);

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
