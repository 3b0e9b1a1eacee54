import fc from 'fast-check';
import { check } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { on } from '../../../harness/faults/fault.ts';
import { ignoresFilter } from '../../../harness/faults/requests.ts';
import { forAll } from '../../../harness/property/for-all.ts';
import { type ApiVersion, atLeast } from '../../../specs/versions.ts';
import { itemOf, listFiltered } from '../../containers/support/list-answers.ts';
import { type LoadedImage, loadImage } from '../../events/support/event-images.ts';
import {
  type AskedFilter,
  type AskedValue,
  judgedBy,
  judgeListed,
  mapOf,
  passingIf,
  wordsOf,
} from './support/filter-results.ts';
import { type AskedLabel, labelKey, labelled } from './support/label-filters.ts';

const labelRules = {
  key: 'containers.list.filters.label-key',
  value: 'containers.list.filters.label-value',
} as const;
const codes = [0, 3, 255] as const;
const two = [0, 1] as const;

/** The properties by which a container can be found. */
interface Traits {
  /** The code it ended with; null: it was never started. */
  readonly exits: (typeof codes)[number] | null;
  readonly label: 'a' | 'b' | null;
  /** Which of two volumes. */
  readonly volume: (typeof two)[number] | null;
  /** Which of two places the volume is mounted at. */
  readonly place: (typeof two)[number];
  /** Which of two images of the trial; null: the probe image. */
  readonly image: (typeof two)[number] | null;
}

/** A filter, generated before the images and volumes that it refers to exist. */
type ContainerFilter =
  | { readonly filter: 'exited'; readonly values: readonly number[] }
  | { readonly filter: 'status'; readonly values: readonly ('created' | 'exited')[] }
  | { readonly filter: 'label'; readonly values: readonly AskedLabel[] }
  | { readonly filter: 'volume'; readonly values: readonly Place[] }
  | { readonly filter: 'ancestor'; readonly values: readonly Ancestor[] };

interface Place {
  readonly by: 'name' | 'destination';
  readonly which: number;
}

interface Ancestor {
  readonly by: 'name' | 'tag' | 'id';
  readonly which: number;
}

function values(api: ApiVersion) {
  const isNew = atLeast(api, '1.23');
  const either = fc.constantFrom(...two);
  const traits: fc.Arbitrary<Traits> = fc.record({
    exits: fc.constantFrom(null, null, ...codes),
    label: fc.constantFrom(null, 'a', 'b'),
    volume: isNew ? fc.constantFrom(null, ...two) : fc.constant(null),
    place: either,
    image: isNew ? fc.constantFrom(null, ...two) : fc.constant(null),
  });
  const some = <T>(value: fc.Arbitrary<T>) =>
    fc.uniqueArray(value, { minLength: 1, maxLength: 2, selector: (one) => JSON.stringify(one) });
  const filter = <const Name extends string, T>(name: Name, value: fc.Arbitrary<T>) =>
    fc.record({ filter: fc.constant(name), values: some(value) });
  const wanted: fc.Arbitrary<ContainerFilter> = fc.oneof(
    filter('exited', fc.constantFrom(...codes)),
    filter('status', fc.constantFrom('created', 'exited')),
    filter('label', fc.constantFrom('', 'a', 'b')),
    ...(isNew
      ? [
          filter('volume', fc.record({ by: fc.constantFrom('name', 'destination'), which: either })),
          filter('ancestor', fc.record({ by: fc.constantFrom('name', 'tag', 'id'), which: either })),
        ]
      : []),
  );
  const question = fc.uniqueArray(wanted, { minLength: 1, maxLength: 3, selector: (one) => one.filter });
  return fc.record({
    made: fc.array(traits, { minLength: 1, maxLength: 4, size: 'max' }),
    questions: fc.array(question, { minLength: 1, maxLength: 12, size: 'max' }),
  });
}

interface MadeContainer {
  readonly traits: Traits;
  readonly container: Container;
}

/** What the containers of a trial share. */
interface Shared {
  readonly volumes: readonly string[];
  readonly images: readonly (LoadedImage | undefined)[];
}

const destination = (place: number) => `/ec-listed-${place}`;

const lists = 'GET /containers/json';

