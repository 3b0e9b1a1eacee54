import { type CheckContext, check, type FixtureContext, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { makeNetwork } from '../../harness/engine/networks.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { changesJson } from '../../harness/faults/answers.ts';
import { changesEvents, dropsAttribute, losesEvents, tellsAfter } from '../../harness/faults/events.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { inEachObject } from '../../harness/faults/objects.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { atLeast, isDocumented } from '../../specs/versions.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { ifThere } from '../support/shared-results.ts';
import { makeVolume } from '../volumes/support/volumes.ts';
import { toldTogether } from './support/caused-events.ts';
import {
  attributesOf,
  beforeText,
  type Event,
  isAbout,
  isOfContainer,
  kindOf,
  mentions,
  withoutPrefix,
} from './support/event.ts';
import { loadImage, removeImage } from './support/event-images.ts';
import { labelledImage, labelledVolume } from './support/labelled-things.ts';
import { listen } from './support/listen.ts';
import type { Listener } from './support/listener.ts';
import { terminalSize } from './support/operations.ts';
import { exitCode, ownLabel, shortRun } from './support/short-run.ts';

/** The events of an image and of a volume, as far as they were told. */
async function furtherEvents({ use, api }: FixtureContext): Promise<Event[]> {
  const told = await ifThere(use(labelledImage));
  const names = told
    ? [told.image.name, `${told.repo}:ec`, ...told.image.ids, ...told.image.ids.map(withoutPrefix)]
    : [];
  await told?.listener.hearsInTime((event) => kindOf(event) === 'tag' && mentions(event, ...names));
  const volume = atLeast(api, '1.23') ? await ifThere(use(labelledVolume)) : undefined;
  await volume?.listener.hearsInTime((event) => mentions(event, volume.name));
  return [
    ...(told?.listener.events.filter((event) => !isOfContainer(event) && mentions(event, ...names)) ?? []),
    ...(volume?.listener.events.filter((event) => event.Type === 'volume' && mentions(event, volume.name)) ?? []),
  ];
}

const ownEvents = fixture(
  'the events of a short-lived container and its networks, an image and a volume',
  async (context) => {
    const { all, withNetworks } = await context.use(shortRun);
    return all.narrowedTo([...withNetworks, ...(await furtherEvents(context))]);
  },
);

type Members = Readonly<Record<string, JsonValue>>;

function isOfType(...types: readonly string[]): (event: Members) => boolean {
  return ({ Type }) => Type === undefined || types.includes(String(Type));
}

/** Lacks a member in events of images and volumes alone. */
function dropsElsewhere(member: string): Fault {
  return changesJson(`drops ${member} from events of images and volumes`, (event) => {
    if (!isObject(event) || isOfContainer(event) || event.Type === 'network') return event;
    return Object.fromEntries(Object.entries(event).filter(([name]) => name !== member));
  });
}

checkFields(
  fieldRulesOf('events.field.'),
  ownEvents,
  {
    status: { where: isOfType('container', 'image') },
    id: { where: isOfType('container', 'image'), slowToFail: true },
    from: { where: isOfContainer },
    // Their faults take from each event what it is found by.
    'Actor.ID': { slowToFail: true },
    ...Object.fromEntries(['time', 'timeNano', 'Actor'].map((path) => [path, { faults: [dropsElsewhere(path)] }])),
  },
  inEachObject,
);

for (const name of ['status', 'id', 'from'] as const) {
  const stillSent = changesEvents(`sends ${name}`, (event) => ({ ...event, [name]: 'ec-old' }));
  check(`events.no-${name}`, { faults: [stillSent] }, async ({ use }) => {
    const { withNetworks, all } = await use(shortRun);
    for (const event of withNetworks) {
      expectValue(`${name} of ${kindOf(event)}`, event[name], [all]).toBe(undefined);
    }
  });
}

check(
  'events.Type-value',
  { faults: [changesEvents('calls every Type object', (event) => ({ ...event, Type: 'object' }))] },
  async ({ engine }) => {
    const listener = await listen(engine);
    const image = await loadImage(engine);
    await removeImage(engine, image);
    const volume = await makeVolume(engine);
    const { id } = await makeContainer(engine);
    for (const [type, ...refs] of [
      ['image', image.name, ...image.ids],
      ['volume', volume],
      ['container', id],
    ]) {
      await settled(
        listener.needs(`of the ${type}`, (event) => isAbout(event, ...refs)),
        'waiting for an event',
      );
      const types = new Set(listener.about(...refs).map(({ Type }) => Type));
      expectValue(`the types on events of the ${type}`, [...types], [listener.live]).toBe([type]);
    }
  },
);

check(
  'events.Action-equals-status',
  { faults: [changesEvents('has another Action', (event) => ({ ...event, Action: 'other' }))] },
  async ({ use }) => {
    const { events, exchange } = await use(shortRun);
    for (const { Action, status } of events) {
      expectValue('the kind in Action', beforeText(Action), [exchange]).toBe(beforeText(status));
      expectValue('Action', Action, [exchange], { level: 'should' }).toBe(status);
    }
  },
);

check('events.attribute-name', { faults: [dropsAttribute('container', 'name')] }, async ({ use }) => {
  const { container, ofKnownKinds, exchange } = await use(shortRun);
  for (const event of ofKnownKinds) {
    const { name } = attributesOf(event);
    expectValue(`name of ${kindOf(event)}`, name, [exchange]).toBeOneOf(container.name, `/${container.name}`);
  }
});

check('events.attribute-image', { faults: [dropsAttribute('container', 'image')] }, async ({ use }) => {
  const { imageNames, ofKnownKinds, exchange, inspect } = await use(shortRun);
  for (const event of ofKnownKinds) {
    const { image } = attributesOf(event);
    expectValue(`image of ${kindOf(event)}`, image, [inspect, exchange]).toBeOneOf(...imageNames);
  }
});

check('events.attribute-labels', { faults: [dropsAttribute('container', ownLabel[0])] }, async ({ use }) => {
  const { ofKnownKinds, exchange } = await use(shortRun);
  const [label, colour] = ownLabel;
  for (const event of ofKnownKinds) {
    expectValue(`${label} of ${kindOf(event)}`, attributesOf(event)[label], [exchange]).toBe(colour);
  }
});

/** The documents list the attributes only for a run of a container. */
check('events.undocumented-attributes', { faults: [] }, async ({ engine, use }) => {
  const { events, exchange } = await use(shortRun);
  const named = ['name', 'image', 'exitCode', 'height', 'width', ...Object.keys(engine.sandbox.labels)];
  const others = new Set(events.flatMap((event) => Object.keys(attributesOf(event))));
  // The prefix of the labels of the container and of its image.
  const unknown = [...others].filter((name) => !named.includes(name) && !name.startsWith('ec.')).sort();
  observe(unknown.length === 0 ? 'has the documented attributes only' : `has ${unknown.join(', ')} as well`, exchange);
});

/** Things that have a label, the kind of event that shows it, and what the event names. */
const labelled = {
  image: {
    kind: 'tag',
    told: async ({ use }: CheckContext) => {
      const { listener, image, repo } = await use(labelledImage);
      return { listener, refs: [image.name, `${repo}:ec`, ...image.ids] };
    },
  },
  volume: {
    kind: 'create',
    told: async ({ use }: CheckContext) => {
      const { listener, name } = await use(labelledVolume);
      return { listener, refs: [name] };
    },
  },
  network: {
    kind: 'create',
    told: async ({ engine }: CheckContext) => {
      const listener = await listen(engine);
      const { id, name } = await makeNetwork(engine, { Labels: { [ownLabel[0]]: ownLabel[1] } });
      return { listener, refs: [id, name] };
    },
  },
} as const;

for (const type of ['image', 'volume', 'network'] as const) {
  check(`events.attribute-labels-${type}`, { faults: [dropsAttribute(type, ownLabel[0])] }, async (context) => {
    const { kind, told } = labelled[type];
    const { listener, refs } = await told(context);
    const isTold = (event: Event) => event.Type === type && kindOf(event) === kind && isAbout(event, ...refs);
    if (!(await listener.hearsInTime(isTold))) throw new Blocked(`${kind} of the ${type} was not told`);
    for (const event of listener.events.filter(isTold)) {
      const [label, colour] = ownLabel;
      const shown = attributesOf(event)[label];
      expectValue(`${label} of ${kind}`, shown, [listener.live], { level: 'should' }).toBe(colour);
    }
  });
}

check('events.attribute-exitCode', { faults: [dropsAttribute('container', 'exitCode')] }, async ({ use }) => {
  const { events, exchange } = await use(shortRun);
  const deaths = events.filter((event) => kindOf(event) === 'die');
  if (deaths.length === 0) throw new Blocked('die of the container was not told');
  for (const event of deaths) {
    expectValue('exitCode of die', attributesOf(event).exitCode, [exchange]).toBe(String(exitCode));
  }
});

async function resized(engine: Engine): Promise<{ listener: Listener; id: string }> {
  const listener = await listen(engine);
  const container = await makeContainer(engine, { state: 'running', config: { Tty: true } });
  await given(engine.post(container.path('resize'), { query: terminalSize }), 200);
  return { listener, id: container.id };
}

check(
  'events.attribute-height-width',
  { faults: [dropsAttribute('container', 'height'), dropsAttribute('container', 'width')], looksAt: ['freezer'] },
  async ({ engine, use }) => {
    const { listener, id } = (await toldTogether('resize', use)) ?? (await resized(engine));
    const isResize = (event: Event) => kindOf(event) === 'resize' && isAbout(event, id);
    await settled(listener.needs('resize', isResize), 'waiting for an event');
    for (const event of listener.events.filter(isResize)) {
      const { height, width } = attributesOf(event);
      expectValue('height and width of resize', [height, width], [listener.live]).toBe(['30', '90']);
    }
  },
);

check(
  'events.sample-order',
  { faults: [losesEvents('container', 'start'), tellsAfter('start', 'die'), tellsAfter('create', 'start')] },
  async ({ api, use }) => {
    const { withNetworks, all } = await use(shortRun);
    const ofNetworks = atLeast(api, '1.23');
    const sample = ['create', 'attach', 'connect', 'start', 'die', 'disconnect', 'destroy'].filter(
      (kind) => ofNetworks || !kind.endsWith('connect'),
    );
    const kinds = [...new Set(withNetworks.map(kindOf).filter((kind) => sample.includes(kind)))];
    // From 1.24 on a container may leave its network before or after it ended (Document 4, Events).
    const ordered = (all: readonly string[]) => (isDocumented(api) ? all : all.filter((kind) => kind !== 'disconnect'));
    expectValue('the events of the run in order', ordered(kinds), [all]).toBe(ordered(sample));
  },
);
