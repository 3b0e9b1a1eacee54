import { optionalLater, type Schema } from '../schema.ts';

const stringMap = { type: 'object', additionalProperties: { type: 'string' } } as const satisfies Schema;

/** A volume (Document 1, Volume). */
export const volume = {
  title: 'Volume',
  type: 'object',
  properties: {
    Name: { type: 'string', presence: 'must' },
    Driver: { type: 'string', presence: 'must' },
    Mountpoint: { type: 'string', presence: 'should' },
    Labels: { ...stringMap, presence: 'should', ...optionalLater, since: '1.23' },
  },
} as const satisfies Schema;

/** The answer of the volume list (Document 1, Volume). */
export const volumeList = {
  title: 'VolumeList',
  type: 'object',
  properties: {
    Volumes: { type: 'array', items: { $ref: volume }, presence: 'should', interpretations: ['null-for-empty'] },
    Warnings: {
      type: 'array',
      presence: 'should',
      ...optionalLater,
      since: '1.23',
      interpretations: ['null-for-empty'],
    },
  },
} as const satisfies Schema;

/** The body of volume create (Document 3, Volumes). */
export const volumeCreateBody = {
  title: 'VolumeCreateBody',
  type: 'object',
  properties: {
    Name: { type: 'string', presence: 'echo', says: 'the name of the volume' },
    Driver: { type: 'string', presence: 'echo', default: 'local', says: 'the driver of the volume' },
    DriverOpts: {
      type: 'object',
      presence: 'echo',
      interpretations: ['volume-options'],
      says: 'options of the driver',
    },
    Labels: { ...stringMap, presence: 'echo', since: '1.23' },
  },
} as const satisfies Schema;
