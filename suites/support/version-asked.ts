import { doneOnce } from './done-once.ts';

/** What the daemon tells of its version, asked in the version that is judged. */
export const askedVersion = doneOnce('an answer to a question for the version', ({ engine }) => engine.get('/version'));
