import { type CheckContext, check, type Fixture, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { connect, disconnect, makeNetwork, type Network, removeNetwork } from '../../harness/engine/networks.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { changesEvents, dropsAttribute } from '../../harness/faults/events.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { attributesOf, type Event, mentions } from './support/event.ts';
import { listen } from './support/listen.ts';

interface Told {
  readonly network: Network;
  readonly container: Container;
  /** The events of networks that name the network or, when there are none, the container. */
  readonly events: readonly Event[];
  readonly stream: LiveExchange;
}

/** A network is created, a running container connected and disconnected, and the network removed. */
const told: Fixture<Told> = fixture('the events of one network', async ({ engine }) => {
  const listener = await listen(engine);
  const network = await makeNetwork(engine);
  const container = await makeContainer(engine, { state: 'running', network: 'own' });
  await given(connect(engine, network.name, container.id), 200);
  await given(disconnect(engine, network.name, container.id), 200);
  await given(removeNetwork(engine, network.name), 200, 204);
  const isOf =
    (...names: readonly string[]) =>
    (event: Event) =>
      event.Type === 'network' && mentions(event, ...names);
  const isOfNetwork = isOf(network.id, network.name);
  await listener.hearsInTime((event) => event.Action === 'destroy' && isOfNetwork(event));
  listener.live.drop();
  const named = listener.events.filter(isOfNetwork);
  // An event may say which container joined or left, but not which network.
  const events = named.length > 0 ? named : listener.events.filter(isOf(container.id, container.name));
  return { network, container, events, stream: listener.live };
});

/** A fault of the events of the suite's own networks. */
function ofNetworks(name: string, change: (event: Event) => Event | undefined): Fault {
  return changesEvents(name, (event) => (event.Type === 'network' ? change(event) : event));
}

for (const [kind, cause] of [
  ['create', 'the network was created'],
  ['connect', 'the container was connected'],
  ['disconnect', 'the container was disconnected'],
  ['destroy', 'the network was removed'],
] as const) {
  const loses = ofNetworks(`loses ${kind}`, (event) => (event.Action === kind ? undefined : event));
  check(`events.kind.network.${kind}`, { faults: [loses] }, async ({ use }) => {
    const { events, stream } = await use(told);
    const kinds = events.map(({ Action }) => Action);
    expectValue(`the kinds of events of the network after ${cause}`, kinds, [stream]).toContain(kind);
  });
}

for (const member of ['status', 'id'] as const) {
  const adds = ofNetworks(`has ${member}`, (event) => ({ ...event, [member]: 'connect' }));
  check(`events.no-${member}-of-network`, { faults: [adds] }, async (context) => {
    const { events, stream } = await someEvents(context);
    const with_ = events.filter((event) => event[member] !== undefined).map(({ Action }) => Action);
    expectValue(`the kinds of network events with ${member}`, with_, [stream]).toBe([]);
  });
}

async function someEvents({ use }: CheckContext): Promise<Told> {
  const all = await use(told);
  if (all.events.length === 0) throw new Blocked(`${all.stream.id} has no event of the network`);
  return all;
}

for (const [id, attribute, valuesOf] of [
  ['container', 'container', ({ container }: Told) => [container.id, container.name]],
  ['network-name', 'name', ({ network }: Told) => [network.name]],
  // How types are written is not stated.
  ['network-type', 'type', () => undefined],
] as const) {
  const drops = dropsAttribute('network', attribute);
  check(`events.attribute-${id}`, { faults: [drops] }, async (context) => {
    const all = await someEvents(context);
    const joined = all.events.filter(({ Action }) => Action === 'connect' || Action === 'disconnect');
    if (joined.length === 0) throw new Blocked(`${all.stream.id} has no connect or disconnect of the network`);
    for (const event of joined) {
      const found = expectValue(`${attribute} of ${String(event.Action)}`, attributesOf(event)[attribute], [
        all.stream,
      ]);
      const values = valuesOf(all);
      if (values) found.toBeOneOf(...values);
      else found.toMatch(/./);
    }
  });
}
