import { anyType, optionalLater, type Schema } from '../schema.ts';

/** Static addresses asked for on one network (Document 1, Container configuration, NetworkingConfig). */
export const ipamSettings = {
  title: 'IpamSettings',
  type: 'object',
  properties: {
    IPv4Address: { type: 'string', presence: 'echo' },
    IPv6Address: { type: 'string', presence: 'echo' },
  },
} as const satisfies Schema;

/** What a container is given on one network (Document 1, Container list item). */
export const endpointSettings = {
  title: 'EndpointSettings',
  type: 'object',
  properties: {
    IPAMConfig: { presence: 'echo' },
    Links: { presence: 'echo' },
    Aliases: { presence: 'echo' },
    NetworkID: { presence: 'should', since: '1.23', interpretations: ['endpoint-networkid'] },
    EndpointID: { presence: 'should' },
    Gateway: { presence: 'should' },
    IPAddress: { presence: 'should' },
    IPPrefixLen: { type: 'integer', presence: 'should' },
    IPv6Gateway: { presence: 'should' },
    GlobalIPv6Address: { presence: 'should' },
    GlobalIPv6PrefixLen: { type: 'integer', presence: 'should' },
    MacAddress: { presence: 'should' },
  },
} as const satisfies Schema;

/** The networks a container is to join at create (Document 1, Container configuration). */
export const networkingConfig = {
  title: 'NetworkingConfig',
  type: 'object',
  properties: {
    EndpointsConfig: {
      type: 'object',
      presence: 'echo',
      says: 'network names with the endpoint wanted on each',
      additionalProperties: {
        type: 'object',
        properties: {
          IPAMConfig: { $ref: ipamSettings, presence: 'echo' },
          Links: { type: 'array', items: { type: 'string' }, presence: 'echo' },
          Aliases: { type: 'array', items: { type: 'string' }, presence: 'echo' },
        },
      },
    },
  },
} as const satisfies Schema;

/** NetworkSettings of inspect (Document 1, Container inspect object). */
export const networkSettings = {
  title: 'NetworkSettings',
  type: 'object',
  properties: {
    Bridge: { presence: 'should', until: '1.23' },
    PortMapping: { type: anyType, presence: 'should', until: '1.20' },
    Ports: { presence: 'should' },
    Gateway: { presence: 'should', until: '1.51' },
    IPAddress: { presence: 'should', until: '1.51' },
    IPPrefixLen: { presence: 'should', until: '1.51' },
    MacAddress: { presence: 'should', until: '1.51' },
    SandboxID: { presence: 'should', since: '1.21' },
    HairpinMode: { type: 'boolean', presence: 'should', ...optionalLater, since: '1.21' },
    LinkLocalIPv6Address: { presence: 'should', since: '1.21', until: '1.23' },
    LinkLocalIPv6PrefixLen: { presence: 'should', since: '1.21', until: '1.23' },
    SandboxKey: { presence: 'should', since: '1.21' },
    SecondaryIPAddresses: { type: anyType, presence: 'should', since: '1.21', until: '1.23' },
    SecondaryIPv6Addresses: { type: anyType, presence: 'should', since: '1.21', until: '1.23' },
    EndpointID: { presence: 'should', since: '1.21', until: '1.51' },
    GlobalIPv6Address: { presence: 'should', since: '1.21', until: '1.51' },
    GlobalIPv6PrefixLen: { presence: 'should', since: '1.21', until: '1.51' },
    IPv6Gateway: { presence: 'should', since: '1.21', until: '1.51' },
    Networks: {
      type: 'object',
      presence: 'should',
      since: '1.21',
      says: 'network names with the endpoint on each',
      additionalProperties: { $ref: endpointSettings },
    },
  },
} as const satisfies Schema;
