import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Result } from '../events.ts';
import type { Generated } from '../property/generation.ts';
import type { Redactor } from '../recording/redact.ts';
import type { Decision } from '../verdict/judge.ts';
import { type Shown, textsOf } from '../verdict/shown.ts';

/**
 * What is told of a decision. Every text in it may repeat what the daemon said, so none leaves without the redactor.
 * @param durationMs how long the check took, in milliseconds
 */
export function resultOf(
  rule: Rule,
  api: ApiVersion,
  decision: Decision,
  redactor: Redactor,
  durationMs: number,
): Result {
  const { verdict, level, evidence, assertions, generated, shown } = decision;
  return {
    rule: rule.id,
    api,
    kind: rule.kind,
    area: rule.area,
    ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }),
    verdict,
    level,
    reason: redactor.text(decision.reason),
    expected: redactor.text(decision.expected),
    actual: redactor.text(decision.actual),
    evidence,
    assertions,
    ...(generated && { generated: generatedWithout(generated, redactor) }),
    ...(shown && { shown: shownWithout(shown, redactor) }),
    durationMs,
  };
}

/** Its script sets secrets by the names of variables, which a redactor that goes by names would take for the secrets. */
function generatedWithout(generated: Generated, redactor: Redactor): Generated {
  const { input, steps, script } = generated;
  return {
    ...generated,
    input: redactor.known(input),
    steps: steps.map((step) => redactor.known(step)),
    script: redactor.known(script),
  };
}

/** A value with a secret in it is left out as a whole: nothing could be compared with the rest of it. */
function shownWithout(shown: Shown, redactor: Redactor): Shown {
  const isSecret = textsOf(shown.wanted).some((text) => redactor.text(text) !== text);
  return isSecret ? { exchange: shown.exchange } : shown;
}
