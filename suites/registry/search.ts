import { check, fixture } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { swallows } from '../../harness/faults/requests.ts';
import type { IndexedImage } from '../../harness/registry/index-of-images.ts';
import { Registry } from '../../harness/registry/registry.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';

/** Each of these differs from the other in every member. */
const first: IndexedImage = {
  name: 'sought/first',
  description: 'the first of two',
  is_official: false,
  is_automated: true,
  star_count: 7,
};
const second: IndexedImage = {
  name: 'sought/second',
  description: 'the second of two',
  is_official: true,
  is_automated: false,
  star_count: 5,
};
const index = [first, { ...first, name: 'other/image', description: 'not sought' }, second];

/** A search of a registry for two of its three images. */
const searched = doneOnce('a search', async ({ engine }) => {
  const registry = await Registry.start({ index });
  try {
    const answer = await engine.get('/images/search', { term: `${registry.host}/sought` });
    return { answer, searches: registry.searches };
  } finally {
    await registry.close();
  }
});

/** The item about an image, whatever the names of its members are. */
function itemOf({ json }: Exchange, { name, description }: IndexedImage): JsonValue | undefined {
  const speaks = (value: JsonValue) =>
    typeof value === 'string' && (value === description || `/${value}`.endsWith(`/${name}`));
  return Array.isArray(json) ? json.filter(isObject).find((item) => Object.values(item).some(speaks)) : undefined;
}

check('images.search.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  const { answer, searches } = await searched(context);
  if (searches.length === 0) throw new Blocked(`the daemon did not search the registry for ${answer.id}`);
  expect(answer).toHaveStatus(200);
});

const addsImage = changesJson('adds another image', (list) => (Array.isArray(list) ? [...list, { name: 'x' }] : list));

check('images.search.term', { faults: [swallows(200, '[]'), addsImage] }, async (context) => {
  const { answer } = await searched(context);
  expect(answer).toHaveStatus(200);
  const { json } = answer;
  expectValue('the number of results', Array.isArray(json) ? json.length : undefined, [answer]).toBe(2);
  for (const image of [first, second]) {
    expectValue(`the result for ${image.name}`, itemOf(answer, image), [answer]).toBeThere();
  }
});

check('images.search.without-term', { faults: [] }, async ({ engine }) => {
  const answer = await engine.get('/images/search');
  observe(`answers ${answer.status} to a search without term`, answer);
});

const answered = fixture('a result of a search', async (context) => {
  const answer = await given(answerOf(searched(context)), 200);
  const item = itemOf(answer, second);
  if (item === undefined) throw new Blocked(`${answer.id} has no result for ${second.name}`);
  return answer.narrowedTo(item);
});

const capitals = changesJson('begins the keys with capitals', (list) =>
  Array.isArray(list) ? list.filter(isObject).map((item) => renamed(item)) : list,
);

function renamed(item: { readonly [name: string]: JsonValue }): JsonValue {
  const entries = Object.entries(item).map(([name, value]) => [
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    value,
  ]);
  return Object.fromEntries(entries);
}

check('images.search.registry-keys', { faults: [capitals] }, async ({ use }) => {
  const result = await use(answered);
  const { json } = result;
  const shown = Object.keys(second).map((key) => [key, isObject(json) ? json[key] : undefined]);
  expectValue('the members of the result', Object.fromEntries(shown), [result]).toBe(second);
});

checkFields(fieldRulesOf('images.search.field.'), answered);
