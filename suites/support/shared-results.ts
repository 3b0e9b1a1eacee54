import { currentJudgement } from '../../harness/verdict/judgement.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';

/** Where several clients do something at the same time. */
export const withOthers = 'with other clients at the same time';

/** Where a container, an image or a network has been through the steps of other rules before. */
export const afterOthers = 'after other operations';

/** Where the body of a request has members for several rules. */
export const withOtherMembers = 'with other members in the body, too,';

/** Where it is nothing but the same, done for several rules. */
export const anotherTime = 'another time';

/** An exchange, finished or live. */
interface Seen {
  readonly id: string;
}

/** Where an answer is by itself what shows it. */
export const itself = <T>(shared: T): T => shared;

/**
 * What several rules share, if it is right for one of them. Otherwise the verdict says so: the rule is judged by itself then,
 * as another one may have caused it, and may be right.
 * @param where it was seen, in words
 * @param seen the exchanges that show it
 */
export function ifRight<T>(
  shared: T | undefined,
  isRight: (shared: T) => boolean,
  where: string,
  seen: (shared: T) => Seen | readonly Seen[],
): T | undefined {
  if (shared === undefined || isRight(shared)) return shared;
  tellOtherwise(where, ...[seen(shared)].flat());
  return undefined;
}

/** Has the verdict say that something that is right by itself was otherwise elsewhere. */
export function tellOtherwise(where: string, ...seen: readonly Seen[]): void {
  tell(
    `${where} it was otherwise`,
    seen.map(({ id }) => id),
  );
}

/** Has the verdict say that something was not judged, and why. */
export function tellUnjudged(what: string, why: string, ...seen: readonly Seen[]): void {
  tell(
    `${what} not judged: ${why}`,
    seen.map(({ id }) => id),
  );
}

/**
 * What was made; undefined when that failed, and then each rule is judged by itself. Where a step was not as it should be, the
 * verdict says so.
 */
export async function ifThere<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof NotApplicable) return undefined;
    if (!(error instanceof Blocked)) throw error;
    tell(`together with other rules, ${error.message}`, error.shown ? [error.shown.exchange] : []);
    return undefined;
  }
}

function tell(note: string, evidence: readonly string[]): void {
  const judgement = currentJudgement();
  judgement.judged(evidence);
  if (!judgement.notes.includes(note)) judgement.notes.push(note);
}
