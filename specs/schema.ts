import type { InterpretationId } from './interpretations.ts';
import type { Level, Source } from './statement.ts';
import { type ApiVersion, atLeast, type CarriedVersion, firstCarried, overlap, type Span } from './versions.ts';

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** The type of a field that is only stated to exist: it may be null. */
export const anyType = [
  'array',
  'object',
  'string',
  'number',
  'boolean',
  'null',
] as const satisfies readonly JsonType[];

/**
 * Whether an answer must have a field.
 * - `must`: absent or null is a deviation.
 * - `should`: absent or null is a deviation of level `should` (interpretations `absent-when-empty`, `null-for-empty`).
 * - `echo`: it returns what a request set; judged only if it was set (interpretation `absent-when-empty`).
 * - `optional`: absent or null passes, as the documents say so. A value that is present and not null must always have
 * the field's type. Null always passes where the type includes it.
 */
type Presence = 'must' | 'should' | 'echo' | 'optional';

/** What an answer may additionally look like from a carried version on: keywords that replace those of the schema. */
interface LaterForm {
  readonly since: CarriedVersion;
  readonly type?: JsonType | readonly JsonType[];
  readonly presence?: Presence;
  readonly pattern?: string;
}

/**
 * The JSON Schema 2020-12 keywords the contract uses, with the annotations `since`, `until`, `presence`, `says` and
 * `interpretations`. `$ref` holds the schema itself; the export turns it into a pointer to the named schema.
 */
export interface Schema extends Span {
  /** The name of a schema that others refer to; unique in the contract. */
  readonly title?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly format?: 'date-time';
  readonly contentMediaType?: string;
  readonly contentEncoding?: 'base64' | 'base64url';
  /** The JSON inside a string. */
  readonly contentSchema?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minProperties?: number;
  readonly default?: string | number | boolean;
  readonly $ref?: Schema;
  readonly presence?: Presence;
  /** How rows of Document 4 change the field in carried versions. */
  readonly later?: LaterForm;
  /** The condition under which `presence` holds, in our own words; continues from '<field> is there …'. */
  readonly when?: string;
  /** One rule judges the field with everything inside; the fields inside have no rules of their own. */
  readonly whole?: true;
  /** What the value means, in our own words; continues from '<field> is …'. */
  readonly says?: string;
  readonly source?: Source;
  /** The statement that the field's rule is based on, where none has the name of the field. */
  readonly row?: string;
  readonly level?: Level;
  /** Why no check can decide the field's rule. */
  readonly unchecked?: string;
  readonly interpretations?: readonly InterpretationId[];
}

/** The referenced schema, with the annotations of the place that refers to it. */
export function resolve(schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const { $ref, ...annotations } = schema;
  return { ...resolve($ref), ...annotations };
}

/** The schema as it is in a version. */
export function schemaIn<S extends Schema>(schema: S, api: ApiVersion): S {
  const { later } = schema;
  if (!later || !atLeast(api, later.since)) return schema;
  const { since: _, ...instead } = later;
  return { ...schema, ...instead };
}

/** A field that carried versions may leave out, or set to null: daemons do so whatever the version of the request. */
export const optionalLater = { later: { since: firstCarried, presence: 'optional' } } as const satisfies Schema;

/** The paths of all fields of an object schema, at any depth: `State.Running`, `Ports[].Type`, `Networks{}.Gateway`. */
export type FieldPath<S> = S extends { $ref: infer Referred }
  ? FieldPath<Referred>
  : S extends { properties: infer Fields }
    ? { [Name in keyof Fields & string]: Name | `${Name}${Inside<Fields[Name]>}` }[keyof Fields & string]
    : never;

type Inside<S> = S extends { whole: true }
  ? ''
  : S extends { $ref: infer Referred }
    ? Inside<Referred>
    : S extends { properties: object }
      ? `.${FieldPath<S>}`
      : S extends { items: infer Item }
        ? `[]${Inside<Item>}`
        : S extends { additionalProperties: infer Value }
          ? `{}${Inside<Value>}`
          : never;

/** A field of a schema, with its path and the versions in which it and everything around it exist. */
export interface Field {
  readonly path: string;
  readonly schema: Schema;
}

/** What a field inherits from the objects around it. */
interface Surroundings extends Span {
  readonly source?: Source;
}

/** Lists the fields of an object schema at every depth, outer ones first. */
export function fieldsOf(schema: Schema, prefix = '', around: Surroundings = {}): Field[] {
  return Object.entries(resolve(schema).properties ?? {}).flatMap(([name, property]) => {
    const field = { ...property, ...inherit(around, property) };
    const path = prefix + name;
    return [{ path, schema: field }, ...fieldsInside(field, path)];
  });
}

function fieldsInside(schema: Schema, path: string): Field[] {
  const { properties, items, additionalProperties, whole } = resolve(schema);
  if (whole) return [];
  if (properties) return fieldsOf(schema, `${path}.`, schema);
  if (items) return fieldsInside({ ...items, ...inherit(schema, items) }, `${path}[]`);
  if (additionalProperties) {
    return fieldsInside({ ...additionalProperties, ...inherit(schema, additionalProperties) }, `${path}{}`);
  }
  return [];
}

/** The versions in which both hold, and the nearer of the sources. */
function inherit(around: Surroundings, inner: Surroundings): Surroundings {
  const source = inner.source ?? around.source;
  return { ...overlap(around, inner), ...(source && { source }) };
}
