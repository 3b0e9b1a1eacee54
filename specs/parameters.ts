import type { Endpoint, Parameter } from './endpoint.ts';
import { makeRule, type Rule } from './rule.ts';
import type { Schema } from './schema.ts';
import type { Span } from './versions.ts';

/** A boolean in a query (Document 1, Conventions used by all endpoints). */
export const flag = {
  title: 'Flag',
  type: 'string',
  enum: ['1', 'True', 'true', '0', 'False', 'false'],
} as const satisfies Schema;

/** A flag whose default is false. */
export const flagOff = { ...flag, default: 'false' } as const satisfies Schema;

/** A flag whose default is true. */
export const flagOn = { ...flag, default: 'true' } as const satisfies Schema;

/** One filter: the strings that it applies to. */
interface Filter extends Span {
  readonly says: string;
}

/**
 * The filters parameter of an endpoint: the JSON text of a map from the names of its filters to lists of strings
 * (Document 1, Conventions used by all endpoints).
 */
export function filters<const Names extends Readonly<Record<string, Filter>>>(names: Names) {
  const values = { type: 'array', items: { type: 'string' }, presence: 'optional' } as const satisfies Schema;
  const properties: Readonly<Record<string, Schema>> = Object.fromEntries(
    Object.entries<Filter>(names).map(([name, filter]) => [name, { ...values, ...filter }]),
  );
  return {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { type: 'object', properties },
  } as const satisfies Schema;
}

/** The keys that end an attached session (Document 1, Limits). */
export const detachKeys = {
  in: 'query',
  since: '1.23',
  schema: { type: 'string', pattern: '^([a-zA-Z]|ctrl-[a-z@^\\[,_])$' },
  says: 'the keys that end the session',
} as const satisfies Parameter;

type FlagNames<E extends Endpoint> = {
  [Name in keyof E['parameters'] & string]: E['parameters'][Name] extends { schema: typeof flag } ? Name : never;
}[keyof E['parameters'] & string];

/** One rule for each flag of an endpoint, about its six spellings: `containers.list.all-spellings`. */
export function flagRules<const E extends Endpoint>(
  endpoint: E,
): { readonly [Name in FlagNames<E> as `${E['id']}.${Name}-spellings`]: Rule } {
  const rules = Object.entries<Parameter>(endpoint.parameters)
    .filter(([, parameter]) => parameter.schema.title === flag.title)
    .map(([name, { since, until }]) => {
      const id = `${endpoint.id}.${name}-spellings`;
      const rule = makeRule(
        id,
        { endpoint, source: [1, 'Conventions used by all endpoints'], row: 'Boolean flag', interpretations: ['flags'] },
        {
          kind: 'parameter',
          says: `accepts 1, True and true as true in ${name}, and 0, False and false as false`,
          ...(since && { since }),
          ...(until && { until }),
        },
      );
      return [id, rule] as const;
    });
  // biome-ignore lint/plugin: the ids are made of the endpoint's and the names of its flags
  return Object.fromEntries(rules) as { [Name in FlagNames<E> as `${E['id']}.${Name}-spellings`]: Rule };
}

/** The size of a terminal, in characters (Document 2, Resize a container TTY; Document 3, Exec resize). */
export const windowSize = {
  h: { in: 'query', required: true, schema: { type: 'integer' }, says: 'the lines of the terminal' },
  w: { in: 'query', required: true, schema: { type: 'integer' }, says: 'the columns of the terminal' },
} as const satisfies Record<string, Parameter>;
