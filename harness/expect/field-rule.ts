import { isFieldRule, isRuleId, rulebook } from '../../specs/catalogue.ts';
import { describe } from '../../specs/fields.ts';
import type { FieldRule } from '../../specs/rule.ts';
import { resolve, type Schema, schemaIn } from '../../specs/schema.ts';
import type { Level } from '../../specs/statement.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { JsonValue } from '../streams/json.ts';
import { type Holder, holdersOf, valuesAt } from '../streams/json-path.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Blocked, Deviation, NotApplicable } from '../verdict/outcomes.ts';
import { keptValue, type Shown, type Wanted } from '../verdict/shown.ts';
import { stepsTo } from './locate.ts';
import { hasOwnShape, withoutForm } from './own-shape.ts';
import { show } from './show.ts';

export interface FieldOptions {
  /**
   * The field echoes an input that was set explicitly, so it has to be present (interpretation `absent-when-empty`).
   */
  readonly set?: boolean;
  /** Which of the objects that may hold the field are judged; default: all. */
  readonly where?: (object: Readonly<Record<string, JsonValue>>) => boolean;
  /** Nothing made the daemon fill the list or map that would hold the field; an empty one gives no verdict. */
  readonly mayHoldNothing?: boolean;
}

/**
 * Judges one field of an answer: it is present where it has to be, and has its type. A list answer is judged item by
 * item.
 * @throws Blocked when the answer has no place that could hold the field; NotApplicable when that is allowed, or is
 * judged by the rule of the enclosing object
 * @throws Deviation of level `should` for a field that is absent or null where the documents are loose about it
 */
export function expectField(exchange: Exchange, rule: FieldRule, options: FieldOptions = {}): void {
  const { json } = exchange;
  const { field } = rule;
  const roots = Array.isArray(json) ? json : [json];
  const holders = roots
    .flatMap((root) => holdersOf(root, field.path))
    .filter(({ object }) => options.where?.(object) ?? true);
  const judgement = currentJudgement();
  if (holders.length === 0) {
    judgement.judged([exchange.id]);
    const absent = roots.map((root) => absentParent(root, rule, judgement.api)).find((parent) => parent !== undefined);
    if (absent) throw new NotApplicable(`${absent.field.path} is not in the answer, which is judged by ${absent.id}`);
    const reason = `the answer of ${exchange.id} has no place that could hold ${field.path}`;
    throw options.mayHoldNothing ? new NotApplicable(reason) : new Blocked(reason);
  }
  judgement.asserted([exchange.id]);
  const inVersion = fieldIn(field, judgement.api);
  const deviation = fieldDeviation(holders, inVersion, options.set);
  if (!deviation) return;
  const shown = shownField(exchange, holders, inVersion, options.set);
  throw new Deviation(deviation.expected, deviation.actual, deviation.level, deviation.rule, { shown });
}

/** The places of the deviating fields, and what would pass there. */
function shownField(exchange: Exchange, holders: readonly Holder[], field: FieldRule['field'], set = false): Shown {
  const wrong = holders.filter((holder) => deviationOf(holder, field, set));
  const [name = ''] = wrong.map((holder) => holder.name);
  const places = stepsTo(
    wrong.map(({ object }) => object),
    exchange.root,
  ).map((steps) => exchange.onWire([...steps, name]));
  const { schema } = field;
  const isForm = wrong.every(({ object }) => isOfType(schema, object[name]));
  const kept = keptValue(wrong[0]?.object[name]);
  const wanted: Wanted | undefined = isForm
    ? kept === undefined
      ? undefined
      : { is: 'other-than', value: kept }
    : { is: 'field', types: typesOf(schema), mayLack: levelOfAbsence(schema, set) === undefined };
  return { exchange: exchange.id, from: { part: 'json', at: places }, ...(wanted && { wanted }) };
}

/** The types that a field may have; empty: any. */
function typesOf(schema: Schema): readonly string[] {
  const { type, anyOf, items, additionalProperties } = resolve(schema);
  if (anyOf) return anyOf.flatMap((one) => typesOf(one));
  const own = type === undefined ? [] : typeof type === 'string' ? [type] : [...type];
  const inner = items ?? additionalProperties;
  const [innerType] = inner ? typesOf(inner) : [];
  return own.map((one) => ((one === 'array' || one === 'object') && innerType ? `${one} of ${innerType}` : one));
}

/** Whether a value has the type, so that only its form deviates. */
function isOfType(schema: Schema, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  const { pattern: _, format: __, ...rest } = resolve(schema);
  return hasOwnShape(rest, value);
}

/**
 * How a field deviates in the objects that may hold it; undefined when it does not.
 * @param set whether it echoes an input that was set explicitly
 */
export function fieldDeviation(
  holders: readonly Holder[],
  field: FieldRule['field'],
  set = false,
): Deviation | undefined {
  const deviations = holders.flatMap((holder) => deviationOf(holder, field, set) ?? []);
  // Items of a list may differ in how serious their deviation is.
  return deviations.find(({ level }) => level === 'must') ?? deviations[0];
}

/** A field as it stands in a version. */
export function fieldIn(field: FieldRule['field'], api: ApiVersion | undefined): FieldRule['field'] {
  return api === undefined ? field : { ...field, schema: schemaIn(field.schema, api) };
}

/** The outermost absent object around a field, if it may be absent: then the field has no verdict. */
function absentParent(
  root: JsonValue,
  { id, field: { path } }: FieldRule,
  api: ApiVersion | undefined,
): FieldRule | undefined {
  const steps = path.split('.');
  for (let length = 1; length < steps.length; length++) {
    const parentPath = steps
      .slice(0, length)
      .join('.')
      .replace(/(\[\]|\{\})+$/, '');
    if (valuesAt(root, parentPath).some((value) => value !== null)) continue;
    const parentId = id.slice(0, -path.length) + parentPath;
    const parent = isRuleId(parentId) ? rulebook[parentId] : undefined;
    return parent && isFieldRule(parent) && mayBeAbsent(parent.field, api) ? parent : undefined;
  }
  return undefined;
}

function mayBeAbsent(field: FieldRule['field'], api: ApiVersion | undefined): boolean {
  const { schema } = fieldIn(field, api);
  return schema.presence === 'should' || (schema.presence === 'optional' && schema !== field.schema);
}

function deviationOf({ object, name }: Holder, field: FieldRule['field'], set: boolean): Deviation | undefined {
  const value = object[name];
  const expected = `${field.path}: ${describe(field.schema) || 'any value'}`;
  if (value === undefined || (value === null && !allowsNull(field.schema))) {
    const level = levelOfAbsence(field.schema, set);
    if (level === undefined) return undefined;
    return new Deviation(expected, value === null ? 'null' : `no ${field.path}`, level);
  }
  if (hasOwnShape(field.schema, value)) return undefined;
  // The format of a timestamp is not stated (interpretation `string-timestamp`); a token's has its own rule.
  const isText = hasOwnShape(withoutForm(field.schema), value);
  return new Deviation(expected, show(value), isText ? 'should' : 'must');
}

function allowsNull(schema: Schema): boolean {
  const { type } = resolve(schema);
  return Array.isArray(type) ? type.includes('null') : type === 'null';
}

/** The level of a deviation where a field is absent or null; undefined where that passes. */
function levelOfAbsence({ presence }: Schema, set: boolean): Level | undefined {
  if (presence === 'must') return 'must';
  if (presence === 'should') return 'should';
  return presence === 'echo' && set ? 'must' : undefined;
}
