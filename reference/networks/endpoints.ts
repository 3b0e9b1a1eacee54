import { atLeast } from '../../specs/versions.ts';
import { connectTo, disconnectFrom } from '../containers/network.ts';
import { readEndpointConfig } from '../containers/settings/networking-config.ts';
import { badParameter, notFound } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { Fields } from '../http/fields.ts';
import type { IpamConfig } from './ipam-config.ts';
import { shapeNetwork } from './shape.ts';
import type { Network } from './store.ts';

/** GET /networks (Document 3, Networks). */
export function listNetworks(call: Call): void {
  const filters = call.query.filters(call.since('1.23') ? ['id', 'name', 'type'] : ['id', 'name']);
  for (const type of filters.get('type') ?? []) {
    if (type !== 'custom' && type !== 'builtin') throw badParameter(`filters: there is no type ${type}`);
  }
  const networks = call.engine.networks.all().filter((network) => passes(network, filters, call));
  call.answer(
    200,
    networks.map((network) => shapeNetwork(network, call.engine, call.api, 'list')),
  );
}

function passes(network: Network, filters: ReadonlyMap<string, readonly string[]>, call: Call): boolean {
  // Since 1.23 a part of the name or identifier is enough.
  const matches = (value: string, wanted: string) => (call.since('1.23') ? value.includes(wanted) : value === wanted);
  const any = (name: string, holds: (wanted: string) => boolean) => filters.get(name)?.some(holds) ?? true;
  return (
    any('id', (wanted) => matches(network.id, wanted)) &&
    any('name', (wanted) => matches(network.name, wanted)) &&
    any('type', (wanted) => (wanted === 'builtin') === network.predefined)
  );
}

/** GET /networks/{id} */
export function inspectNetwork(call: Call): void {
  const network = call.engine.networks.get(call.param('id'));
  call.answer(200, shapeNetwork(network, call.engine, call.api, 'inspect'));
}

/** POST /networks/create */
export async function createNetwork(call: Call): Promise<void> {
  const body = new Fields(await call.json(), '');
  const newest = atLeast(call.api, '1.23');
  const name = body.string('Name');
  if (name === '') throw body.refuse('Name', 'is mandatory');
  const driver = body.string('Driver') || 'bridge';
  if (!['bridge', 'null', 'host'].includes(driver)) throw notFound(`plugin ${driver} not found`);
  if (body.boolean('CheckDuplicate')) call.engine.networks.refuseDuplicate(name);
  const ipam = body.object('IPAM');
  const ipamDriver = ipam?.string('Driver') || 'default';
  if (ipamDriver !== 'default' && ipamDriver !== 'null') throw notFound(`plugin ${ipamDriver} not found`);
  const network = call.engine.networks.create({
    name,
    driver,
    ipamDriver,
    ipamOptions: newest ? (ipam?.stringMap('Options') ?? {}) : {},
    ipamConfig: ipam?.list('Config', readIpamConfig) ?? [],
    options: body.stringMap('Options'),
    labels: newest ? body.stringMap('Labels') : {},
    internal: newest && body.boolean('Internal'),
    enableIPv6: newest && body.boolean('EnableIPv6'),
  });
  call.answer(201, { Id: network.id, Warning: '' });
}

function readIpamConfig(item: unknown, what: string): IpamConfig {
  const config = new Fields(item, what);
  const [range, gateway, aux] = [config.string('IPRange'), config.string('Gateway'), config.raw('AuxAddress')];
  return {
    Subnet: config.string('Subnet'),
    ...(range && { IPRange: range }),
    ...(gateway && { Gateway: gateway }),
    ...(aux !== undefined && { AuxAddress: aux }),
  };
}

/** POST /networks/{id}/connect */
export async function connectNetwork(call: Call): Promise<void> {
  const network = call.engine.networks.get(call.param('id'));
  const body = new Fields(await call.json(), '');
  const container = call.engine.containers.get(body.string('Container'));
  const asked = atLeast(call.api, '1.23') ? body.raw('EndpointConfig') : undefined;
  connectTo(call.engine, container, network, readEndpointConfig(asked, 'EndpointConfig'));
  call.answerEmpty(200);
}

/** POST /networks/{id}/disconnect */
export async function disconnectNetwork(call: Call): Promise<void> {
  const network = call.engine.networks.get(call.param('id'));
  const body = new Fields(await call.json(), '');
  if (call.since('1.23')) body.boolean('Force');
  const container = call.engine.containers.get(body.string('Container'));
  disconnectFrom(call.engine, container, network);
  call.answerEmpty(200);
}

/** DELETE /networks/{id}: 200 in 1.21, 204 since 1.23. */
export function removeNetwork(call: Call): void {
  call.engine.networks.remove(call.param('id'));
  call.answerEmpty(call.since('1.23') ? 204 : 200);
}
