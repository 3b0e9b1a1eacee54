import { describe } from '../../specs/fields.ts';
import { resolve, type Schema } from '../../specs/schema.ts';
import { versionBefore } from '../../specs/versions.ts';
import { type JsonValue, writeJson } from '../streams/json.ts';
import { holdersOf } from '../streams/json-path.ts';
import { changesJson } from './answers.ts';
import type { Fault } from './fault.ts';

/** Leaves a field out wherever the answer has it. */
export function dropsField(path: string): Fault {
  return changesJson(`drops ${path}`, (json) => editField(json, path, () => undefined));
}

/** Gives a field another value. */
export function setsField(path: string, value: JsonValue): Fault {
  return changesJson(`answers ${path} as ${JSON.stringify(value)}`, (json) => editField(json, path, () => value));
}

/** Gives a field another value where it has a certain one. */
export function setsFieldWhere(path: string, is: JsonValue, value: JsonValue): Fault {
  return changesJson(`answers ${path} as ${JSON.stringify(value)} where it is ${writeJson(is)}`, (json) =>
    editField(json, path, (one) => (isSame(one, is) ? value : one)),
  );
}

/** Gives a field a value that its schema does not allow; undefined when the schema allows every value. */
export function retypesField(path: string, schema: Schema): Fault | undefined {
  const wrong = wrongValue(schema);
  if (wrong === undefined) return undefined;
  const name = `answers ${path} as ${JSON.stringify(wrong)} and not as ${describe({ ...schema, says: '' })}`;
  return changesJson(name, (json) => editField(json, path, () => wrong));
}

/** Like `retypesField`, but leaves a field alone where it has the known value. */
export function retypesOthers(path: string, schema: Schema, known: JsonValue): Fault | undefined {
  const wrong = wrongValue(schema);
  if (wrong === undefined) return undefined;
  return changesJson(`answers ${path} as ${JSON.stringify(wrong)} where it is not ${writeJson(known)}`, (json) =>
    editField(json, path, (value) => (isSame(value, known) ? value : wrong)),
  );
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  return one !== undefined && writeJson(one) === writeJson(other);
}

/** Gives a field a value of its type that its schema does not allow; undefined when the schema allows all of them. */
function strangeField(path: string, schema: Schema): Fault | undefined {
  const { enum: values, items } = resolve(schema);
  const pattern = items && resolve(items).pattern;
  if (pattern !== undefined && !new RegExp(pattern).test('ec-other')) return setsField(path, ['ec-other']);
  if (values === undefined) return undefined;
  const strange = values.every((value) => typeof value === 'number') ? Math.max(...values.map(Number)) + 1 : 'ec-other';
  return setsField(path, strange);
}

/** The faults of one field rule: the field is missing, of the wrong type, or has a value that is not listed. */
export function fieldFaults(path: string, schema: Schema): Fault[] {
  const retyped = retypesField(path, schema);
  const { later } = schema;
  // Where later versions let a field be absent, that is not a fault in them.
  const until = later?.presence === 'optional' ? versionBefore(later.since) : undefined;
  const strange = strangeField(path, schema);
  return [
    { ...dropsField(path), ...(until && { until }) },
    ...(retyped ? [retyped] : []),
    ...(strange ? [strange] : []),
  ];
}

function editField(
  json: JsonValue,
  path: string,
  edit: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue {
  const copy = structuredClone(json);
  // The answer of a list endpoint has the fields in its items.
  for (const root of Array.isArray(copy) ? copy : [copy]) {
    for (const { object, name } of holdersOf(root, path)) {
      const value = edit(object[name]);
      if (value === undefined) delete object[name];
      else object[name] = value;
    }
  }
  return copy;
}

const samples: readonly JsonValue[] = ['of the wrong type', 7.5, true, ['of the wrong type'], { wrong: ['type'] }];

function wrongValue(schema: Schema): JsonValue | undefined {
  const { type, anyOf } = resolve(schema);
  const types: readonly string[] = [type ?? [], (anyOf ?? []).map((one) => resolve(one).type ?? [])].flat(3);
  if (types.length === 0) return undefined;
  return samples.find((sample) => !types.includes(typeName(sample)));
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
