import type { Answer, Parameter } from '../endpoint.ts';
import type { RuleData } from '../rule.ts';

/** The path segment that names a network (Document 1, Conventions used by all endpoints). */
export const networkId = {
  in: 'path',
  required: true,
  schema: { type: 'string' },
  says: 'the identifier or the name of the network',
} as const satisfies Parameter;

export const noSuchNetwork = { says: 'there is no such network', body: 'text' } as const satisfies Answer;

export const unknownNetworkRule = {
  kind: 'status',
  says: 'answers 404 when there is no such network',
} as const satisfies RuleData;

export const networkIdRule = {
  kind: 'parameter',
  says: 'finds the network by its identifier and by its name',
  source: [1, 'Conventions used by all endpoints'],
  row: 'exec_id, volume_name, network_id_or_name',
} as const satisfies RuleData;
