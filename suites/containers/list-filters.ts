import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { ignoresFilter, ignoresQuery } from '../../harness/faults/requests.ts';
import { runLabel } from '../../harness/sandbox/sandbox.ts';
import { expectListed, itemOf, list, listFiltered } from './listed.ts';

check('containers.list.filters.map-of-lists', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  const [one, two, none] = await Promise.all(
    ['one', 'two', 'none'].map((kind) => makeContainer(engine, { config: { Labels: { 'ec.kind': kind } } })),
  );
  if (!one || !two || !none) return;
  const answer = await given(
    listFiltered(engine, { label: ['ec.kind=one', `${runLabel}=${engine.sandbox.run}`] }),
    200,
  );
  expectListed(answer, [one], [two, none]);
});

check('containers.list.filters.bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  await control(list(engine, { filters: filters({ label: ['ec.kind'] }) }), 200);
  expect(await list(engine, { filters: 'no JSON' })).toBeRefused();
});

check('containers.list.filters.exited', { faults: [ignoresFilter('exited')] }, async ({ engine }) => {
  const [three, four] = await Promise.all([
    makeContainer(engine, { run: ['exit', '3'], state: 'exited' }),
    makeContainer(engine, { run: ['exit', '4'], state: 'exited' }),
  ]);
  expectListed(await given(listFiltered(engine, { exited: ['3'] }), 200), [three], [four]);
});

for (const state of ['created', 'running', 'paused', 'exited'] as const) {
  check(`containers.list.filters.status-${state}`, { faults: [ignoresFilter('status')] }, async ({ engine }) => {
    const inState = await makeContainer(engine, { state });
    const other = await makeContainer(engine, { state: state === 'created' ? 'running' : 'created' });
    expectListed(await given(listFiltered(engine, { status: [state] }), 200), [inState], [other]);
  });
}

check('containers.list.filters.status-restarting', { faults: [ignoresFilter('status')] }, async ({ engine }) => {
  const container = await makeContainer(engine, {
    run: ['exit', '1'],
    hostConfig: { RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } },
  });
  const other = await makeContainer(engine);
  await given(container.start(), 204);
  // The delay before each restart doubles, so the container is soon waiting nearly all of the time.
  await container.hasRestarted(3);
  await container.inspectUntil('a restarting container', ({ json }) => valuesAt(json, 'State.Restarting')[0] === true);
  expectListed(await given(listFiltered(engine, { status: ['restarting'] }), 200), [container], [other]);
});

check('containers.list.filters.status-dead', { faults: [ignoresFilter('status')] }, async ({ engine }) => {
  const [created, running] = await Promise.all([makeContainer(engine), makeContainer(engine, { state: 'running' })]);
  expectListed(await given(listFiltered(engine, { status: ['dead'] }), 200), [], [created, running]);
});

check('containers.list.filters.label-key', { faults: [ignoresFilter('label')] }, async ({ engine }) => {
  const [labelled, other] = await Promise.all([
    makeContainer(engine, { config: { Labels: { 'ec.key': 'a' } } }),
    makeContainer(engine, { config: { Labels: { 'ec.other': 'a' } } }),
  ]);
  expectListed(await given(listFiltered(engine, { label: ['ec.key'] }), 200), [labelled], [other]);
});

check('containers.list.filters.label-value', { faults: [ignoresFilter('label')] }, async ({ engine }) => {
  const [labelled, other] = await Promise.all([
    makeContainer(engine, { config: { Labels: { 'ec.key': 'a' } } }),
    makeContainer(engine, { config: { Labels: { 'ec.key': 'b' } } }),
  ]);
  expectListed(await given(listFiltered(engine, { label: ['ec.key=a'] }), 200), [labelled], [other]);
});

for (const [form, ancestorOf] of [
  ['name', (image: string) => image.slice(0, image.lastIndexOf(':'))],
  ['tag', (image: string) => image],
  ['id', undefined],
] as const) {
  check(`containers.list.filters.ancestor-${form}`, { faults: [ignoresFilter('ancestor')] }, async ({ engine }) => {
    const container = await makeContainer(engine);
    const { image } = engine.sandbox;
    const ancestor = ancestorOf ? ancestorOf(image) : await imageId(engine, image);
    expectListed(await given(listFiltered(engine, { ancestor: [ancestor] }), 200), [container], []);
    // Of an image that does not exist there are no containers; a daemon may say so with an error.
    const none = await given(listFiltered(engine, { ancestor: [engine.name('image')] }), 200, 400, 404);
    expectListed(none, [], [container]);
  });
}

async function imageId(engine: Engine, image: string): Promise<string> {
  const inspect = await given(engine.get(`/images/${image}/json`), 200);
  return String(valuesAt(inspect.json, 'Id')[0]);
}

for (const [filter, present, absent] of [
  ['before', 0, 2],
  ['since', 2, 0],
] as const) {
  for (const form of ['id', 'name'] as const) {
    check(`containers.list.filters.${filter}-${form}`, { faults: [ignoresFilter(filter)] }, async ({ engine }) => {
      const made = [await makeContainer(engine), await makeContainer(engine), await makeContainer(engine)] as const;
      const answer = await given(listFiltered(engine, { [filter]: [made[1][form]] }), 200);
      expectListed(answer, [made[present]], [made[1], made[absent]]);
    });
  }
}

check('containers.list.filters.volume-name', { faults: [ignoresFilter('volume')] }, async ({ engine }) => {
  const volume = engine.name('volume');
  const mounted = await makeContainer(engine, { hostConfig: { Binds: [`${volume}:/ec-volume`] } });
  const other = await makeContainer(engine);
  expectListed(await given(listFiltered(engine, { volume: [volume] }), 200), [mounted], [other]);
});

check('containers.list.filters.volume-destination', { faults: [ignoresFilter('volume')] }, async ({ engine }) => {
  const mounted = await makeContainer(engine, { config: { Volumes: { '/ec-volume': {} } } });
  const other = await makeContainer(engine, { config: { Volumes: { '/ec-other': {} } } });
  expectListed(await given(listFiltered(engine, { volume: ['/ec-volume'] }), 200), [mounted], [other]);
});

check('containers.list.filters.imply-all', { faults: [] }, async ({ engine }) => {
  const created = await makeContainer(engine, { config: { Labels: { 'ec.key': 'a' } } });
  const answer = await given(list(engine, { filters: filters({ label: ['ec.key=a'] }) }), 200);
  const listed = itemOf(answer, created) !== undefined;
  observe(`a label filter ${listed ? 'brings' : 'does not bring'} containers that do not run`, answer);
});

check('containers.list.filters.unknown', { faults: [] }, async ({ engine }) => {
  const answer = await listFiltered(engine, { 'ec-unknown': ['1'] });
  observe(`answers ${answer.status}`, answer);
});
