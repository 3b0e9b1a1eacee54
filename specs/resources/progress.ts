import type { Schema } from '../schema.ts';

/** Each member may be missing, but one must be present (interpretation `progress-members`). */
const member = { presence: 'optional', interpretations: ['progress-members'] } as const satisfies Schema;

const error = { ...member, type: 'string', says: 'what went wrong' } as const satisfies Schema;

const progress = {
  status: { ...member, type: 'string' },
  progress: { ...member, type: 'string' },
  progressDetail: {
    ...member,
    type: 'object',
    properties: { current: { ...member, type: 'integer' }, total: { ...member, type: 'integer' } },
  },
} as const satisfies Record<string, Schema>;

/** One object of the stream of a build (Document 1, Progress and error stream objects). */
export const buildObject = {
  title: 'BuildObject',
  type: 'object',
  minProperties: 1,
  properties: {
    stream: { ...member, type: 'string', says: 'output of the build' },
    error,
    errorDetail: {
      ...member,
      type: 'object',
      interpretations: ['build-errors'],
      properties: {
        code: { ...member, type: 'integer', interpretations: ['build-errors'] },
        message: { ...member, type: 'string', interpretations: ['build-errors'] },
      },
    },
  },
} as const satisfies Schema;

/** One object of the stream of a pull, an import or a push (Document 1, Progress and error stream objects). */
export const transferObject = {
  title: 'TransferObject',
  type: 'object',
  minProperties: 1,
  properties: { ...progress, error },
} as const satisfies Schema;

/** One object of the stream of a load (Document 1, Progress and error stream objects). */
export const loadObject = {
  title: 'LoadObject',
  type: 'object',
  minProperties: 1,
  properties: {
    ...progress,
    id: { ...member, type: 'string', says: 'the layer' },
    stream: { ...member, type: 'string', says: 'the result of the load' },
    error,
  },
} as const satisfies Schema;
