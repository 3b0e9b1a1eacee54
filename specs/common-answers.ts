import type { Answer } from './endpoint.ts';

/** The listed status 500, the same for every endpoint. */
export const serverError = { says: 'a server error', body: 'text' } as const satisfies Answer;
