import { check } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { makeNetwork } from '../../harness/engine/networks.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { ignoresFilter, ignoresQuery, takesQueryAs } from '../../harness/faults/requests.ts';
import { atLeast } from '../../specs/versions.ts';
import { expectListed, itemsOf, listNetworks } from './listed.ts';

check('networks.list.filters-map-of-lists', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  const [one, other] = [await makeNetwork(engine), await makeNetwork(engine)];
  expectListed(await given(listNetworks(engine, { name: [one.name], id: [one.id] }), 200), [one], [other]);
});

check('networks.list.filters-bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  await control(listNetworks(engine, { name: ['bridge'] }), 200);
  expect(await engine.get('/networks', { filters: 'no JSON' })).toBeRefused();
});

const nothing = takesQueryAs('filters', '{"name":["ec-no-such-network"]}');

for (const [filter, ref] of [
  ['name', 'name'],
  ['id', 'id'],
] as const) {
  check(`networks.list.filters-${filter}`, { faults: [ignoresFilter(filter), nothing] }, async ({ engine, api }) => {
    const [one, two, other] = [await makeNetwork(engine), await makeNetwork(engine), await makeNetwork(engine)];
    // 1.21 takes names and identifiers in the plural; what several of them mean since 1.23 is not stated.
    const wanted = atLeast(api, '1.23') ? [one] : [one, two];
    const answer = await given(listNetworks(engine, { [filter]: wanted.map((network) => network[ref]) }), 200);
    // Since 1.23 a part is enough, so the name of one network may be found in another's.
    const mayPass = (text: string) => wanted.some((network) => text.includes(network[ref]));
    expectListed(
      answer,
      wanted,
      [two, other].filter((network) => !wanted.includes(network) && !mayPass(network[ref])),
    );
  });
}

/** Two names of which only the first holds the part asked for. */
check('networks.list.filters-name-part', { faults: [ignoresFilter('name'), nothing] }, async ({ engine }) => {
  const named = (end: string) => {
    const Name = engine.name('network') + end;
    engine.sandbox.note('network', Name);
    return makeNetwork(engine, { Name });
  };
  const [front, back] = [await named('-front'), await named('-back')];
  const part = front.name.slice(engine.sandbox.prefix.length, -1);
  expectListed(await given(listNetworks(engine, { name: [part] }), 200), [front], [back]);
});

check('networks.list.filters-id-part', { faults: [ignoresFilter('id'), nothing] }, async ({ engine }) => {
  const [one, other] = [await makeNetwork(engine), await makeNetwork(engine)];
  for (const part of [one.id.slice(0, 12), one.id.slice(20, 36)]) {
    expectListed(await given(listNetworks(engine, { id: [part] }), 200), [one], [other]);
  }
});

const predefined = ['bridge', 'host', 'none'];

check('networks.list.filters-type-custom', { faults: [ignoresFilter('type'), nothing] }, async ({ engine }) => {
  const made = await makeNetwork(engine);
  const answer = await listNetworks(engine, { type: ['custom'] });
  expect(answer).toHaveStatus(200);
  expectListed(answer, [made], []);
  const builtin = itemsOf(answer).flatMap(({ Name }) => predefined.filter((name) => name === Name));
  expectValue('the pre-defined networks in the list', builtin, [answer]).toBe([]);
});

check('networks.list.filters-type-builtin', { faults: [ignoresFilter('type'), nothing] }, async ({ engine }) => {
  const made = await makeNetwork(engine);
  const answer = await listNetworks(engine, { type: ['builtin'] });
  expect(answer).toHaveStatus(200);
  expectListed(answer, [], [made]);
  const builtin = itemsOf(answer).flatMap(({ Name }) => predefined.filter((name) => name === Name));
  expectValue('the pre-defined networks in the list', builtin.sort(), [answer]).toSatisfy(
    'bridge or another of them',
    (names) => Array.isArray(names) && names.length > 0,
  );
});
