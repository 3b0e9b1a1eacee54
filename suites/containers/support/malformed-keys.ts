import type { Answered } from '../../../harness/engine/exchange.ts';
import { expect } from '../../../harness/expect/expect.ts';

/** Neither a letter nor `ctrl-` with one of the values that there are (Document 1, Limits). */
export const noKeys = ['ctrl-1', 'ctrl-'];

/** A single character, which the documents allow, but none of their letters, whose range `[a-Z]` they write loosely. */
const noLetter = '1';

/** What they say is bad is refused; that it is so with 400 and not with another listed status (`bad-parameter`) weighs less. */
export async function expectKeysRefused(attach: (detachKeys: string) => Promise<Answered>): Promise<void> {
  const answers: Answered[] = [];
  for (const detachKeys of noKeys) answers.push(await attach(detachKeys));
  for (const answer of answers) expect(answer).toBeRefused();
  for (const answer of [...answers, await attach(noLetter)]) expect(answer, { level: 'should' }).toHaveStatus(400);
}
