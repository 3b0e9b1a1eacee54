import { type CheckContext, check, type Fixture, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { connect, disconnect, makeNetwork, type Network, removeNetwork } from '../../harness/engine/networks.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../harness/expect/json-path.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { changesObjects } from '../../harness/faults/objects.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { decodeObjects } from '../../harness/streams/objects.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';

type Event = Readonly<Record<string, JsonValue>>;

interface Told {
  readonly network: Network;
  readonly container: Container;
  /** The events of networks that name the network or, when there are none, the container. */
  readonly events: readonly Event[];
  readonly answer: Exchange;
}

/** The daemon's own clock, in UNIX seconds. */
async function clockOf(engine: Engine): Promise<number> {
  const info = await given(engine.get('/info'), 200);
  const time = Date.parse(String(valuesAt(info.json, 'SystemTime')[0]));
  if (Number.isNaN(time)) throw new Blocked(`${info.id} has no SystemTime to ask for events by`);
  return Math.floor(time / 1_000);
}

/** A network is created, a running container connected and disconnected, and the network removed. */
const told: Fixture<Told> = fixture('the events of one network', async ({ engine }) => {
  const since = await clockOf(engine);
  const network = await makeNetwork(engine);
  const container = await makeContainer(engine, { state: 'running' });
  await given(connect(engine, network.name, container.id), 200);
  await given(disconnect(engine, network.name, container.id), 200);
  await given(removeNetwork(engine, network.name), 200, 204);
  // The stream ends a second later, so that events on their way still come.
  const until = (await clockOf(engine)) + 2;
  const answer = await given(engine.get('/events', { since, until }), 200);
  const ofNetworks = decodeObjects(answer.answer.body).filter(
    ({ value }) => isObject(value) && value.Type === 'network',
  );
  const naming = (...names: readonly string[]): Event[] =>
    ofNetworks.flatMap(({ value, text }) =>
      isObject(value) && names.some((name) => text.includes(`"${name}"`)) ? [value] : [],
    );
  const named = naming(network.id, network.name);
  // An event may tell which container joined or left, and not of which network.
  const events = named.length > 0 ? named : naming(container.id, container.name);
  return { network, container, events, answer };
});

/** A fault of the events of networks of the suite. */
function ofNetworks(name: string, change: (event: Event) => Event | undefined): Fault {
  return changesObjects(name, (event) => (isObject(event) && event.Type === 'network' ? change(event) : event));
}

for (const [kind, cause] of [
  ['create', 'the network was created'],
  ['connect', 'the container was connected'],
  ['disconnect', 'the container was disconnected'],
  ['destroy', 'the network was removed'],
] as const) {
  const loses = ofNetworks(`loses ${kind}`, (event) => (event.Action === kind ? undefined : event));
  check(`events.kind.network.${kind}`, { faults: [loses] }, async ({ use }) => {
    const { events, answer } = await use(told);
    const kinds = events.map(({ Action }) => Action);
    expectValue(`the kinds of events of the network after ${cause}`, kinds, [answer]).toContain(kind);
  });
}

for (const member of ['status', 'id'] as const) {
  const adds = ofNetworks(`has ${member}`, (event) => ({ ...event, [member]: 'connect' }));
  check(`events.no-${member}-of-network`, { faults: [adds] }, async (context) => {
    const { events, answer } = await someEvents(context);
    const with_ = events.filter((event) => event[member] !== undefined).map(({ Action }) => Action);
    expectValue(`the kinds of network events with ${member}`, with_, [answer]).toBe([]);
  });
}

async function someEvents({ use }: CheckContext): Promise<Told> {
  const all = await use(told);
  if (all.events.length === 0) throw new Blocked(`${all.answer.id} has no event of the network`);
  return all;
}

for (const [id, attribute, valuesOf] of [
  ['container', 'container', ({ container }: Told) => [container.id, container.name]],
  ['network-name', 'name', ({ network }: Told) => [network.name]],
  ['network-type', 'type', () => ['bridge']],
] as const) {
  const drops = ofNetworks(`leaves the attribute ${attribute} out`, (event) => {
    const { [attribute]: _dropped, ...others } = attributesOf(event);
    return { ...event, Actor: { ...(isObject(event.Actor) && event.Actor), Attributes: others } };
  });
  check(`events.attribute-${id}`, { faults: [drops] }, async (context) => {
    const all = await someEvents(context);
    const joined = all.events.filter(({ Action }) => Action === 'connect' || Action === 'disconnect');
    if (joined.length === 0) throw new Blocked(`${all.answer.id} has no connect or disconnect of the network`);
    for (const event of joined) {
      const found = attributesOf(event)[attribute];
      expectValue(`${attribute} of ${String(event.Action)}`, found, [all.answer]).toBeOneOf(...valuesOf(all));
    }
  });
}

function attributesOf(event: Event): Record<string, JsonValue> {
  const [attributes] = valuesAt(event, 'Actor.Attributes');
  return isObject(attributes) ? attributes : {};
}
