import type { Answered } from '../../../harness/engine/exchange.ts';
import { expect } from '../../../harness/expect/expect.ts';

/** Neither a letter nor `ctrl-` with one of the listed values (Document 1, Limits). */
export const noKeys = ['ctrl-1', 'ctrl-'];

/**
 * A single character, which the documents allow, but not one of their letters, whose range they write loosely as
 * `[a-Z]`.
 */
const noLetter = '1';

/**
 * What they call bad is refused. That the status is 400 and not another listed one (`bad-parameter`) is a weaker
 * demand.
 */
export async function expectKeysRefused(attach: (detachKeys: string) => Promise<Answered>): Promise<void> {
  const answers: Answered[] = [];
  for (const detachKeys of noKeys) answers.push(await attach(detachKeys));
  for (const answer of answers) expect(answer).toBeRefused();
  for (const answer of [...answers, await attach(noLetter)]) expect(answer, { level: 'should' }).toHaveStatus(400);
}
