import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Result } from '../events.ts';
import type { Generated } from '../property/generation.ts';
import type { Redactor } from '../recording/redact.ts';
import type { Decision } from '../verdict/judge.ts';
import { byRole, type KnownNames } from '../verdict/roles.ts';
import { type Shown, textsOf as textsOfWanted } from '../verdict/shown.ts';

/**
 * A decision as a result. Every text in it may repeat what the daemon said, so all of them pass through the redactor.
 * Texts of a deviation name things by their roles.
 * @param durationMs how long the check took, in milliseconds
 * @param known the run's names for what it makes
 */
export function resultOf(
  rule: Rule,
  api: ApiVersion,
  decision: Decision,
  redactor: Redactor,
  durationMs: number,
  known: KnownNames,
): Result {
  const { verdict, level, evidence, assertions, generated, shown } = decision;
  const { texts, names } = textsOf(decision, redactor, known);
  return {
    rule: rule.id,
    api,
    kind: rule.kind,
    area: rule.area,
    ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }),
    verdict,
    level,
    ...texts,
    ...(Object.keys(names).length > 0 && { names }),
    evidence,
    assertions,
    ...(generated && { generated: generatedWithout(generated, redactor) }),
    ...(shown && { shown: shownWithout(shown, redactor) }),
    durationMs,
  };
}

function textsOf({ verdict, expected, actual, reason, evidence }: Decision, redactor: Redactor, known: KnownNames) {
  const clean = [expected, actual, reason].map((text) => redactor.text(text));
  const isDeviation = verdict === 'fail' || verdict === 'blocked';
  const { texts, names } = isDeviation ? byRole(clean, known, evidence) : { texts: clean, names: {} };
  const [ofExpected = '', ofActual = '', ofReason = ''] = texts;
  return { texts: { reason: ofReason, expected: ofExpected, actual: ofActual }, names };
}

/** Its script assigns secrets to variables, which a redactor that goes by names would take for secrets. */
function generatedWithout(generated: Generated, redactor: Redactor): Generated {
  const { input, steps, script } = generated;
  return {
    ...generated,
    input: redactor.known(input),
    steps: steps.map((step) => redactor.known(step)),
    script: redactor.known(script),
  };
}

/** A value that contains a secret is left out entirely, as the rest could not be compared with anything. */
function shownWithout(shown: Shown, redactor: Redactor): Shown {
  const isSecret = textsOfWanted(shown.wanted).some((text) => redactor.text(text) !== text);
  return isSecret ? { exchange: shown.exchange } : shown;
}
