import type { JsonSchema } from '../../specs/derive.ts';
import { definitionsOf, dereferenced, typesOf } from './from-schema.ts';
import { requiredIn, schemaIn, schemasIn } from './json-schema.ts';

/** A value that a schema does not accept, made from one that it does. */
export interface Mutant {
  /** Where the deviation is: `State.Running`, `Ports[0].Type`; empty for the value itself. */
  readonly path: string;
  readonly defect: 'wrong type' | 'missing' | 'null';
  readonly value: unknown;
}

type Replace = (value: unknown) => unknown;

/** A value of each JSON type, to put where it is not allowed. */
const ofEachType: readonly (readonly [type: string, value: unknown])[] = [
  ['string', 'wrong'],
  ['integer', 1],
  ['boolean', true],
  ['array', []],
  ['object', { wrong: 1 }],
];

/**
 * Every way to break one place of a sample: a value of a wrong type, a missing required field, and null where it is not
 * allowed.
 * @param sample a value that the schema accepts
 */
export function mutantsOf(schema: JsonSchema, sample: unknown): Mutant[] {
  const definitions = definitionsOf(schema);

  const broken = (reference: JsonSchema, value: unknown, path: string, replace: Replace): Mutant[] => {
    const one = dereferenced(reference, definitions);
    const alternatives = alternativesOf(one, definitions);
    const mutants = wrongTypes(alternatives).map(([type, other]) => ({
      path,
      defect: type === 'null' ? ('null' as const) : ('wrong type' as const),
      value: replace(other),
    }));
    if (value === null) return mutants;
    // With several shapes, a deviation from one may fit another.
    const [only, ...others] = alternatives.filter(
      (alternative) => !typesOf(alternative).every((type) => type === 'null'),
    );
    return only && others.length === 0 ? [...mutants, ...inside(only, value, path, replace)] : mutants;
  };

  const inside = (one: JsonSchema, value: unknown, path: string, replace: Replace): Mutant[] => {
    if (Array.isArray(value)) {
      const items = schemaIn(one, 'items');
      if (!items) return [];
      return value.flatMap((item, place) =>
        broken(items, item, `${path}[${place}]`, (other) => replace(value.with(place, other))),
      );
    }
    return typeof value === 'object' && value !== null ? ofObject(one, { ...value }, path, replace) : [];
  };

  const ofObject = (one: JsonSchema, value: Record<string, unknown>, path: string, replace: Replace): Mutant[] => {
    const properties = schemasIn(one, 'properties');
    const missing = requiredIn(one).map((name) => ({
      path: joined(path, name),
      defect: 'missing' as const,
      value: replace(without(value, name)),
    }));
    const fields = Object.entries(value).flatMap(([name, field]) => {
      const property = properties[name] ?? schemaIn(one, 'additionalProperties');
      if (!property) return [];
      return broken(property, field, joined(path, name), (other) => replace({ ...value, [name]: other }));
    });
    return [...missing, ...fields];
  };

  return broken(schema, sample, '', (value) => value);
}

/** The shapes that a schema accepts, just one without `anyOf`. */
function alternativesOf(schema: JsonSchema, definitions: ReturnType<typeof definitionsOf>): JsonSchema[] {
  if (!Array.isArray(schema.anyOf)) return [schema];
  return schema.anyOf.flatMap((one: JsonSchema) => alternativesOf(dereferenced(one, definitions), definitions));
}

/** A value of each type that none of the shapes accepts. */
function wrongTypes(alternatives: readonly JsonSchema[]): (readonly [string, unknown])[] {
  const untyped = alternatives.filter((one) => typesOf(one).length === 0 && !Array.isArray(one.enum));
  if (untyped.length > 0) return untyped.every((one) => one.not !== undefined) ? [['null', null]] : [];
  const taken = new Set(alternatives.flatMap(typesOf));
  if (taken.has('number')) taken.add('integer');
  const wrong = ofEachType.filter(([type]) => !taken.has(type));
  return taken.has('null') ? wrong : [...wrong, ['null', null]];
}

function without(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _gone, ...others } = value;
  return others;
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
