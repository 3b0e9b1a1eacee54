import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { resolve, type Schema } from '../../specs/schema.ts';
import type { JsonValue } from '../streams/json.ts';

/** The kit's tests validate the schemas; to do so in each command, Ajv compiles the schema of schemas first. */
const ajv = new Ajv2020({ allowUnionTypes: true, validateSchema: false });
formats.default(ajv);
const bySchema = new WeakMap<Schema, ValidateFunction>();
/** Hundreds of fields have one of a few shapes, and compiling is slow. */
const byShape = new Map<string, ValidateFunction>();

/**
 * Whether a value has the shape that its field's schema gives it, ignoring the fields inside it, which have their own
 * rules.
 */
export function hasOwnShape(schema: Schema, value: JsonValue): boolean {
  const validate = bySchema.get(schema) ?? validatorOf(ownShape(schema));
  bySchema.set(schema, validate);
  return validate(withPlainNumbers(value));
}

function validatorOf(shape: object): ValidateFunction {
  const key = JSON.stringify(shape);
  const validate = byShape.get(key) ?? ajv.compile(shape);
  byShape.set(key, validate);
  return validate;
}

/** The same schema without the format of its strings: a string that only violates the format is still a string. */
export function withoutForm(schema: Schema): Schema {
  const { format, ...rest } = resolve(schema);
  return format === undefined ? schema : rest;
}

/** The JSON Schema of a field without the fields inside it and without the contract's annotations. */
function ownShape(schema: Schema): object {
  const { type, enum: values, items, additionalProperties, anyOf, pattern, format, properties } = resolve(schema);
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
    ...(items && { items: ownShape(items) }),
    ...(additionalProperties && !properties && { additionalProperties: ownShape(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(ownShape) }),
  };
}

/** Ajv does not know bigint; an integer beyond 2^53 is still an integer when rounded. */
function withPlainNumbers(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlainNumbers(inner)]));
}
