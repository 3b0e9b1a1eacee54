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

/** The rules on the fields of what an endpoint answers. */
export function fieldRulesOf({ id }: Endpoint): FieldRule[] {
  return answerFields.filter((rule) => rule.id.startsWith(`${id}.field.`));
}

/**
 * What the fields of an answer, or of one object of a stream, say of their rules. A value that is there is always
 * judged. That one is missing is judged where it may never be, whatever was asked for and whatever state things are in.
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

/** What an answer that is no JSON is to the fields that may never be missing at its top. */
export function unreadableFields(rules: readonly FieldRule[], api: ApiVersion, deviation: Deviation): Finding[] {
  const top = rules.filter((rule) => holdsIn(rule, api) && isAlwaysThere(rule) && !/[.[{]/.test(rule.field.path));
  return top.map((rule) => ({ rule, deviation }));
}

/**
 * A value may be missing where it is empty, at the weight of `should` (interpretation `absent-when-empty`). Of a
 * container, an image or a network one exchange does not tell whether it is; the daemon itself has all of them.
 */
function isAlwaysThere({ area, field: { schema } }: FieldRule): boolean {
  if (schema.when !== undefined) return false;
  return schema.presence === 'must' || (schema.presence === 'should' && area === 'system');
}

function hasValue({ object, name }: Holder): boolean {
  return Object.hasOwn(object, name) && object[name] !== null;
}

/** What echoes an input has null for what was not set, also inside lists and maps (interpretation `null-for-empty`). */
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
