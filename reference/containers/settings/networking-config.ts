import { isIPv4, isIPv6 } from 'node:net';
import type { ApiVersion } from '../../../specs/versions.ts';
import { atLeast, isDocumented } from '../../../specs/versions.ts';
import { Fields } from '../../http/fields.ts';

/** What a create requests for one network. */
export interface EndpointConfig {
  readonly ipam: { readonly IPv4Address?: string; readonly IPv6Address?: string };
  readonly links: readonly string[];
  readonly aliases: readonly string[];
}

/** Network names with what a create requests for them (Document 1, NetworkingConfig). */
export type NetworkingConfig = Readonly<Record<string, EndpointConfig>>;

/** Names of the networks that a container will be on, with what is requested for each. */
export type Memberships = Map<string, EndpointConfig | undefined>;

/** Reads NetworkingConfig, which exists since 1.23. Throws 400. */
export function readNetworkingConfig(value: unknown, api: ApiVersion): NetworkingConfig {
  if (!atLeast(api, '1.23')) return {};
  const body = new Fields(value ?? {}, 'NetworkingConfig');
  const networks = body.map('EndpointsConfig', readEndpointConfig);
  const isOneAtMost = !isDocumented(api) && !atLeast(api, '1.44');
  if (isOneAtMost && Object.keys(networks).length > 1) throw body.refuse('EndpointsConfig', 'has several networks');
  return networks;
}

/** Reads what is requested for one network; undefined when it is unset. Throws 400. */
export function readEndpointConfig(item: unknown, what: string): EndpointConfig {
  const endpoint = new Fields(item ?? {}, what);
  const ipam = endpoint.object('IPAMConfig');
  const ipv4 = ipam?.string('IPv4Address') ?? '';
  const ipv6 = ipam?.string('IPv6Address') ?? '';
  if (ipv4 && !isIPv4(ipv4)) throw endpoint.refuse('IPAMConfig.IPv4Address', 'not an IPv4 address');
  if (ipv6 && !isIPv6(ipv6)) throw endpoint.refuse('IPAMConfig.IPv6Address', 'not an IPv6 address');
  return {
    ipam: { ...(ipv4 ? { IPv4Address: ipv4 } : {}), ...(ipv6 ? { IPv6Address: ipv6 } : {}) },
    links: endpoint.strings('Links'),
    aliases: endpoint.strings('Aliases'),
  };
}
