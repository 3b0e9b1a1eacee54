import type { Answer, Parameter } from '../endpoint.ts';
import type { RuleData } from '../rule.ts';

/** The path segment that names an exec instance (Document 1, Conventions used by all endpoints). */
export const execId = {
  in: 'path',
  required: true,
  schema: { type: 'string' },
  says: 'the identifier of the exec instance',
} as const satisfies Parameter;

export const noSuchExec = { says: 'there is no such exec instance', body: 'text' } as const satisfies Answer;

export const pausedContainer = {
  says: 'the container is paused',
  body: 'text',
  since: '1.21',
} as const satisfies Answer;

export const unknownExecRule = {
  kind: 'status',
  says: 'answers 404 when there is no exec instance with that id',
} as const satisfies RuleData;

export const execIdRule = {
  kind: 'parameter',
  says: 'finds the exec instance by its id',
  source: [1, 'Conventions used by all endpoints'],
  row: 'exec_id, volume_name, network_id_or_name',
  needs: ['containers-run'],
} as const satisfies RuleData;
