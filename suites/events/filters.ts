import { check } from '../../harness/check.ts';
import { comesWithin } from '../../harness/engine/comes-within.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import { connect, makeNetwork } from '../../harness/engine/networks.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { doesInstead, ignoresFilter, ignoresQuery, takesFilterAs } from '../../harness/faults/requests.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { ifThere } from '../support/shared-results.ts';
import { makeVolume, volumePath } from '../volumes/support/volumes.ts';
import { type Event, isAbout, isOfContainer, kindOf, mentions, withoutPrefix } from './support/event.ts';
import { loadImage, ofImage, removedImage, removeImage } from './support/event-images.ts';
import { listenWith, type Opening } from './support/listen.ts';
import type { Listener } from './support/listener.ts';
import { shortRun } from './support/short-run.ts';

type Filters = Readonly<Record<string, readonly string[]>>;

/** What happens while a client listens with filters. */
interface Happenings {
  /** The last of the events that match. */
  readonly last: (event: Event) => boolean;
  /** Events that happened before it and do not match. */
  readonly others: (event: Event) => boolean;
}

/** Opens a stream for each form of the filters, one of which has to work. */
type ListenInForms = (...forms: readonly Filters[]) => Promise<void>;

/** A client with filters receives matching events and no others. */
function checkFilter(
  id: RuleId,
  faults: readonly Fault[],
  happen: (engine: Engine, listenInForms: ListenInForms) => Promise<Happenings>,
): void {
  check(id, { faults }, ({ engine }) => expectFiltered(engine, happen));
}

async function expectFiltered(
  engine: Engine,
  happen: (engine: Engine, listenInForms: ListenInForms) => Promise<Happenings>,
): Promise<void> {
  const asked: (readonly Opening[])[] = [];
  const happenings = await happen(engine, async (...forms) => {
    asked.push(await Promise.all(forms.map((map) => listenWith(engine, map))));
  });
  for (const openings of asked) {
    const listener = await workingOf(openings, happenings);
    if (listener) await expectPassed(listener, happenings);
  }
}

async function expectPassed(
  listener: Listener,
  { last, others }: Happenings,
  which = 'the event that passes the filter',
): Promise<void> {
  expect(listener.live).toHaveStatus(200);
  const heard = await listener.hears(last);
  const kinds = listener.events.filter(others).map(kindOf);
  expectValue('the kinds of events that do not pass the filter', kinds, [listener.live]).toBe([]);
  expectValue(`whether ${which} came`, heard, [listener.live]).toBe(true);
}

/** The first client that receives what it is to receive; where there is none, the first of all. */
async function workingOf(openings: readonly Opening[], { last, others }: Happenings): Promise<Listener | undefined> {
  const [first] = openings;
  if (openings.length < 2) return first?.listener;
  const works = openings.map(async (opening) => {
    const listener = await opening.listener;
    if ((await listener.hears(last)) && !listener.events.some(others)) return { opening, listener };
    throw new Error('it does not work');
  });
  const working = await Promise.any(works).catch(() => undefined);
  // Nobody waits any more for what the others may receive.
  for (const opening of openings) if (working && opening !== working.opening) opening.drop();
  return working?.listener ?? first?.listener;
}

/** The forms in which a filter may name a thing, each by itself: which of them an engine takes is not stated. */
function formsOf(filter: string, refs: readonly string[], more: Filters = {}): Filters[] {
  return [...new Set(refs)].map((ref) => ({ [filter]: [ref], ...more }));
}

function about(...refs: readonly string[]): (event: Event) => boolean {
  return (event) => isAbout(event, ...refs);
}

checkFilter('events.filters-map-of-lists', [ignoresQuery('filters')], async (engine, listenInForms) => {
  const [one, other, two] = [await makeContainer(engine), await makeContainer(engine), await makeContainer(engine)];
  await listenInForms({ container: [one.id, two.id] });
  await listenInForms({ container: [two.id] });
  for (const container of [one, other, two]) await given(container.remove(), 204);
  return { last: about(two.id), others: about(other.id) };
});

check('events.filters-bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  const opening = await listenWith(engine, { event: ['create'] });
  await control(opening.live, 200);
  expect(await engine.open('GET', '/events', { query: { filters: 'no JSON' } })).toBeRefused();
});

checkFilter('events.filters.container', [ignoresFilter('container')], async (engine, listenInForms) => {
  const [wanted, other] = [await makeContainer(engine), await makeContainer(engine)];
  const refs = [wanted.id, wanted.name];
  await listenInForms(...formsOf('container', refs));
  await listenInForms(...formsOf('container', refs, { event: ['rename'] }));
  for (const container of [other, wanted]) await given(container.rename(engine.name('container')), 204);
  return { last: about(wanted.id), others: about(other.id) };
});

check(
  'events.filters.event',
  { faults: [ignoresFilter('event'), doesInstead('delete', 'remove')], slowToFail: true },
  async ({ engine, use }) => {
    await expectFiltered(engine, async (_, listenInForms) => {
      await listenInForms({ event: ['create'] });
      const renamed = await makeContainer(engine);
      await given(renamed.rename(engine.name('container')), 204);
      const last = await makeContainer(engine);
      const others = (event: Event) => isAbout(event, renamed.id, last.id) && kindOf(event) !== 'create';
      return { last: about(last.id), others };
    });
    // The same of images: what an engine calls their events within may differ from what it writes.
    const removed = await ifThere(use(removedImage));
    if (!removed) return;
    const isOwn = ofImage(removed.image);
    const last = (event: Event) => isOwn(event) && kindOf(event) === 'delete';
    // Whether the removal is told at all, another rule judges.
    if (!(await removed.listener.hearsInTime(last))) return;
    const others = (event: Event) => isOwn(event) && kindOf(event) !== 'delete';
    await expectPassed(await removed.deletions.listener, { last, others }, 'delete of an image');
  },
);

