import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import type { Engine } from '../engine.ts';
import type { Network } from './store.ts';

/**
 * A network (Document 1, Network); inspect since 1.23 has the containers' names and the labels, and since 1.28 only
 * inspect has the containers.
 */
export function shapeNetwork(
  network: Network,
  engine: Engine,
  api: ApiVersion,
  form: 'list' | 'inspect',
): Record<string, unknown> {
  const newest = atLeast(api, '1.23');
  const { name, id, driver, ipamDriver, ipamOptions, ipamConfig, options, internal, enableIPv6, labels } = network;
  const containers = [...network.endpoints].map(([container, { endpointId, mac, address, address6 }]) => {
    const named = newest && form === 'inspect' ? { Name: engine.containers.find(container)?.name ?? '' } : {};
    const IPv4Address = address ? `${address}/${network.subnet?.length ?? 0}` : '';
    const IPv6Address = address6 ? `${address6}/${network.subnet6?.length ?? 0}` : '';
    return [container, { ...named, EndpointID: endpointId, MacAddress: mac, IPv4Address, IPv6Address }];
  });
  return {
    Name: name,
    Id: id,
    Scope: 'local',
    Driver: driver,
    ...(newest && { EnableIPv6: enableIPv6 }),
    IPAM: { Driver: ipamDriver, ...(newest && { Options: ipamOptions }), Config: ipamConfig },
    ...(newest && { Internal: internal }),
    Containers: form === 'list' && atLeast(api, '1.28') ? {} : Object.fromEntries(containers),
    Options: options,
    ...(newest && { Labels: labels }),
  };
}
