import { atLeast } from '../../specs/versions.ts';
import { textMemberIn } from '../streams/json.ts';
import type { Engine, RequestOptions } from './engine.ts';
import type { Exchange } from './exchange.ts';
import { given } from './given.ts';
import { nextSubnet, type Subnet } from './subnets.ts';

/** A network of the suite. */
export interface Network {
  readonly id: string;
  readonly name: string;
}

type Members = Readonly<Record<string, unknown>>;

/** A create body with a fresh name of the sandbox and, where the version has labels, the run's. */
export function networkBody(engine: Engine, members: Members = {}): Record<string, unknown> {
  const { Name = engine.name('network'), Labels, ...others } = members;
  const labels = { ...engine.sandbox.labels, ...(typeof Labels === 'object' && Labels) };
  return {
    Name,
    ...(atLeast(engine.api, '1.23') && { Labels: labels }),
    ...others,
  };
}

/** Sends create and returns the exchange, to be judged. The network is removed when the check ends. */
export async function createNetwork(
  engine: Engine,
  body: Members,
  options: Pick<RequestOptions, 'takesMs'> = {},
): Promise<Exchange> {
  const { Name: name } = body;
  const created = await engine.post('/networks/create', { ...options, json: body });
  const id = created.status < 300 ? networkIdIn(created) : undefined;
  if (id === undefined || typeof name !== 'string') return created;
  // Several networks may have the same name; each is then removed by its identifier.
  const known = engine.leftovers.some((made) => made.kind === 'network' && made.name === name && made.id !== undefined);
  engine.made({ kind: 'network', name: known ? id : name, id });
  return created;
}

/** Makes a network. @throws Blocked when that fails */
export async function makeNetwork(engine: Engine, members: Members = {}): Promise<Network> {
  const body = networkBody(engine, members);
  const created = await given(createNetwork(engine, body), 201);
  const name = String(body.Name);
  return { id: networkIdIn(created) ?? name, name };
}

/** The members that a check wants for a network with addresses of its own. */
type MembersIn = (subnet: Subnet) => Members;

/** An IPAM member with one subnet and its first address as the gateway. */
export const ipamOf: MembersIn = ({ cidr, at }) => ({
  IPAM: { Driver: 'default', Config: [{ Subnet: cidr, Gateway: at(1) }] },
});

/** Networks of other runs may already have a subnet. */
const triesForSubnet = 6;

/**
 * Sends create for a network in a subnet of the benchmarking range, tries another one when the daemon refuses it, and
 * returns the last exchange, to be judged.
 */
export async function createInSubnet(
  engine: Engine,
  wanted: MembersIn = ipamOf,
): Promise<{ created: Exchange; name: string; subnet: Subnet }> {
  for (let tries = 1; ; tries++) {
    const subnet = nextSubnet(engine.sandbox.run);
    const body = networkBody(engine, wanted(subnet));
    const created = await createNetwork(engine, body);
    if (created.status < 300 || tries === triesForSubnet) return { created, name: String(body.Name), subnet };
  }
}

/** Makes a network in a subnet of the benchmarking range. @throws Blocked when that fails */
export async function makeInSubnet(engine: Engine, wanted: MembersIn = ipamOf): Promise<Network & { subnet: Subnet }> {
  const { created, name, subnet } = await createInSubnet(engine, wanted);
  await given(Promise.resolve(created), 201);
  return { id: networkIdIn(created) ?? name, name, subnet };
}

/** The Id in an answer of create; undefined when there is none. */
export function networkIdIn(created: Exchange): string | undefined {
  return textMemberIn(created.text, 'Id');
}

/** Asks for one network by its name or identifier, to be judged. */
export function inspectNetwork(engine: Engine, ref: string): Promise<Exchange> {
  return engine.get(pathOf(ref));
}

/** Removes a network, to be judged. */
export function removeNetwork(engine: Engine, ref: string): Promise<Exchange> {
  return engine.delete(pathOf(ref));
}

/** Connects a container to a network, to be judged. @param members further members of the body */
export function connect(engine: Engine, ref: string, container: string, members: Members = {}): Promise<Exchange> {
  return engine.post(`${pathOf(ref)}/connect`, { json: { Container: container, ...members } });
}

/** Disconnects a container from a network, to be judged. @param members further members of the body */
export function disconnect(engine: Engine, ref: string, container: string, members: Members = {}): Promise<Exchange> {
  return engine.post(`${pathOf(ref)}/disconnect`, { json: { Container: container, ...members } });
}

function pathOf(ref: string): string {
  return `/networks/${encodeURIComponent(ref)}`;
}
