import { TransportError } from '../transport/errors.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Blocked, Deviation } from '../verdict/outcomes.ts';
import type { Shown } from '../verdict/shown.ts';
import type { Answered } from './exchange.ts';
import { Exchange } from './exchange.ts';

/**
 * A step that must succeed before a check can judge. When the daemon does not answer with one of the statuses, the rule
 * is blocked, not failed: `const created = await given(engine.post('/containers/create', …), 201)`.
 * @throws Blocked
 */
export async function given<A extends Answered>(step: Promise<A>, ...statuses: readonly number[]): Promise<A> {
  const answered = await settled(step, 'a step before the assertion');
  if (statuses.includes(answered.status)) return answered;
  currentJudgement().judged([answered.id]);
  throw new Blocked(
    `the setup step ${nameOf(answered)} answered ${said(answered)}; ${statuses.join(' or ')} was needed`,
    shownBy(answered, statuses),
  );
}

/**
 * The positive control of a refusal: the same request without its one defect has to succeed in the same run, as
 * otherwise the refusal proves nothing.
 * @throws Blocked
 */
export async function control<A extends Answered>(step: Promise<A>, ...statuses: readonly number[]): Promise<A> {
  const answered = await settled(step, 'the positive control');
  if (statuses.includes(answered.status)) return answered;
  currentJudgement().judged([answered.id]);
  throw new Blocked(
    `the positive control ${nameOf(answered)} answered ${said(answered)}; ${statuses.join(' or ')} was needed`,
    shownBy(answered, statuses),
  );
}

function shownBy({ id }: Answered, statuses: readonly number[]): { shown: Shown } {
  return { shown: { exchange: id, from: { part: 'status' }, wanted: { is: 'one-of', values: [...statuses] } } };
}

/** Waits for something that a check needs; a failure in it blocks the rule. @throws Blocked */
export async function settled<T>(step: Promise<T>, what: string): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof TransportError || error instanceof Deviation) {
      const shown = error instanceof Deviation ? error.shown : undefined;
      throw new Blocked(`${what} failed: ${error.message}`, { cause: error, shown });
    }
    throw error;
  }
}

function nameOf(answered: Answered): string {
  return `${answered.request.method} ${answered.request.path} (${answered.id})`;
}

/** `500 with "no such thing"` */
function said(answered: Answered): string {
  return answered instanceof Exchange ? answered.described.replace(/^status /, '') : `${answered.status}`;
}
