import type { JsonSchema } from '../../specs/derive.ts';

/** Schemas by name. */
export type Schemas = { readonly [name: string]: JsonSchema };

/** The schema that a keyword holds; undefined where it is absent, or not a schema. */
export function schemaIn(schema: JsonSchema, keyword: string): JsonSchema | undefined {
  const inner = schema[keyword];
  return isSchema(inner) ? inner : undefined;
}

/** The schemas that a keyword holds by name; none where it is absent. */
export function schemasIn(schema: JsonSchema, keyword: string): Schemas {
  const inner = Object.entries(schemaIn(schema, keyword) ?? {});
  return Object.fromEntries(inner.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])));
}

/** The required members of an object. */
export function requiredIn({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
