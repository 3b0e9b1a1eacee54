import { rowOfField } from './document-rows/index.ts';
import type { InterpretationId } from './interpretations.ts';
import { type FieldRule, makeRule, type RuleData, type RuleDefaults } from './rule.ts';
import { anyType, type Field, type FieldPath, fieldsOf, resolve, type Schema } from './schema.ts';
import type { Level } from './statement.ts';

/** The rules of an answer's fields: `containers.inspect.field.State.Running`. */
export function fieldRules<const Prefix extends string, const S extends Schema>(
  prefix: Prefix,
  defaults: RuleDefaults,
  schema: S,
): { readonly [Path in FieldPath<S> as `${Prefix}.field.${Path}`]: FieldRule } {
  // biome-ignore lint/plugin: the ids are made of the prefix and the paths of the fields
  return derive(`${prefix}.field.`, defaults, schema, answerFieldRule) as {
    [Path in FieldPath<S> as `${Prefix}.field.${Path}`]: FieldRule;
  };
}

/** The rules of a request body's fields: `containers.create.body.HostConfig.Memory`. */
export function bodyRules<const Prefix extends string, const S extends Schema>(
  prefix: Prefix,
  defaults: RuleDefaults,
  schema: S,
): { readonly [Path in FieldPath<S> as `${Prefix}.body.${Path}`]: FieldRule } {
  // biome-ignore lint/plugin: the ids are made of the prefix and the paths of the fields
  return derive(`${prefix}.body.`, defaults, schema, bodyFieldRule) as {
    [Path in FieldPath<S> as `${Prefix}.body.${Path}`]: FieldRule;
  };
}

function derive(
  prefix: string,
  defaults: RuleDefaults,
  schema: Schema,
  ruleOf: (field: Field) => RuleData,
): Record<string, FieldRule> {
  return Object.fromEntries(
    fieldsOf(schema).map((field) => {
      const { since, until, source } = field.schema;
      const row = field.schema.row ?? rowOfField(source ?? defaults.source, field.path);
      const span = {
        ...(since && { since }),
        ...(until && { until }),
        ...(source && { source }),
        ...(row !== undefined && { row }),
      };
      const id = prefix + field.path;
      return [id, { ...makeRule(id, defaults, { ...ruleOf(field), ...span }), field }];
    }),
  );
}

function answerFieldRule({ path, schema }: Field): RuleData {
  const level = schema.level ?? levelWithoutType(schema);
  const interpretations = [...(schema.interpretations ?? []), ...interpretationsOfPresence(schema)];
  const condition = schema.when ? `, ${schema.when}` : '';
  return {
    kind: 'field',
    says: `has ${[path, describe(schema)].filter(Boolean).join(', ')}${condition}`,
    ...(level && { level }),
    interpretations: [...new Set(interpretations)],
  };
}

/** A field whose type the documents don't give can only be missing. */
function levelWithoutType(schema: Schema): Level | undefined {
  if (describeShape(resolve(schema)) !== '') return undefined;
  if (schema.presence === 'should') return 'should';
  return schema.presence === 'optional' ? 'observe' : undefined;
}

function interpretationsOfPresence(schema: Schema): InterpretationId[] {
  const { presence, items, additionalProperties } = resolve(schema);
  if (presence !== 'should' && presence !== 'echo') return [];
  return items || additionalProperties ? ['absent-when-empty', 'null-for-empty'] : ['absent-when-empty'];
}

const onAnswersOnly: readonly InterpretationId[] = ['absent-when-empty', 'null-for-empty', 'null-for-integer'];

function bodyFieldRule({ path, schema }: Field): RuleData {
  return {
    kind: 'field',
    says: `accepts ${[path, describe(schema)].filter(Boolean).join(', ')}`,
    ...(schema.level && { level: schema.level }),
    ...(schema.unchecked !== undefined && { unchecked: schema.unchecked }),
    interpretations: (schema.interpretations ?? []).filter((id) => !onAnswersOnly.includes(id)),
  };
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const plurals: Readonly<Record<string, string>> = {
  string: 'strings',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  object: 'objects',
  array: 'lists',
  null: 'nulls',
};

/** A schema in words: 'a list of strings', 'a map of objects', 'a string or an integer', then what it means. */
export function describe(schema: Schema): string {
  const shape = describeShape(resolve(schema));
  return [shape, schema.says].filter(Boolean).join(': ');
}

function describeShape(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map((one) => describeShape(resolve(one))).join(' or ');
  if (schema.items) return `a list${ofPlural(schema.items)}`;
  if (schema.additionalProperties) return `a map${ofPlural(schema.additionalProperties)}`;
  return typesOf(schema)
    .map((type) => nouns[type])
    .join(' or ');
}

function ofPlural(schema: Schema): string {
  const many = plural(resolve(schema));
  return many && ` of ${many}`;
}

function plural(schema: Schema): string {
  if (schema.items) return `lists${ofPlural(schema.items)}`;
  return typesOf(schema)
    .map((type) => plurals[type])
    .join(' or ');
}

function typesOf(schema: Schema): readonly string[] {
  if (schema.type === undefined || schema.type === anyType) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}
