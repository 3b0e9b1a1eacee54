import fc from 'fast-check';
import type { JsonSchema } from '../../specs/derive.ts';
import { requiredIn, type Schemas, schemaIn, schemasIn } from './json-schema.ts';

const anyJson: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 1 });

/**
 * Values that a derived schema accepts. Optional fields are sometimes missing, objects sometimes have a field that the
 * schema does not name, and integers exceed 2^53 where they are unbounded.
 * @throws for a keyword that derived schemas do not have
 */
export function samplesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return sample(schema, definitionsOf(schema));
}

/** The `$defs` of a derived schema. */
export function definitionsOf(schema: JsonSchema): Schemas {
  return schemasIn(schema, '$defs');
}

/** The schema that a reference points to; the schema itself where it is none. */
export function dereferenced(schema: JsonSchema, definitions: Schemas): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const title = schema.$ref.replace('#/$defs/', '');
  const target = definitions[title];
  if (!target) throw new Error(`the schema refers to ${title}, which is not defined`);
  return dereferenced(target, definitions);
}

/** The types that a schema names; none where it accepts any. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : [];
}

function sample(reference: JsonSchema, definitions: Schemas): fc.Arbitrary<unknown> {
  const schema = dereferenced(reference, definitions);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((one: JsonSchema) => sample(one, definitions)));
  const types = typesOf(schema);
  if (types.length === 0) return schema.not ? anyJson.filter((value) => value !== null) : anyJson;
  // Null is the last of the types, and is rarely the value.
  const weights = types.map((type) => ({
    arbitrary: ofType(type, schema, definitions),
    weight: type === 'null' ? 1 : 5,
  }));
  return fc.oneof(...weights);
}

function ofType(type: string, schema: JsonSchema, definitions: Schemas): fc.Arbitrary<unknown> {
  const items = schemaIn(schema, 'items');
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return integers(schema);
    case 'string':
      return strings(schema, definitions);
    case 'array':
      return fc.array(items ? sample(items, definitions) : anyJson, { maxLength: 3 });
    case 'object':
      return objects(schema, definitions);
    default:
      throw new Error(`there is no JSON type ${type}`);
  }
}

function integers({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const [least, most] = [numberOr(minimum, -1_000_000), numberOr(maximum, Number.MAX_SAFE_INTEGER)];
  const within = fc.oneof(fc.integer({ min: least, max: most }), fc.constantFrom(least, most));
  // Unix nanoseconds and limits without a bound: integers beyond the precision of doubles.
  return maximum === undefined ? fc.oneof({ arbitrary: within, weight: 9 }, fc.constantFrom(2 ** 60, 2 ** 63)) : within;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function strings(schema: JsonSchema, definitions: Schemas): fc.Arbitrary<string> {
  const { pattern, format, contentEncoding } = schema;
  const contentSchema = schemaIn(schema, 'contentSchema');
  if (contentSchema) {
    return sample(contentSchema, definitions).map((value) => encoded(value, contentEncoding));
  }
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  return typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern)) : fc.string({ unit: 'grapheme' });
}

/** JSON as it is encoded in a header or parameter. */
function encoded(value: unknown, encoding: unknown): string {
  const json = JSON.stringify(value);
  if (encoding === 'base64' || encoding === 'base64url') return Buffer.from(json).toString(encoding);
  return json;
}

/** Made once, as it takes milliseconds, and a schema can describe a hundred objects. */
const memberNames = fc.stringMatching(/^[a-z][a-z0-9./-]{0,11}$/);

function objects(schema: JsonSchema, definitions: Schemas): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries(schemasIn(schema, 'properties'));
  const least = numberOr(schema.minProperties, 0);
  const known = fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, sample(property, definitions)])),
    { requiredKeys: requiredIn(schema) },
  );
  const values = schemaIn(schema, 'additionalProperties');
  const names = memberNames.filter((name) => !properties.some(([one]) => one === name));
  const others = values
    ? fc.dictionary(names, sample(values, definitions), { maxKeys: 3, minKeys: properties.length > 0 ? 0 : least })
    : fc.dictionary(names, anyJson, { maxKeys: 1 });
  return fc
    .tuple(known, others)
    .map(([one, other]) => ({ ...one, ...other }))
    .filter((object) => Object.keys(object).length >= least);
}
