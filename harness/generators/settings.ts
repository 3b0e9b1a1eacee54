import fc from 'fast-check';
import { resolve, type Schema } from '../../specs/schema.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { JsonValue } from '../streams/json.ts';

/** Some of the members of a request body. */
export type Settings = { readonly [member: string]: JsonValue };

/** Values for members whose schemas do not determine them; a text says why a member is left alone. */
export type Values = Readonly<Record<string, fc.Arbitrary<JsonValue> | string>>;

/**
 * Settings of any of the members that the schema of a request body has in a version. Booleans, integers between bounds,
 * and strings with a format or an enumeration are generated from the schema.
 * @throws for a member without values in either the schema or `values`
 */
export function settingsOf(schema: Schema, api: ApiVersion, values: Values): fc.Arbitrary<Settings> {
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) => holdsIn(member, api));
  const drawn = members.flatMap(([name, member]) => {
    const value = values[name] ?? valuesOf(member);
    if (value === undefined) throw new Error(`nothing tells what ${name} may be set to`);
    return typeof value === 'string' ? [] : [[name, value] as const];
  });
  const some = fc.record(Object.fromEntries(drawn), { requiredKeys: [], noNullPrototype: true });
  // Few values are tried, so each is to be rich; what is at an edge is drawn as often as anything else.
  // biome-ignore lint/plugin: its members are drawn by the types of their schemas
  return fc.noBias(some) as fc.Arbitrary<Settings>;
}

/** Values of a schema that determines them; undefined where it does not. */
export function valuesOf(schema: Schema): fc.Arbitrary<JsonValue> | undefined {
  const { type, minimum, maximum, enum: listed, pattern } = resolve(schema);
  if (listed) return fc.constantFrom(...listed);
  if (type === 'boolean') return fc.boolean();
  if (type === 'string' && pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (type !== 'integer' || minimum === undefined || maximum === undefined) return undefined;
  return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
}

/** The values just outside the bounds of an integer. */
export function outsideOf(schema: Schema): fc.Arbitrary<number> {
  const { minimum, maximum } = resolve(schema);
  const below = minimum === undefined ? [] : [fc.integer({ min: minimum - 1_000, max: minimum - 1 })];
  const above = maximum === undefined ? [] : [fc.integer({ min: maximum + 1, max: maximum + 100_000 })];
  return fc.oneof(...below, ...above);
}
