import type { Schema } from '../schema.ts';

/** A mount of a container (Document 1, Container list item). */
export const mount = {
  title: 'Mount',
  type: 'object',
  properties: {
    Name: {
      presence: 'must',
      when: 'when it is the mount of a volume',
      since: '1.23',
      interpretations: ['mount-name-driver'],
    },
    Driver: {
      presence: 'must',
      when: 'when it is the mount of a volume',
      since: '1.23',
      interpretations: ['mount-name-driver'],
    },
    Propagation: { presence: 'should', since: '1.23' },
    Source: { presence: 'should' },
    Destination: { presence: 'must' },
    Mode: { type: 'string', presence: 'should' },
    RW: { type: 'boolean', presence: 'must' },
  },
} as const satisfies Schema;
