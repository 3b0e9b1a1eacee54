import { fieldDeviation, fieldIn } from '../../harness/expect/field-rule.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { type Holder, holdersOf, isObject } from '../../harness/streams/json-path.ts';
import type { Deviation } from '../../harness/verdict/outcomes.ts';
import { allRules, isFieldRule } from '../../specs/catalogue.ts';
import type { Endpoint } from '../../specs/endpoint.ts';
import type { FieldRule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { Finding } from './subject.ts';

const answerFields = allRules
  .filter(isFieldRule)
  .filter(({ id, level }) => id.includes('.field.') && level !== 'observe');

/** The rules for the fields in an endpoint's answers. */
export function fieldRulesOf({ id }: Endpoint): FieldRule[] {
  return answerFields.filter((rule) => rule.id.startsWith(`${id}.field.`));
}

/**
 * What the fields of an answer, or of one object of a stream, show about their rules. A present value is always judged.
 * A missing one is judged only where the field must always be there, whatever the request and the state of things.
 */
export function fieldFindings(rules: readonly FieldRule[], api: ApiVersion, json: JsonValue): Finding[] {
  const roots = Array.isArray(json) ? json : [json];
  return rules.flatMap((rule) => {
    if (!holdsIn(rule, api)) return [];
    const holders = roots.flatMap((root) => holdersOf(root, rule.field.path));
    const field = fieldIn(rule.field, api);
    const judged = isAlwaysThere({ ...rule, field })
      ? holders
      : holders.filter(hasValue).map((one) => withoutUnset(rule, one));
    if (judged.length === 0) return [];
    const deviation = fieldDeviation(judged, field);
    return [{ rule, ...(deviation && { deviation }) }];
  });
}

/** What an answer that is not JSON means for top-level fields that must never be missing. */
export function unreadableFields(rules: readonly FieldRule[], api: ApiVersion, deviation: Deviation): Finding[] {
  const top = rules.filter((rule) => holdsIn(rule, api) && isAlwaysThere(rule) && !/[.[{]/.test(rule.field.path));
  return top.map((rule) => ({ rule, deviation }));
}

/**
 * An empty value may be missing, at level `should` (interpretation `absent-when-empty`). For a container, an image or a
 * network, one exchange does not show whether it is empty; the daemon itself has all of them.
 */
function isAlwaysThere({ area, field: { schema } }: FieldRule): boolean {
  if (schema.when !== undefined) return false;
  return schema.presence === 'must' || (schema.presence === 'should' && area === 'system');
}

function hasValue({ object, name }: Holder): boolean {
  return Object.hasOwn(object, name) && object[name] !== null;
}

/**
 * A field that echoes an input is null for what was not set, also inside lists and maps (interpretation
 * `null-for-empty`).
 */
function withoutUnset({ field: { schema } }: FieldRule, { object, name }: Holder): Holder {
  return schema.presence === 'echo'
    ? { object: { [name]: withoutNulls(object[name] ?? null) }, name }
    : { object, name };
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(withoutNulls);
  if (!isObject(value)) return value;
  const set = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(set.map(([name, inner]) => [name, withoutNulls(inner)]));
}
