import { resolve, type Schema } from '../../specs/schema.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { JsonValue } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';

/** The members of an answer that its schema does not name in this version, in words (interpretation `open-objects`). */
export function undocumentedFields(answer: JsonValue, schema: Schema, api: ApiVersion): string {
  return undocumentedInWords(undocumentedPaths(answer, schema, api));
}

/** Paths of undocumented members in the words of a rule's observation. */
export function undocumentedInWords(paths: readonly string[]): string {
  const fields = [...paths].sort();
  return fields.length === 0 ? 'has no undocumented fields' : `has the undocumented fields ${fields.join(', ')}`;
}

/** The paths of the members of a JSON value that its schema does not name in this version, without duplicates. */
export function undocumentedPaths(value: JsonValue, schema: Schema, api: ApiVersion): string[] {
  return [...new Set(unknownIn(value, schema, api, ''))];
}

function unknownIn(value: JsonValue, schema: Schema, api: ApiVersion, path: string): string[] {
  const { properties, items, additionalProperties } = resolve(schema);
  if (Array.isArray(value)) return items ? value.flatMap((item) => unknownIn(item, items, api, `${path}[]`)) : [];
  if (!isObject(value)) return [];
  if (additionalProperties) {
    return Object.values(value).flatMap((inner) => unknownIn(inner, additionalProperties, api, `${path}{}`));
  }
  if (!properties) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const known = properties[name];
    return known && holdsIn(known, api) ? unknownIn(inner, known, api, at) : [at];
  });
}
