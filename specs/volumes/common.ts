import type { Parameter } from '../endpoint.ts';

/** The path segment that names a volume (Document 1, Conventions used by all endpoints). */
export const volumeName = {
  in: 'path',
  required: true,
  schema: { type: 'string' },
  says: 'the name of the volume',
} as const satisfies Parameter;
