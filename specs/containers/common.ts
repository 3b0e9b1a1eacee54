import type { Answer, Parameter } from '../endpoint.ts';

/** The path segment that names a container (Document 1, Conventions used by all endpoints). */
export const containerId = {
  in: 'path',
  required: true,
  schema: { type: 'string' },
  says: 'the identifier or the name of the container',
} as const satisfies Parameter;

/** How long stop and restart wait. */
export const secondsToWait = {
  in: 'query',
  schema: { type: 'integer' },
  says: 'seconds to wait before the container is killed',
} as const satisfies Parameter;

/** The signal that stop and restart send before they kill. */
export const stopSignal = {
  in: 'query',
  schema: { type: 'string' },
  says: 'the signal that is sent first, in place of the one of the container',
  since: '1.42',
} as const satisfies Parameter;

export const noSuchContainer = { says: 'there is no such container', body: 'text' } as const satisfies Answer;

export const badParameter = { says: 'a parameter is bad', body: 'text' } as const satisfies Answer;

/** The name of a container (Document 1, Limits). */
export const containerName = {
  in: 'query',
  schema: { type: 'string', pattern: '^/?[a-zA-Z0-9_-]+$' },
  says: 'the name of the container',
} as const satisfies Parameter;
