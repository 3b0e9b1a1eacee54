import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Answered } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { observe } from '../../harness/expect/expect.ts';
import { writeJson } from '../../harness/streams/json.ts';
import { workingVersion } from '../../harness/target/working-version.ts';
import { allRules } from '../../specs/catalogue.ts';
import { atLeast } from '../../specs/versions.ts';
import { volumePath } from '../volumes/support/volumes.ts';
import { caused } from './support/caused-events.ts';
import { type Event, isAbout, isOfContainer, kindOf, mentions } from './support/event.ts';
import { labelledVolume } from './support/labelled-things.ts';
import { listen, listenWith } from './support/listen.ts';
import { shortRun } from './support/short-run.ts';

check('events.each-once', { faults: [] }, async ({ use }) => {
  const { withNetworks, all } = await use(shortRun);
  const texts = withNetworks.map((event) => writeJson({ ...event }));
  const again = withNetworks.filter((_event, index) => texts.indexOf(texts[index] ?? '') < index).map(kindOf);
  const kinds = [...new Set(again)].sort();
  observe(kinds.length === 0 ? 'tells each event once' : `tells ${kinds.join(', ')} more than once`, all);
});

/** The events that came while a volume was made and removed, and a container with a network ran. */
async function ofVolumesAndNetworks(engine: Engine): Promise<{ events: readonly Event[]; stream: Answered }> {
  const listener = await listen(engine);
  const prefix = `/v${workingVersion(engine.target.serves)}`;
  const name = engine.name('volume');
  await given(engine.request('POST', '/volumes/create', { prefix, json: { Name: name } }), 201);
  await given(engine.request('DELETE', volumePath(name), { prefix }), 204);
  const container = await makeContainer(engine, { state: 'exited' });
  await listener.hearsInTime((event) => kindOf(event) === 'die' && isAbout(event, container.id));
  const own = (event: Event) => mentions(event, name, container.id) && !isOfContainer(event);
  return { events: listener.events.filter(own), stream: listener.live };
}

check(
  'events.older-types',
  {
    faults: [],
    notOn: ({ serves }) =>
      serves.some((one) => atLeast(one, '1.23')) ? undefined : 'its volumes are made through 1.23 or later',
  },
  async ({ engine }) => {
    const { events, stream } = await ofVolumesAndNetworks(engine);
    const types = [...new Set(events.map(({ Type }) => String(Type)))].sort();
    observe(types.length === 0 ? 'tells neither' : `tells events of Type ${types.join(' and ')}`, stream);
  },
);

check('events.volume-status', { faults: [] }, async ({ use }) => {
  const { listener, name } = await use(labelledVolume);
  await listener.hearsInTime((event) => isAbout(event, name));
  const members = ['status', 'id'].filter((member) =>
    listener.about(name).some((event) => event[member] !== undefined),
  );
  const told = listener.about(name).length > 0;
  observe(told ? `has ${members.join(' and ') || 'neither'}` : 'tells no event of volumes', listener.live);
});

/** What may separate two objects, with its description. */
const separators = new Map([
  ['', 'nothing'],
  ['\n', 'a newline'],
  ['\r\n', 'a carriage return and a newline'],
]);

check('events.separator', { faults: [], looksAt: ['freezer'] }, async ({ use }) => {
  const { listener } = await use(caused);
  // A closing brace followed by an opening one occurs only between events.
  const between = listener.live.received.toString('utf8').matchAll(/\}(\s*)(?=\{)/g);
  const found = new Set([...between].map(([, text = '']) => separators.get(text) ?? 'other white space'));
  observe(`has ${[...found].toSorted().join(' or ') || 'nothing'} between events`, listener.live);
});

check('events.since-text', { faults: [] }, async ({ engine }) => {
  const query = { since: '2024-01-01T00:00:00Z', until: '2024-01-01T00:00:01Z' };
  const answer = await engine.open('GET', '/events', { query });
  observe(`answers ${answer.status} to times in the form of RFC 3339`, answer);
});

check('events.causes', { faults: [], looksAt: ['freezer'] }, async ({ use }) => {
  const { byOperation, listener } = await use(caused);
  const facts = [...byOperation].sort().map(([operation, { id, since, before }]) => {
    const kinds = [...new Set(listener.about(id).slice(since, before).map(kindOf))].sort();
    return `${operation}: ${kinds.join(', ') || 'none'}`;
  });
  observe(facts.join('; '), listener.live);
});

/** Every kind has a rule, whose id ends with it. */
const documented = allRules.map(({ id }) => /^events\.kind\.\w+\.(\w+)$/.exec(id)?.[1]);

check('events.undocumented-kinds', { faults: [], looksAt: ['freezer'] }, async ({ use }) => {
  const { byOperation, listener } = await use(caused);
  const kinds = listener.about(...[...byOperation.values()].map(({ id }) => id)).map(kindOf);
  const unknown = [...new Set(kinds)].filter((kind) => !documented.includes(kind)).sort();
  observe(unknown.length === 0 ? 'tells documented kinds only' : `tells ${unknown.join(', ')}`, listener.live);
});

check('events.filters.unknown', { faults: [] }, async ({ engine }) => {
  const opening = await listenWith(engine, { colour: ['blue'] });
  const answer = await opening.live;
  observe(`answers ${answer.status}`, answer);
});
