import { type CheckContext, check, checkRule, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { filters, type Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { undocumentedFields } from '../../harness/expect/undocumented.ts';
import { answersBody, answersStatus, changesJson, listsTwice } from '../../harness/faults/answers.ts';
import { type Fault, since } from '../../harness/faults/fault.ts';
import { dropsField, fieldFaults, setsField } from '../../harness/faults/fields.ts';
import { ignoresFilter, ignoresQuery, takesMissingAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { imageListItem } from '../../specs/resources/image.ts';
import { buildOf, labelling, own } from '../build/support/building.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { isList } from '../support/known-answer.ts';
import { type Alike, expectAlike } from '../support/list-and-inspect.ts';
import { expectSeconds } from '../support/moments.ts';
import { ifThere } from '../support/shared-results.ts';
import { inspectOfDescribed } from './inspect.ts';
import {
  allSpellings,
  type CommittedImage,
  expectFound,
  itemWhere,
  makeImage,
  plainId,
  refusesSpelling,
} from './support/committed-images.ts';
import { another, described, labelled } from './support/common-images.ts';

function list(engine: Engine, query: Query = {}): Promise<Exchange> {
  return engine.get('/images/json', query);
}

function listFiltered(engine: Engine, map: Readonly<Record<string, readonly string[]>>): Promise<Exchange> {
  return list(engine, { filters: filters(map) });
}

function idsIn(answer: Exchange): string[] {
  return Array.isArray(answer.json) ? answer.json.filter(isObject).map(({ Id }) => plainId(Id)) : [];
}

/** Of the check's own images, the list has those in `present` and not the others. */
function expectListed(answer: Exchange, present: readonly CommittedImage[], absent: readonly CommittedImage[]): void {
  const ids = idsIn(answer);
  const listed = [...present, ...absent].map(({ id }) => ids.includes(id));
  const wanted = [...present.map(() => true), ...absent.map(() => false)];
  expectValue('whether each image of this check is listed', listed, [answer]).toBe(wanted);
}

/** An image that lost its name to another. */
const nameless = fixture(
  'an image that lost its name to another',
  async ({ engine, use }) => {
    const without = await makeImage({ engine, use });
    const taken = { repo: without.repository, tag: 'ec' };
    const named = await makeImage({ engine, use }, { query: taken });
    engine.made({ kind: 'image', name: without.id, id: without.id });
    return { without, named: { ...named, name: without.name, repository: without.repository } };
  },
  { allVersions: (made) => made },
);

/** Answers an empty list when all images are asked for. */
const emptyWithAll: Fault = {
  name: 'has no images with all',
  request: (request) =>
    request.path.includes('all=1') ? { instead: { status: 200, headers: [], body: Buffer.from('[]') } } : request,
};

/** Lists every image, whatever was asked for. */
const ignoresAnyQuery: Fault = {
  name: 'ignores all parameters',
  request: (request) => ({ ...request, path: request.path.split('?')[0] ?? '' }),
};

const withDigests = fixture('the list with digests', async ({ engine, use }) => {
  const image = await use(described);
  return { image, answer: await given(list(engine, { digests: '1' }), 200) };
});

const plain = fixture('the list', async ({ engine, use }) => {
  const image = await use(described);
  return { image, answer: await given(list(engine), 200) };
});

function ownItemOf({ image, answer }: { image: CommittedImage; answer: Exchange }): Exchange {
  const isOwn = (tags: unknown) => Array.isArray(tags) && tags.includes(image.name);
  return itemWhere(answer, ({ Id, RepoTags }) => plainId(Id) === image.id || isOwn(RepoTags));
}

const ownItem = fixture('the item of a named image in the list', async ({ use }) => ownItemOf(await use(plain)));

const tagsOf = ({ RepoTags }: Readonly<Record<string, unknown>>): unknown[] =>
  Array.isArray(RepoTags) ? RepoTags : [];

/** A committed image, one that lost its name, and the run's loaded image where it is listed under its name. */
const ownItems = fixture('the items of three kinds of images in the list', async ({ engine, use }) => {
  const image = await use(described);
  const { without } = await use(nameless);
  const answer = await given(list(engine, { all: true }), 200);
  const items = Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
  const isOwn = (item: Readonly<Record<string, JsonValue>>) => [image.id, without.id].includes(plainId(item.Id));
  const named = itemWhere(answer, ({ Id }) => plainId(Id) === image.id).json;
  const others = items.filter((item) => item !== named && (isOwn(item) || tagsOf(item).includes(engine.sandbox.image)));
  return answer.narrowedTo([named, ...others]);
});

/** Leaves a field out where an image has no name. */
function dropsOfNameless(path: string): Fault {
  const isNameless = (item: Readonly<Record<string, JsonValue>>) =>
    tagsOf(item).every((tag) => String(tag).startsWith('<none>'));
  return changesJson(`drops ${path} of images without a name`, (items) =>
    Array.isArray(items)
      ? items.map((item) => {
          if (!isObject(item) || !isNameless(item)) return item;
          return Object.fromEntries(Object.entries(item).filter(([name]) => name !== path));
        })
      : items,
  );
}
const ownDigests = fixture('the item of an image with digests', async ({ use }) => ownItemOf(await use(withDigests)));

const fields = fieldRulesOf('images.list.field.');
const isOfDigests = ({ field }: { field: { path: string } }) => field.path.startsWith('RepoDigests');
const ofAll = fields.filter((rule) => !isOfDigests(rule));
// An image without a name is recognized by its Id.
const isJudged = ({ level, field }: (typeof fields)[number]) =>
  level !== 'observe' && field.schema.presence !== 'optional' && field.path !== 'Id';
checkFields(
  ofAll.filter((rule) => !isJudged(rule)),
  ownItem,
);
for (const rule of ofAll.filter(isJudged)) {
  const { path, schema } = rule.field;
  const faults = fieldFaults(path, schema);
  const until = faults[0]?.until;
  const ofNameless = { ...dropsOfNameless(path), ...(until && { until }) };
  checkRule(rule, { faults: [...faults, ofNameless] }, async ({ use }) => expectField(await use(ownItems), rule));
}
checkFields(fields.filter(isOfDigests), ownDigests);

/** Without the parent: a daemon may look for it among the images that there are at the time. */
const alike: readonly Alike[] = ['Size', 'VirtualSize', 'RepoTags', { listed: 'Labels', inspected: 'Config.Labels' }];

check(
  'images.list.as-inspected',
  {
    faults: [
      setsField('Size', 1),
      since('1.21', setsField('RepoTags', ['another:one'])),
      since('1.21', setsField('Labels', {})),
    ],
  },
  async ({ use }) => {
    const inspect = await use(inspectOfDescribed);
    const list = await use(ownItem);
    expectAlike(alike, { list, item: list.json, inspect });
  },
);

check('images.list.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  const answer = await list(engine);
  expect(answer).toHaveStatus(200);
  await isList(answer);
});

const nullForNone = changesJson('answers null where no image is found', (list) =>
  Array.isArray(list) && list.length === 0 ? null : list,
);
const noLists = [answersBody('{}'), answersBody('[]'), nullForNone, listsTwice()];

check('images.list.answers-list', { faults: noLists }, async ({ engine, use }) => {
  const { answer, image } = await use(plain);
  expect(answer)
    .json()
    .toSatisfy('a list', (body) => Array.isArray(body));
  const own = idsIn(answer).filter((id) => id === image.id);
  expectValue('how often an image is listed', own.length, [answer]).toBe(1);
  const none = await given(listFiltered(engine, { label: [`ec.none=${engine.unusedName('image')}`] }), 200);
  // Interpretation `null-for-empty`.
  const level = none.json === null ? 'should' : 'must';
  expectValue('the answer where no image is found', none.json, [none], { level }).toSatisfy('a list', Array.isArray);
});

check(
  'images.list.created-seconds',
  { faults: [setsField('Created', 0), setsField('Created', 1_700_000_000_000)] },
  async ({ engine, use }) => {
    const { image, answer } = await use(plain);
    const inspect = await given(engine.get(`/images/${image.name}/json`), 200);
    const [seconds] = valuesAt(ownItemOf({ image, answer }).json, 'Created');
    expectSeconds('Created in the list', seconds, valuesAt(inspect.json, 'Created')[0], [inspect, answer]);
  },
);

/** A nameless image that another was built on: listed only with `all`, on daemons that have such images. */
const inBetween = fixture(
  'an image with a parent without a name',
  async ({ engine }) => {
    const made = own(engine);
    const step = engine.unusedName('image');
    await given(buildOf(engine, made, [`LABEL ec.step=${step}`, labelling(made)]), 200);
    return { step };
  },
  { allVersions: (made) => made },
);

/** The images that have the label of a step of a build. */
function idsOfStep(answer: Exchange, step: string): string[] {
  const items = Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
  const isOfStep = ({ Labels }: Readonly<Record<string, JsonValue>>) => isObject(Labels) && Labels['ec.step'] === step;
  return items.filter(isOfStep).map(({ Id }) => plainId(Id));
}

const showsAll = takesMissingAs('all', '1');

/**
 * The lists without all, with all off and on, for one set of images. Lists take some daemons seconds. Whether images can be
 * built is not judged by the spellings of all.
 */
const listsByAll = doneOnce('the lists of images with all on and off', async ({ engine, use }) => {
  const image = await use(described);
  if (await engine.serves('POST', '/build')) await ifThere(use(inBetween));
  const [plain, off, on] = [await list(engine), await list(engine, { all: '0' }), await list(engine, { all: '1' })];
  return { image, plain, off, on };
});

check('images.list.all-default-false', { faults: [emptyWithAll, showsAll] }, async (context) => {
  const { engine, use } = context;
  const step = (await engine.serves('POST', '/build')) ? (await use(inBetween)).step : undefined;
  const { image, ...lists } = await listsByAll(context);
  const plain = await given(Promise.resolve(lists.plain), 200);
  const off = await given(Promise.resolve(lists.off), 200);
  const on = await given(Promise.resolve(lists.on), 200);
  for (const answer of [plain, off]) {
    // Other clients of the daemon may add and remove images meanwhile, so only the check's own is compared.
    const shown = idsIn(answer).includes(image.id);
    expectValue('an image of the list in the list with all', !shown || idsIn(on).includes(image.id), [answer, on]).toBe(
      true,
    );
  }
  // Without builds there is no image that is certain to be listed only with `all`, if there are such images at all.
  if (step === undefined) return;
  const hidden = idsOfStep(on, step).filter((id) => !idsOfStep(off, step).includes(id));
  const shown = idsOfStep(plain, step).filter((id) => hidden.includes(id));
  expectValue('the number of images without all that only all is to show', shown.length, [on, off, plain]).toBe(0);
});

const filteredByLabel = doneOnce('the images with a label', async ({ engine, use }) => {
  const [present, absent] = [await use(labelled.keyB), await use(labelled.other)];
  return { answer: await listFiltered(engine, { label: ['ec.key'] }), present, absent };
});

for (const [rule, fault] of [
  ['images.list.filters-map-of-lists', ignoresQuery('filters')],
  ['images.list.filters-label-key', ignoresFilter('label')],
] as const) {
  check(rule, { faults: [fault] }, async (context) => {
    const filtered = filteredByLabel(context);
    await given(answerOf(filtered), 200);
    const { answer, present, absent } = await filtered;
    expectListed(answer, [present], [absent]);
  });
}

check('images.list.filters-bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  await control(listFiltered(engine, { label: ['ec.kind'] }), 200);
  expect(await list(engine, { filters: 'no JSON' })).toBeRefused();
});

/** RepoTags and RepoDigests of an image without a name, and the list that they are in. */
async function namesOfNameless({ engine, use }: Pick<CheckContext, 'engine' | 'use'>, query: Query = {}) {
  const { without } = await use(nameless);
  const answer = await given(list(engine, { all: true, ...query }), 200);
  const item = itemWhere(answer, ({ Id }) => plainId(Id) === without.id).json;
  return { names: isObject(item) ? [item.RepoTags ?? [], item.RepoDigests ?? []] : [], answer };
}

check(
  'images.list.untagged-texts',
  { faults: [setsField('RepoTags', []), setsField('RepoDigests', ['ec@sha256:0'])] },
  async (context) => {
    const { names, answer } = await namesOfNameless(context);
    const [tags, digests] = names;
    expectValue('RepoTags of an image without a name', tags, [answer]).toBe(['<none>:<none>']);
    // That an image has a digest at all is not stated.
    const others = Array.isArray(digests) ? digests.filter((digest) => digest !== '<none>@<none>') : digests;
    expectValue('other RepoDigests of an image without a name than <none>@<none>', others, [answer]).toBe([]);
  },
);

check(
  'images.list.untagged-empty',
  { faults: [setsField('RepoTags', ['<none>:<none>']), setsField('RepoDigests', ['<none>@<none>'])] },
  async (context) => {
    const { names, answer } = await namesOfNameless(context, { digests: '1' });
    expectValue('RepoTags and RepoDigests of an image without a name', names, [answer]).toBe([[], []]);
  },
);

check('images.list.filters-dangling', { faults: [ignoresFilter('dangling')] }, async ({ engine, use }) => {
  const { without, named } = await use(nameless);
  expectListed(await given(listFiltered(engine, { dangling: ['true'] }), 200), [without], [named]);
});

check('images.list.filters-label-value', { faults: [ignoresFilter('label')] }, async ({ engine, use }) => {
  const [present, absent] = [await use(labelled.keyB), await use(labelled.keyC)];
  expectListed(await given(listFiltered(engine, { label: ['ec.key=b'] }), 200), [present], [absent]);
});

/** An image whose name goes on where that of another ends. */
const longerNamed = fixture(
  'an image whose name begins like that of another',
  async ({ engine, use }) => {
    const { repository } = await use(described);
    const repo = `${repository}-more`;
    engine.made({ kind: 'image', name: `${repo}:ec` });
    return makeImage({ engine, use }, { query: { repo } });
  },
  { allVersions: (made) => made },
);

/** Takes the name in filter for the beginning of a name. */
const findsBeginnings: Fault = {
  ...ignoresAnyQuery,
  name: 'lists images whose name begins with the one in filter',
  answer: (answer, request) => {
    const name = new URLSearchParams(request.path.split('?')[1]).get('filter');
    const begins = (item: JsonValue) =>
      isObject(item) && tagsOf(item).some((tag) => String(tag).startsWith(name ?? ''));
    const { answer: changed } = changesJson('', (all) => (Array.isArray(all) ? all.filter(begins) : all));
    return name === null ? answer : (changed?.(answer, request) ?? answer);
  },
};

check('images.list.filters-filter-name', { faults: [ignoresAnyQuery, findsBeginnings] }, async ({ engine, use }) => {
  const [one, others] = [await use(described), [await use(another), await use(longerNamed)]];
  // Interpretation `image-filter-name`: either form may work.
  const inside = await listFiltered(engine, { filter: [one.repository] });
  const outside = await list(engine, { filter: one.repository });
  const works = (answer: Exchange) => {
    const ids = answer.status === 200 ? idsIn(answer) : [];
    return ids.includes(one.id) && !others.some(({ id }) => ids.includes(id));
  };
  expectValue('whether one of the forms has only that image', works(inside) || works(outside), [inside, outside]).toBe(
    true,
  );
});

/** Lists only images of the name in filter, as older versions do. */
const takesFilter: Fault = {
  name: 'lists only images of the name in filter',
  answer: (answer, request) => {
    const name = new URLSearchParams(request.path.split('?')[1]).get('filter');
    const isNamed = (item: JsonValue) => isObject(item) && tagsOf(item).some((tag) => String(tag).includes(`${name}:`));
    const { answer: changed } = changesJson('', (all) => (Array.isArray(all) ? all.filter(isNamed) : all));
    return name === null ? answer : (changed?.(answer, request) ?? answer);
  },
};

check('images.list.filter-ignored', { faults: [takesFilter] }, async ({ engine, use }) => {
  const [one, other] = [await use(described), await use(another)];
  expectListed(await given(list(engine, { filter: one.repository }), 200), [one, other], []);
});

check('images.list.no-VirtualSize', { faults: [setsField('VirtualSize', 4096)] }, async ({ use }) => {
  const { answer } = await use(plain);
  expectValue('the values of VirtualSize', valuesAt({ list: answer.json }, 'list[].VirtualSize'), [answer]).toBe([]);
});

check('images.list.digests-1', { faults: [ignoresQuery('digests'), dropsField('RepoDigests')] }, async ({ use }) => {
  const { answer, image } = await use(withDigests);
  expect(answer)
    .json()
    .toSatisfy('a list', (body) => Array.isArray(body));
  expect(ownItemOf({ answer, image })).field('RepoDigests').toBeThere();
});

check('images.list.digests-other', { faults: [] }, async ({ engine, use }) => {
  const { image, answer: without } = await use(plain);
  const facts: string[] = [];
  const answers: Exchange[] = [];
  for (const digests of [undefined, '0', 'true']) {
    const answer = digests === undefined ? without : await given(list(engine, { digests }), 200);
    answers.push(answer);
    const item = itemWhere(answer, ({ Id }) => plainId(Id) === image.id).json;
    const has = isObject(item) && 'RepoDigests' in item;
    facts.push(
      `${digests === undefined ? 'without digests' : `digests=${digests}`} ${has ? 'has' : 'has no'} RepoDigests`,
    );
  }
  observe(facts.join(', '), ...answers);
});

check(
  'images.list.tag-names-image',
  { faults: [setsField('RepoTags', ['ec-none:none']), setsField('RepoTags', [])] },
  async ({ engine, use }) => {
    const { answer, image } = await use(plain);
    const item = itemWhere(answer, ({ Id }) => plainId(Id) === image.id).json;
    const tags = isObject(item) && Array.isArray(item.RepoTags) ? item.RepoTags : [];
    expectValue('RepoTags of an image', tags.length, [answer]).toBeAtLeast(1);
    for (const tag of tags) await expectFound(engine, String(tag), image.id);
  },
);

check('images.list.status-codes', { faults: [] }, async ({ engine }) => {
  const answer = await list(engine, { all: 'maybe' });
  observe(`answers ${answer.status} to a flag with an invalid value`, answer);
});

check('images.list.filters-unknown', { faults: [] }, async ({ engine }) => {
  const answer = await listFiltered(engine, { 'ec-unknown': ['1'] });
  observe(`answers ${answer.status}`, answer);
});

check('images.list.undocumented', { faults: [] }, async ({ use, api }) => {
  const answer = await use(ownItem);
  observe(undocumentedFields(answer.json, imageListItem, api), answer);
});

check(
  'images.list.all-spellings',
  { faults: allSpellings.map((spelling) => refusesSpelling('all', spelling)) },
  async (context) => {
    const { image, off, on } = await listsByAll(context);
    const asked: ReadonlyMap<string, Exchange> = new Map([
      ['0', off],
      ['1', on],
    ]);
    for (const all of allSpellings) {
      const answer = asked.get(all) ?? (await list(context.engine, { all }));
      expect(answer).toHaveStatus(200);
      expectListed(answer, [image], []);
    }
  },
);
