import { doneOnce } from './done-once.ts';

/** What the daemon tells of itself in `/info`, asked in the version that is judged. */
export const askedInfo = doneOnce('an answer to a question for the information', ({ engine }) => engine.get('/info'));
