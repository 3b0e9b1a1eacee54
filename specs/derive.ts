import { answerOf, type Endpoint } from './endpoint.ts';
import { type JsonType, resolve, type Schema, schemaIn } from './schema.ts';
import { type ApiVersion, holdsIn } from './versions.ts';

/** A JSON Schema 2020-12 document, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

type Definitions = Map<string, JsonSchema>;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The JSON Schema 2020-12 of a schema in one version. It has only the fields of that version; fields with presence
 * `must` are required and not null, all others may be null; further fields are allowed. Referenced schemas are in
 * `$defs` under their titles.
 */
export function schemaFor(schema: Schema, api: ApiVersion): JsonSchema {
  const definitions: Definitions = new Map();
  const top = convert(resolve(schema), api, definitions);
  return {
    $schema: dialect,
    ...top,
    ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }),
  };
}

/** The JSON Schema of an endpoint's answer with a status; undefined when the answer has no JSON, or is not listed. */
export function answerSchema(endpoint: Endpoint, status: number, api: ApiVersion): JsonSchema | undefined {
  const schema = answerOf(endpoint, status, api)?.schema;
  return schema && schemaFor(schema, api);
}

/** Every schema of the endpoints that has a title, outer ones first; only those of one version if one is given. */
export function titledSchemas(endpoints: readonly Endpoint[], api?: ApiVersion): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  const collect = (schema: Schema | undefined): void => {
    if (
      !schema ||
      (api !== undefined && !holdsIn(schema, api)) ||
      (schema.title !== undefined && found.has(schema.title))
    )
      return;
    if (schema.title !== undefined) found.set(schema.title, schema);
    for (const inner of innerSchemas(schema)) collect(inner);
  };
  for (const { parameters, body, answers } of endpoints) {
    for (const parameter of Object.values(parameters)) collect(parameter.schema);
    collect(body?.schema);
    for (const answer of Object.values(answers).flat()) {
      collect(answer.schema);
      for (const header of Object.values(answer.headers ?? {})) collect(header);
    }
  }
  return found;
}

function innerSchemas({ $ref, properties, items, additionalProperties, anyOf, contentSchema }: Schema): Schema[] {
  const inner = [$ref, items, additionalProperties, contentSchema].filter((schema) => schema !== undefined);
  return [...Object.values(properties ?? {}), ...inner, ...(anyOf ?? [])];
}

/** One schema without the annotations of the contract; the schemas it refers to go to the definitions. */
function convert(schema: Schema, api: ApiVersion, definitions: Definitions): JsonSchema {
  if (schema.$ref) return refer(schema.$ref, api, definitions);
  const { title, anyOf, items, additionalProperties, properties, contentSchema } = schema;
  const inside = (inner: Schema): JsonSchema => convert(inner, api, definitions);
  return {
    ...(title !== undefined && { title }),
    ...typed(schema),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(items && { items: inside(items) }),
    ...(additionalProperties && { additionalProperties: inside(additionalProperties) }),
    ...(properties && convertProperties(properties, api, definitions)),
    ...pick(schema, ['minProperties', 'default', 'contentMediaType', 'contentEncoding']),
    ...(contentSchema && { contentSchema: inside(contentSchema) }),
  };
}

function refer(target: Schema, api: ApiVersion, definitions: Definitions): JsonSchema {
  const { title } = target;
  if (title === undefined) return convert(target, api, definitions);
  if (!definitions.has(title)) {
    // Entered before it is filled, so that outer definitions precede inner ones.
    definitions.set(title, {});
    definitions.set(title, convert(target, api, definitions));
  }
  return { $ref: `#/$defs/${title}` };
}

function convertProperties(
  properties: Readonly<Record<string, Schema>>,
  api: ApiVersion,
  definitions: Definitions,
): JsonSchema {
  const present = Object.entries(properties)
    .filter(([, property]) => holdsIn(property, api))
    .map(([name, property]) => [name, schemaIn(property, api)] as const);
  const required = present.filter(([, property]) => isRequired(property)).map(([name]) => name);
  return {
    properties: Object.fromEntries(
      present.map(([name, property]) => [name, convertProperty(property, api, definitions)]),
    ),
    ...(required.length > 0 && { required }),
  };
}

function isRequired({ presence, when }: Schema): boolean {
  return presence === 'must' && when === undefined;
}

function convertProperty(property: Schema, api: ApiVersion, definitions: Definitions): JsonSchema {
  const converted = convert(property, api, definitions);
  const description = property.says === undefined ? {} : { description: property.says };
  return { ...(isRequired(property) ? withoutNull(converted, property) : orNull(converted)), ...description };
}

/** A field without a type may be anything, but a required one must not be null. */
function withoutNull(converted: JsonSchema, property: Schema): JsonSchema {
  const { type, anyOf } = resolve(property);
  return type === undefined && anyOf === undefined ? { ...converted, not: { type: 'null' } } : converted;
}

function orNull(converted: JsonSchema): JsonSchema {
  const { type, anyOf, $ref, enum: values, default: assumed, ...others } = converted;
  const defaults = assumed === undefined ? {} : { default: assumed };
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: 'null' }] };
  if (Array.isArray(anyOf)) return { ...others, ...defaults, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string') return converted;
  const orNullValues = Array.isArray(values) ? { enum: [...values, null] } : {};
  return { type: [type, 'null'], ...orNullValues, ...others, ...defaults };
}

/** The keywords of one type. Several types become `anyOf`, each with the keywords that apply to it. */
function typed(schema: Schema): JsonSchema {
  const types = [schema.type ?? []].flat();
  const [only, ...others] = types;
  if (only === undefined) return {};
  if (others.length === 0) return { type: only, ...keywordsOf(schema, only) };
  if (types.length === 2 && types.includes('null')) return { type: types };
  return { anyOf: types.map((type) => ({ type, ...keywordsOf(schema, type) })) };
}

function keywordsOf(schema: Schema, type: JsonType): JsonSchema {
  if (type === 'string') return pick(schema, ['enum', 'pattern', 'format']);
  if (type === 'integer' || type === 'number') return pick(schema, ['enum', 'minimum', 'maximum']);
  return {};
}

function pick(schema: Schema, keywords: readonly (keyof Schema)[]): JsonSchema {
  const present = keywords.filter((keyword) => schema[keyword] !== undefined);
  return Object.fromEntries(present.map((keyword) => [keyword, schema[keyword]]));
}
