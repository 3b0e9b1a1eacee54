import fc from 'fast-check';
import { check } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { filters } from '../../../harness/engine/query.ts';
import { on } from '../../../harness/faults/fault.ts';
import { ignoresFilter } from '../../../harness/faults/requests.ts';
import { forAll } from '../../../harness/property/for-all.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { type CommittedImage, makeImageFrom, plainId } from '../../images/support/committed-images.ts';
import { created } from '../../support/common-containers.ts';
import { type AskedFilter, judgedBy, judgeListed, mapOf, passingIf, wordsOf } from './support/filter-results.ts';
import { type AskedLabel, labelKey, labelled } from './support/label-filters.ts';

const labelRules = { key: 'images.list.filters-label-key', value: 'images.list.filters-label-value' } as const;

interface Traits {
  readonly label: 'a' | 'b' | null;
  /** Whether its name was given to another image. */
  readonly nameless: boolean;
}

type ImageFilter =
  | { readonly filter: 'dangling' }
  | { readonly filter: 'label'; readonly values: readonly AskedLabel[] };

const traits: fc.Arbitrary<Traits> = fc.record({ label: fc.constantFrom(null, 'a', 'b'), nameless: fc.boolean() });

const wanted: fc.Arbitrary<ImageFilter> = fc.oneof(
  fc.record({ filter: fc.constant('dangling' as const) }),
  fc.record({
    filter: fc.constant('label' as const),
    values: fc.uniqueArray(fc.constantFrom('', 'a', 'b'), { minLength: 1, maxLength: 2 }),
  }),
);

const values = fc.record({
  made: fc.array(traits, { minLength: 1, maxLength: 3, size: 'max' }),
  questions: fc.array(fc.uniqueArray(wanted, { minLength: 1, maxLength: 2, selector: ({ filter }) => filter }), {
    minLength: 1,
    maxLength: 5,
    size: 'max',
  }),
});

interface MadeImage extends Traits {
  readonly image: CommittedImage;
}

const lists = 'GET /images/json';

check(
  'generated.inputs.image-filters',
  { faults: [on(lists, ignoresFilter('dangling')), on(lists, ignoresFilter('label'))] },
  (context) =>
    forAll(context, values, { runs: 3, unbiased: true }, async ({ made, questions }, trial) => {
      const { engine } = trial;
      const container = await trial.use(created);
      const things: MadeImage[] = [];
      for (const one of made) {
        trial.step(`makes an image ${one.nameless ? 'without a name' : 'with a name'}, label ${one.label ?? 'none'}`);
        things.push(...(await make(engine, container, one)));
      }
      for (const question of questions) {
        const asked = judgedBy(trial, question.map(asking));
        if (asked.length === 0) continue;
        trial.step(`lists those with ${wordsOf(asked)}`);
        const answer = await engine.get('/images/json', { filters: filters(mapOf(asked)) });
        const ids = Array.isArray(answer.json) ? answer.json.filter(isObject).map(({ Id }) => plainId(Id)) : [];
        await judgeListed(trial, {
          asked,
          things,
          nameOf: ({ image, nameless }) => (nameless ? image.id : image.name),
          isListed: ({ image }) => ids.includes(image.id),
          answer,
          together: 'images.list.filters-map-of-lists',
        });
      }
    }),
);

/** The image, and, if it is nameless, the one that took its name. */
async function make(engine: Engine, container: Pick<Container, 'id'>, traits: Traits): Promise<MadeImage[]> {
  const own = `LABEL ec.own=${engine.unusedName('image')}`;
  const changes = traits.label === null ? own : `${own}\nLABEL ${labelKey}=${traits.label}`;
  const image = await makeImageFrom(engine, container, { query: { changes } });
  if (!traits.nameless) return [{ ...traits, image }];
  engine.made({ kind: 'image', name: image.id, id: image.id });
  const taken = { repo: image.repository, tag: 'ec' };
  const other = await makeImageFrom(engine, container, { query: taken });
  return [
    { ...traits, image },
    { label: null, nameless: false, image: { ...other, name: image.name, repository: image.repository } },
  ];
}

function asking(wanted: ImageFilter): AskedFilter<MadeImage> {
  if (wanted.filter === 'label') {
    return { filter: 'label', values: wanted.values.map((value) => labelled(value, labelRules, ({ label }) => label)) };
  }
  const passes = ({ nameless }: MadeImage) => passingIf(nameless);
  return { filter: 'dangling', values: [{ text: 'true', rule: 'images.list.filters-dangling', passes }] };
}
