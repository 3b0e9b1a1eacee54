import type { Answer } from '../endpoint.ts';

export const serverError = { says: 'a server error', body: 'text' } as const satisfies Answer;