check(
  'events.filters.event-die',
  { faults: [ignoresFilter('event'), takesFilterAs('event', 'died')], slowToFail: true },
  async ({ use }) => {
    const { container, filtered } = await use(shortRun);
    const die = await filtered.die.listener;
    expect(die.live).toHaveStatus(200);
    await die.hears((event) => kindOf(event) === 'die' && isAbout(event, container.id));
    const kinds = [...new Set(die.about(container.id).map(kindOf))];
    expectValue('the kinds of events of a container that ended, with event=die', kinds, [die.live]).toBe(['die']);
  },
);

checkFilter('events.filters.image', [ignoresFilter('image')], async (engine, listenInForms) => {
  const image = await loadImage(engine);
  await listenInForms(...formsOf('image', [image.name, ...image.ids, ...image.ids.map(withoutPrefix)]));
  const other = await makeContainer(engine);
  const wanted = await makeContainer(engine, { config: { Image: image.name } });
  await given(wanted.remove(), 204);
  await removeImage(engine, image);
  // Events of an image may include those of its containers.
  return { last: about(wanted.id, image.name, ...image.ids), others: about(other.id) };
});

check('events.filters.image-of-containers', { faults: [] }, async ({ use }) => {
  const { container, filtered, all } = await use(shortRun);
  // Where its head comes with the first event, there may be neither.
  if (!(await comesWithin(filtered.image.live, 1_000))) {
    observe('sends no events of the containers of an image', all);
    return;
  }
  const listener = await filtered.image.listener;
  const ofContainer = (event: Event) => isOfContainer(event) && isAbout(event, container.id);
  const heard = listener.live.status === 200 && (await listener.hears(ofContainer, 1_000));
  observe(`sends ${heard ? 'events' : 'no events'} of the containers of an image`, listener.live);
});

const label = 'ec.wanted';

checkFilter('events.filters.label-container', [ignoresFilter('label')], async (engine, listenInForms) => {
  const value = engine.unusedName('container');
  await listenInForms({ label: [`${label}=${value}`] });
  await listenInForms({ label: [`${label}=${value}`], event: ['create'] });
  const other = await makeContainer(engine);
  const wanted = await makeContainer(engine, { config: { Labels: { [label]: value } } });
  return { last: about(wanted.id), others: about(other.id) };
});

checkFilter('events.filters.label-image', [ignoresFilter('label')], async (engine, listenInForms) => {
  const value = engine.unusedName('image');
  const [wanted, other] = [await loadImage(engine, { [label]: value }), await loadImage(engine)];
  await listenInForms({ label: [`${label}=${value}`] });
  for (const image of [other, wanted]) await removeImage(engine, image);
  return { last: ofImage(wanted), others: ofImage(other) };
});

checkFilter('events.filters.type-container', [ignoresFilter('type')], async (engine, listenInForms) => {
  await listenInForms({ type: ['container'] });
  await listenInForms({ type: ['container'], event: ['create'] });
  const volume = await makeVolume(engine);
  return { last: about((await makeContainer(engine)).id), others: about(volume) };
});

checkFilter('events.filters.type-image', [ignoresFilter('type')], async (engine, listenInForms) => {
  const image = await loadImage(engine);
  await listenInForms({ type: ['image'] });
  const other = await makeContainer(engine);
  await removeImage(engine, image);
  return { last: ofImage(image), others: about(other.id) };
});

checkFilter('events.filters.type-volume', [ignoresFilter('type')], async (engine, listenInForms) => {
  await listenInForms({ type: ['volume'] });
  await listenInForms({ type: ['volume'], event: ['create'] });
  const other = await makeContainer(engine);
  return { last: about(await makeVolume(engine)), others: about(other.id) };
});

checkFilter('events.filters.volume', [ignoresFilter('volume')], async (engine, listenInForms) => {
  const [wanted, other] = [await makeVolume(engine), await makeVolume(engine)];
  await listenInForms({ volume: [wanted] });
  await listenInForms({ volume: [wanted], type: ['volume'] });
  for (const name of [other, wanted]) await given(engine.delete(volumePath(name)), 204);
  return { last: about(wanted), others: about(other) };
});

checkFilter('events.filters.type-network', [ignoresFilter('type')], async (engine, listenInForms) => {
  const network = await makeNetwork(engine);
  await listenInForms({ type: ['network'] });
  const container = await makeContainer(engine, { state: 'running', network: 'own' });
  await given(connect(engine, network.name, container.id), 200);
  const isOfNetwork = (event: Event) => !isOfContainer(event) && mentions(event, container.id, network.id);
  return { last: isOfNetwork, others: (event) => isOfContainer(event) && isAbout(event, container.id) };
});

checkFilter('events.filters.network', [ignoresFilter('network')], async (engine, listenInForms) => {
  const [wanted, other] = [await makeNetwork(engine), await makeNetwork(engine)];
  const joining = await makeContainer(engine, { state: 'running', network: 'own' });
  const stranger = await makeContainer(engine, { state: 'running', network: 'own' });
  const refs = [wanted.id, wanted.name];
  await listenInForms(...formsOf('network', refs));
  await listenInForms(...formsOf('network', refs, { event: ['connect'] }));
  await given(connect(engine, other.name, stranger.id), 200);
  await given(connect(engine, wanted.name, joining.id), 200);
  return {
    last: (event) => mentions(event, wanted.id, wanted.name, joining.id),
    others: (event) => mentions(event, other.id, other.name, stranger.id),
  };
});
