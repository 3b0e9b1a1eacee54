import type { Schema } from '../schema.ts';

/** One object of the event stream (Document 1, Events). */
export const event = {
  title: 'Event',
  type: 'object',
  properties: {
    status: {
      type: 'string',
      until: '1.51',
      presence: 'must',
      when: 'on events of containers and images',
      says: 'the kind of event',
      interpretations: ['event-text'],
    },
    id: {
      type: 'string',
      until: '1.51',
      presence: 'must',
      when: 'on events of containers and images',
      says: 'the identifier of the container or image, or the reference of a pulled image',
    },
    from: {
      type: 'string',
      until: '1.51',
      presence: 'must',
      when: 'on events of containers',
      says: 'the image of the container',
    },
    time: { type: 'integer', presence: 'must', says: 'UNIX seconds' },
    timeNano: {
      type: 'integer',
      presence: 'must',
      since: '1.21',
      says: 'UNIX nanoseconds',
      interpretations: ['big-integers'],
    },
    Type: { type: 'string', presence: 'must', since: '1.23', says: 'container, image, volume or network' },
    Action: {
      type: 'string',
      presence: 'must',
      since: '1.23',
      says: 'the kind of event',
      interpretations: ['event-text'],
    },
    Actor: {
      type: 'object',
      presence: 'must',
      since: '1.23',
      properties: {
        ID: { type: 'string', presence: 'must' },
        Attributes: { type: 'object', additionalProperties: { type: 'string' }, presence: 'should' },
      },
    },
  },
} as const satisfies Schema;