check(
  'generated.inputs.container-filters',
  {
    faults: [on(lists, ignoresFilter('exited')), on(lists, ignoresFilter('status')), on(lists, ignoresFilter('label'))],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 2, unbiased: true }, async ({ made, questions }, trial) => {
      const { engine } = trial;
      const shared = await sharedBy(engine, made);
      const things: MadeContainer[] = [];
      for (const traits of made) {
        trial.step(`makes a container: ${said(traits)}`);
        things.push({ traits, container: await make(engine, traits, shared) });
      }
      for (const wanted of questions) {
        const asked = judgedBy(
          trial,
          wanted.flatMap((one) => asking(one, shared)),
        );
        if (asked.length === 0) continue;
        trial.step(`lists those with ${wordsOf(asked)}`);
        const answer = await listFiltered(engine, mapOf(asked));
        await judgeListed(trial, {
          asked,
          things,
          nameOf: ({ container }) => container.name,
          isListed: ({ container }) => itemOf(answer, container) !== undefined,
          answer,
          together: 'containers.list.filters.map-of-lists',
        });
      }
    }),
);

async function sharedBy(engine: Engine, made: readonly Traits[]): Promise<Shared> {
  const images: (LoadedImage | undefined)[] = [];
  for (const which of two) {
    images.push(made.some(({ image }) => image === which) ? await loadImage(engine) : undefined);
  }
  return { volumes: two.map(() => engine.name('volume')), images };
}

function make(engine: Engine, { exits, label, volume, place, image }: Traits, shared: Shared): Promise<Container> {
  const { name: Image } = (image === null ? undefined : shared.images[image]) ?? {};
  return makeContainer(engine, {
    run: ['exit', String(exits ?? 0)],
    state: exits === null ? 'created' : 'exited',
    config: { ...(label !== null && { Labels: { [labelKey]: label } }), ...(Image !== undefined && { Image }) },
    ...(volume !== null && { hostConfig: { Binds: [`${shared.volumes[volume]}:${destination(place)}`] } }),
  });
}

function said({ exits, label, volume, place, image }: Traits): string {
  return [
    exits === null ? 'never started' : `ended with ${exits}`,
    ...(label === null ? [] : [`label ${label}`]),
    ...(volume === null ? [] : [`volume ${volume} at ${destination(place)}`]),
    ...(image === null ? [] : [`image ${image}`]),
  ].join(', ');
}

/** Nothing when it refers to an image that the trial does not have. */
function asking(wanted: ContainerFilter, { volumes, images }: Shared): AskedFilter<MadeContainer>[] {
  const { filter } = wanted;
  switch (filter) {
    case 'exited':
      return [{ filter, alternatives: true, values: wanted.values.map(exitedWith) }];
    case 'status':
      return [{ filter, alternatives: true, values: wanted.values.map(inState) }];
    case 'label':
      return [
        { filter, values: wanted.values.map((value) => labelled(value, labelRules, ({ traits }) => traits.label)) },
      ];
    case 'volume':
      return [{ filter, values: wanted.values.map((value) => mounting(value, volumes)) }];
    case 'ancestor':
      return [{ filter, values: wanted.values.flatMap((value) => madeFrom(value, images[value.which])) }];
  }
}

type Value = AskedValue<MadeContainer>;

/** Whether a container that was never started has an exit code is not stated. */
function exitedWith(code: number): Value {
  return {
    text: String(code),
    rule: 'containers.list.filters.exited',
    passes: ({ traits: { exits } }) => (exits === null && code === 0 ? 'open' : passingIf(exits === code)),
  };
}

function inState(state: 'created' | 'exited'): Value {
  return {
    text: state,
    rule: `containers.list.filters.status-${state}`,
    passes: ({ traits: { exits } }) => passingIf((exits === null) === (state === 'created')),
  };
}

function mounting({ by, which }: Place, volumes: readonly string[]): Value {
  return {
    text: (by === 'name' ? volumes[which] : undefined) ?? destination(which),
    rule: `containers.list.filters.volume-${by}`,
    passes: ({ traits: { volume, place } }) => passingIf(volume !== null && (by === 'name' ? volume : place) === which),
  };
}

function madeFrom({ by, which }: Ancestor, image: LoadedImage | undefined): Value[] {
  const [id] = image?.ids.slice(-1) ?? [];
  if (!image || id === undefined) return [];
  const text = { name: image.name.slice(0, image.name.lastIndexOf(':')), tag: image.name, id }[by];
  return [
    {
      text,
      rule: `containers.list.filters.ancestor-${by}`,
      passes: ({ traits }) => passingIf(traits.image === which),
    },
  ];
}
