import { check } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { changesJson } from '../../harness/faults/answers.ts';
import { onlyFor } from '../../harness/faults/fault.ts';
import { ignoresFilter, ignoresQuery, takesQueryAs } from '../../harness/faults/requests.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { atLeast } from '../../specs/versions.ts';
import { expectListed, itemsOf, listNetworks } from './support/list-answers.ts';
import { all, three } from './support/sample-networks.ts';

check('networks.list.filters-map-of-lists', { faults: [ignoresQuery('filters')] }, async ({ engine, use }) => {
  const { front, back, other } = await use(three);
  const answer = await given(listNetworks(engine, { name: [front.name], id: [front.id] }), 200);
  expectListed(answer, [front], [back, other]);
});

check('networks.list.filters-bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  await control(listNetworks(engine, { name: ['bridge'] }), 200);
  expect(await engine.get('/networks', { filters: 'no JSON' })).toBeRefused();
});

const nothing = takesQueryAs('filters', '{"name":["ec-no-such-network"]}');

for (const filter of ['name', 'id'] as const) {
  const faults = [ignoresFilter(filter), nothing];

  check(`networks.list.filters-${filter}`, { faults }, async ({ engine, api, use }) => {
    const { front, back, other } = await use(three);
    // 1.21 accepts several names and identifiers; what several of them mean since 1.23 is not stated.
    const [wanted, rest] = atLeast(api, '1.23') ? [[front], [back, other]] : [[front, back], [other]];
    const answer = await given(listNetworks(engine, { [filter]: wanted.map((network) => network[filter]) }), 200);
    expectListed(answer, wanted, rest);
  });

  check(`networks.list.filters-${filter}-part`, { faults }, async ({ engine, use }) => {
    const { front, back, other } = await use(three);
    const whole = front[filter];
    // How long an identifier is, is not stated.
    const third = Math.ceil(whole.length / 3);
    const parts =
      filter === 'name'
        ? [whole.slice(0, -1), whole.slice(3, -1)]
        : [whole.slice(0, third), whole.slice(third, -third)];
    for (const part of parts) {
      expectListed(await given(listNetworks(engine, { [filter]: [part] }), 200), [front], [back, other]);
    }
  });
}

const predefined = ['bridge', 'host', 'none'];

check('networks.list.filters-type-custom', { faults: [ignoresFilter('type'), nothing] }, async ({ engine, use }) => {
  const { front, back, other } = await use(three);
  const answer = await listNetworks(engine, { type: ['custom'] });
  expect(answer).toHaveStatus(200);
  expectListed(answer, [front, back, other], []);
  const builtin = itemsOf(answer).flatMap(({ Name }) => predefined.filter((name) => name === Name));
  expectValue('the pre-defined networks in the list', builtin, [answer]).toBe([]);
});

const withoutNone = changesJson('leaves none out', (list) =>
  Array.isArray(list) ? list.filter((item) => !isObject(item) || item.Name !== 'none') : list,
);

/** Counts a network of its own among those of users. */
const missesNone = onlyFor(
  ({ path }) => path.includes('builtin'),
  withoutNone,
  'does not count none among the pre-defined networks',
);

check(
  'networks.list.filters-type-builtin',
  { faults: [ignoresFilter('type'), nothing, missesNone] },
  async ({ engine, use }) => {
    const { front, back, other } = await use(three);
    const answer = await listNetworks(engine, { type: ['builtin'] });
    expect(answer).toHaveStatus(200);
    expectListed(answer, [], [front, back, other]);
    const whole = await given(use(all), 200);
    const [builtin = [], there = []] = [answer, whole].map((list) =>
      itemsOf(list).flatMap(({ Name }) => predefined.filter((name) => name === Name)),
    );
    for (const name of there) {
      expectValue('the pre-defined networks in the list', builtin, [answer, whole]).toContain(name);
    }
    expectValue('how many pre-defined networks are in the list', builtin.length, [answer]).toBeAtLeast(1);
  },
);

check('networks.list.filters-map-of-maps', { faults: [] }, async ({ engine, use }) => {
  const { front, back } = await use(three);
  const answer = await engine.get('/networks', { filters: JSON.stringify({ name: { [front.name]: true } }) });
  const names = answer.status === 200 ? itemsOf(answer).map(({ Name }) => Name) : [];
  const isFiltered = names.includes(front.name) && !names.includes(back.name);
  observe(
    answer.status === 200
      ? `answers 200 and ${isFiltered ? 'filters' : 'does not filter'}`
      : `answers ${answer.status}`,
    answer,
  );
});
