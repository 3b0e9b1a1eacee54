import { check, type SeenAnswer } from '../harness/check.ts';
import type { Engine } from '../harness/engine/engine.ts';
import { expectValue } from '../harness/expect/expect.ts';
import { answersStatus } from '../harness/faults/answers.ts';
import { onRepeats } from '../harness/faults/fault.ts';
import { requestMatcher } from '../harness/faults/faulty-transport.ts';
import { harmless, pathOfNothing } from '../harness/serving/harmless.ts';
import { TransportError } from '../harness/transport/errors.ts';
import { NotApplicable } from '../harness/verdict/outcomes.ts';
import { allRules, isRuleId } from '../specs/catalogue.ts';
import { type Endpoint, endpointTitle } from '../specs/endpoint.ts';

/** The only status that the documents have for server errors (Document 1, Errors). */
const serverError = 500;
/** Says that the daemon does not implement the request, and nothing about an error. */
const notImplemented = 501;

for (const { id, endpoint } of allRules) {
  if (!endpoint || !id.endsWith('.server-error-500') || !isRuleId(id)) continue;
  check(id, { faults: [onRepeats(answersStatus(503))], last: true }, async ({ engine, seen }) => {
    const before = seen().filter(requestMatcher(endpointTitle(endpoint)));
    const asked = await ask(engine, endpoint, timesToAsk(before));
    const answers = [...before, ...asked.answers];
    const errors = answers.filter(isServerError);
    if (errors.length === 0) {
      const but = asked.unanswered === undefined ? '' : `, but something was not answered: ${asked.unanswered}`;
      throw new NotApplicable(`nothing that the run asked of it was a server error${but}`);
    }
    // For a daemon that always answers the same, this proves nothing.
    if (answers.every(({ status }) => status === errors[0]?.status))
      throw new NotApplicable('it was answered with nothing but the same server error');
    expectServerErrors(errors);
  });
}

function isServerError({ status }: SeenAnswer): boolean {
  return status >= serverError && status !== notImplemented;
}

/** How often it is worth asking for what does not exist, after what the other checks were answered. */
function timesToAsk(before: readonly SeenAnswer[]): number {
  const errors = before.filter(isServerError).length;
  // Alone, a check has to see for itself whether answers differ.
  if (before.length === 0) return 2;
  return errors > 0 && errors < before.length ? 0 : 1;
}

interface Asked {
  readonly answers: readonly SeenAnswer[];
  /** Why there are fewer answers than requests, which other rules judge. */
  readonly unanswered?: string;
}

/** Requests something that does not exist, where the endpoint has such a request. */
async function ask(engine: Engine, { method, path }: Endpoint, times: number): Promise<Asked> {
  const here = pathOfNothing(path, engine);
  const options = harmless(`${method} ${path}`, engine);
  const answers: SeenAnswer[] = [];
  try {
    for (let time = 0; time < times; time++) {
      const { id, request, status } = await engine.request(method, here, options);
      answers.push({ id, method, path: request.path, status });
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { answers, unanswered: error.message };
  }
  return { answers };
}

/** Where a request is bad, the documents can be read to allow any refusal, so another status is only a should. */
function expectServerErrors(errors: readonly SeenAnswer[]): void {
  const others = errors.filter(({ status }) => status !== serverError);
  const decisive = others.length > 0 ? others : errors;
  const statuses = [...new Set(errors.map(({ status }) => status))];
  expectValue('the statuses of the server errors', statuses, decisive.slice(-1), {
    level: 'should',
  }).toBe([serverError]);
}
