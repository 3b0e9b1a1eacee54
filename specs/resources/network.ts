import type { Schema } from '../schema.ts';
import { ipamSettings } from './networking.ts';

const there = { presence: 'should' } as const satisfies Schema;
const stringMap = { type: 'object', additionalProperties: { type: 'string' } } as const satisfies Schema;
const text = { type: 'string', presence: 'echo' } as const satisfies Schema;
const asked = { type: 'boolean', presence: 'echo', since: '1.23' } as const satisfies Schema;

const ipam = {
  title: 'Ipam',
  type: 'object',
  properties: {
    Driver: { type: 'string', presence: 'should' },
    Config: {
      type: 'array',
      presence: 'should',
      items: {
        type: 'object',
        properties: {
          Subnet: { presence: 'echo' },
          IPRange: { presence: 'echo' },
          Gateway: { presence: 'echo' },
          AuxAddress: { presence: 'optional', interpretations: ['aux-address'] },
        },
      },
    },
    Options: { type: 'object', presence: 'echo', since: '1.23' },
  },
} as const satisfies Schema;

const container = {
  type: 'object',
  properties: {
    EndpointID: there,
    MacAddress: there,
    IPv4Address: there,
    IPv6Address: there,
  },
} as const satisfies Schema;

const fields = {
  Name: { presence: 'must' },
  Id: { presence: 'must' },
  Scope: { type: 'string', presence: 'should' },
  Driver: { presence: 'must' },
  IPAM: { $ref: ipam, presence: 'should' },
  Containers: {
    type: 'object',
    presence: 'should',
    says: 'identifiers of containers with the endpoint of each',
    additionalProperties: container,
  },
  Options: { ...stringMap, presence: 'should' },
  EnableIPv6: { type: 'boolean', presence: 'should', since: '1.23' },
  Internal: { type: 'boolean', presence: 'should', since: '1.23' },
} as const satisfies Record<string, Schema>;

/** One item of the network list (Document 1, Network). */
export const networkListItem = {
  title: 'NetworkListItem',
  type: 'object',
  properties: { ...fields, Containers: { ...fields.Containers, until: '1.27' } },
} as const satisfies Schema;

/** The answer of network inspect (Document 1, Network). */
export const networkInspect = {
  title: 'NetworkInspect',
  type: 'object',
  properties: {
    ...fields,
    Containers: {
      ...fields.Containers,
      additionalProperties: {
        ...container,
        properties: { ...container.properties, Name: { presence: 'should', since: '1.23' } },
      },
    },
    Labels: { type: 'object', presence: 'should', since: '1.23', additionalProperties: {} },
  },
} as const satisfies Schema;

/** The body of network create (Document 3, Networks). */
export const networkCreateBody = {
  title: 'NetworkCreateBody',
  type: 'object',
  properties: {
    Name: { ...text, presence: 'must', says: 'the name of the network' },
    CheckDuplicate: { type: 'boolean', presence: 'echo', default: false, says: 'names that are taken are looked for' },
    Driver: { ...text, default: 'bridge', says: 'the driver of the network' },
    IPAM: {
      type: 'object',
      presence: 'echo',
      properties: {
        Driver: { ...text, default: 'default', says: 'what gives out the addresses' },
        Config: {
          type: 'array',
          presence: 'echo',
          items: {
            type: 'object',
            properties: {
              Subnet: { ...text, says: 'in CIDR form' },
              IPRange: { ...text, says: 'in CIDR form' },
              Gateway: { ...text, says: 'an IP address' },
              AuxAddress: {
                presence: 'optional',
                level: 'observe',
                says: 'devices with their IP addresses',
                interpretations: ['aux-address'],
              },
            },
          },
        },
        Options: { type: 'object', presence: 'echo', since: '1.23', says: 'options of the driver' },
      },
    },
    Options: { type: 'object', presence: 'echo', says: 'options of the network driver' },
    Internal: { ...asked, says: 'nothing outside can be reached' },
    EnableIPv6: { ...asked, says: 'there are IPv6 addresses' },
    Labels: { ...stringMap, presence: 'echo', since: '1.23' },
  },
} as const satisfies Schema;

/** The answer of network create (Document 3, Networks). */
export const networkCreated = {
  title: 'NetworkCreated',
  type: 'object',
  properties: {
    Id: { type: 'string', presence: 'must' },
    Warning: { type: 'string', presence: 'should' },
  },
} as const satisfies Schema;

/** The body of network connect (Document 3, Networks). */
export const networkConnectBody = {
  title: 'NetworkConnectBody',
  type: 'object',
  properties: {
    Container: { ...text, presence: 'must', says: 'the identifier or name of the container' },
    EndpointConfig: {
      type: 'object',
      presence: 'echo',
      since: '1.23',
      properties: { IPAMConfig: { $ref: ipamSettings, presence: 'echo' } },
    },
  },
} as const satisfies Schema;

/** The body of network disconnect (Document 3, Networks). */
export const networkDisconnectBody = {
  title: 'NetworkDisconnectBody',
  type: 'object',
  properties: {
    Container: { ...text, presence: 'must', says: 'the identifier or name of the container' },
    Force: { ...asked, says: 'it is disconnected in any case' },
  },
} as const satisfies Schema;
