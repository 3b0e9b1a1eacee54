import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { losesEvents } from '../../harness/faults/events.ts';
import { inEachObject, separatesObjects } from '../../harness/faults/objects.ts';
import { ignoresFilter, ignoresQuery } from '../../harness/faults/requests.ts';
import { checkFields, fieldRulesOf } from '../field-checks.ts';
import { asExchange, type Event, eventsIn, isAbout, kindOf, listen, listenFor, told } from './stream.ts';

function ofKind(container: Container, kind: string): (event: Event) => boolean {
  return (event) => kindOf(event) === kind && isAbout(event, container.id);
}

const ownEvents = fixture('the events of a container that is made', async ({ engine }) => {
  const live = await listen(engine);
  const container = await makeContainer(engine);
  const events = await settled(told(live, 'create', ofKind(container, 'create')), 'waiting for create');
  live.drop();
  const own = events.filter((event) => isAbout(event, container.id));
  return asExchange(engine, live, own);
});

checkFields(fieldRulesOf('events.field.'), ownEvents, {}, inEachObject);

check('events.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  expect(await engine.open('GET', '/events')).toHaveStatus(200);
});

check('events.media-type', { faults: [setsHeader('Content-Type', 'text/plain')] }, async ({ engine }) => {
  expect(await listen(engine)).toHaveMediaType('application/json');
});

check('events.chunked', { faults: [dropsHeader('Transfer-Encoding')] }, async ({ engine }) => {
  expect(await listen(engine)).toHaveHeader('Transfer-Encoding', 'chunked');
});

check('events.objects-in-a-row', { faults: [separatesObjects(',')] }, async ({ engine }) => {
  const live = await listen(engine);
  await makeContainer(engine);
  const container = await makeContainer(engine);
  const events = await told(live, 'create', ofKind(container, 'create'));
  const kinds = events.filter((event) => isAbout(event, container.id)).map(kindOf);
  expectValue('the kinds of events', kinds, [live]).toContain('create');
});

check('events.real-time', { faults: [losesEvents('container', 'create')] }, async ({ engine }) => {
  const live = await listen(engine);
  const container = await makeContainer(engine);
  const events = await told(live, 'create', ofKind(container, 'create'));
  expectValue('whether create was told', events.some(ofKind(container, 'create')), [live]).toBe(true);
});

/** Makes a container and says when the daemon made it, in its own UNIX seconds. */
async function madeAt(engine: Engine): Promise<{ container: Container; time: number }> {
  const live = await listen(engine);
  const container = await makeContainer(engine);
  const events = await settled(told(live, 'create', ofKind(container, 'create')), 'waiting for create');
  live.drop();
  return { container, time: Number(events.find(ofKind(container, 'create'))?.time) };
}

check('events.since', { faults: [ignoresQuery('since')] }, async ({ engine }) => {
  const { container, time } = await madeAt(engine);
  const live = await listen(engine, { since: time });
  await told(live, 'create of the past', ofKind(container, 'create'));
  const later = await makeContainer(engine);
  const events = await told(live, 'create', ofKind(later, 'create'));
  expectValue('whether the later event came', events.some(ofKind(later, 'create')), [live]).toBe(true);
});

check('events.until', { faults: [ignoresQuery('until')] }, async ({ engine }) => {
  const { time } = await madeAt(engine);
  const live = await listen(engine, { until: time + 4 });
  const container = await makeContainer(engine);
  const events = eventsIn(await live.rest());
  expectValue('whether create was told', events.some(ofKind(container, 'create')), [live]).toBe(true);
});

check('events.since-until', { faults: [ignoresQuery('since'), ignoresQuery('until')] }, async ({ engine }) => {
  const { container, time } = await madeAt(engine);
  const window = await listen(engine, { since: time, until: time + 1 });
  const inside = eventsIn(await window.rest()).some(ofKind(container, 'create'));
  expectValue('whether the window around create has it', inside, [window]).toBe(true);
  const before = await listen(engine, { since: time - 7200, until: time - 3600 });
  const early = eventsIn(await before.rest()).some(ofKind(container, 'create'));
  expectValue('whether a window long before create has it', early, [before]).toBe(false);
});

check('events.filters-bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  await control(engine.open('GET', '/events', { query: { filters: filters({ event: ['create'] }) } }), 200);
  expect(await engine.open('GET', '/events', { query: { filters: 'no JSON' } })).toBeRefused();
});

for (const [id, fault] of [
  ['events.filters-map-of-lists', ignoresQuery('filters')],
  ['events.filters.container', ignoresFilter('container')],
] as const) {
  check(id, { faults: [fault] }, async ({ engine }) => {
    const [wanted, other] = [await makeContainer(engine), await makeContainer(engine)];
    const live = await listenFor(engine, { container: [wanted.id] });
    for (const container of [other, wanted]) await given(container.remove(), 204);
    const events = await told(live, 'of its removal', (event) => isAbout(event, wanted.id));
    const others = events.filter((event) => !isAbout(event, wanted.id)).map(kindOf);
    expectValue('the events of other containers', others.length, [live]).toBe(0);
  });
}

check('events.filters.event', { faults: [ignoresFilter('event')] }, async ({ engine }) => {
  const live = await listenFor(engine, { event: ['create'] });
  await given((await makeContainer(engine)).remove(), 204);
  const container = await makeContainer(engine);
  const events = await told(live, 'create', ofKind(container, 'create'));
  const others = events.filter((event) => kindOf(event) !== 'create').map(kindOf);
  expectValue('the events of other kinds', others.length, [live]).toBe(0);
});

check('events.filters.label-container', { faults: [ignoresFilter('label')] }, async ({ engine }) => {
  const label = engine.name('container');
  const live = await listenFor(engine, { label: [label] });
  await makeContainer(engine);
  const wanted = await makeContainer(engine, { config: { Labels: { [label]: 'yes' } } });
  const events = await told(live, 'create', ofKind(wanted, 'create'));
  const others = events.filter((event) => !isAbout(event, wanted.id)).map(kindOf);
  expectValue('the events of others', others.length, [live]).toBe(0);
});
