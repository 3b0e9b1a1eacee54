import type { Answer, Parameter } from '../endpoint.ts';

/** The path segment that names a volume (Document 1, Conventions used by all endpoints). */
export const volumeName = {
  in: 'path',
  required: true,
  schema: { type: 'string' },
  says: 'the name of the volume',
} as const satisfies Parameter;

export const serverError = { says: 'a server error', body: 'text' } as const satisfies Answer;
