import type { Capability } from './capabilities.ts';
import type { Endpoint } from './endpoint.ts';
import type { InterpretationId } from './interpretations.ts';
import type { Schema } from './schema.ts';
import type { Level, Source } from './statement.ts';
import { type CarriedVersion, overlap, type Span } from './versions.ts';

/** The kinds of rules. */
export type Kind =
  | 'status'
  | 'field'
  | 'parameter'
  | 'header'
  | 'stream'
  | 'state'
  | 'event'
  | 'limit'
  | 'version'
  | 'token'
  | 'auth'
  | 'format'
  | 'observe'
  /** Not a statement itself: generated tests of the rules that it decides. */
  | 'property';

/**
 * What a daemon may additionally do from a carried version on, by a row of Document 4 that does not depend on the
 * version of a request.
 */
export interface LaterForm {
  readonly since: CarriedVersion;
  /** In our own words; continues from 'or '. */
  readonly says: string;
  /** By documented status: other statuses that pass. */
  readonly statuses?: Readonly<Record<number, readonly number[]>>;
  /** Whether an answer may have no Content-Type, although the documents require one. */
  readonly noMediaType?: true;
  /** Media types that pass besides the documented one. */
  readonly mediaTypes?: readonly string[];
}

/** The author's part of a rule. What is left out comes from the defaults of its `rules` call. */
export interface RuleData extends Span {
  readonly kind: Kind;
  /** The rule in our own words; it continues from the endpoint and is the name of the test. */
  readonly says: string;
  readonly level?: Level;
  readonly later?: LaterForm;
  readonly source?: Source;
  /** The statement in the section of `source` that the rule is based on, by its name in `document-rows/`. */
  readonly row?: string;
  readonly needs?: readonly Capability[];
  readonly interpretations?: readonly InterpretationId[];
  /** Why no black-box check can decide the rule. Only for rules without a check. */
  readonly unchecked?: string;
  /** For a property: the ids of the rules that its generated tests decide. */
  readonly decides?: readonly string[];
}

/** One atomic statement of the documents. */
export interface Rule extends Span {
  readonly id: string;
  /** The first word of the id: the part of the documents the rule belongs to. */
  readonly area: string;
  readonly kind: Kind;
  readonly says: string;
  readonly level: Level;
  readonly later?: LaterForm;
  readonly source: Source;
  /** The statement in the section of `source`; unless it is of Document 4, whose rows name their rules. */
  readonly row?: string;
  readonly endpoint?: Endpoint;
  readonly needs: readonly Capability[];
  readonly interpretations: readonly InterpretationId[];
  readonly unchecked?: string;
  readonly decides?: readonly string[];
}

/** A rule derived from one field of a schema. */
export interface FieldRule extends Rule {
  readonly field: {
    /** Dotted path from the top of the object; `[]` after a list, `{}` after a map. */
    readonly path: string;
    readonly schema: Schema;
  };
}

export interface RuleDefaults extends Span {
  readonly endpoint?: Endpoint;
  readonly source: Source;
  /** The statement of those rules that are from `source` and name no other. */
  readonly row?: string;
  readonly level?: Level;
  readonly needs?: readonly Capability[];
  readonly interpretations?: readonly InterpretationId[];
}

/** Makes a rule from its id, its author's data and the defaults of its group. */
export function makeRule(id: string, defaults: RuleDefaults, data: RuleData): Rule {
  const row = data.row ?? (data.source ? undefined : defaults.row);
  return {
    id,
    area: id.slice(0, id.indexOf('.')),
    kind: data.kind,
    says: data.says,
    level: data.level ?? (data.kind === 'observe' ? 'observe' : (defaults.level ?? 'must')),
    source: data.source ?? defaults.source,
    ...(row !== undefined && { row }),
    needs: data.needs ?? defaults.needs ?? [],
    interpretations: [...(defaults.interpretations ?? []), ...(data.interpretations ?? [])],
    ...(defaults.endpoint && { endpoint: defaults.endpoint }),
    ...overlap(data, defaults, defaults.endpoint ?? {}),
    ...(data.later && { later: data.later }),
    ...(data.unchecked !== undefined && { unchecked: data.unchecked }),
    ...(data.decides && { decides: data.decides }),
  };
}

/** The rules of one endpoint or topic: `rules('containers.stop', …, { 'x': … })` has the id `containers.stop.x`. */
export function rules<const Prefix extends string, const Names extends Record<string, RuleData>>(
  prefix: Prefix,
  defaults: RuleDefaults,
  data: Names,
): { readonly [Name in keyof Names & string as `${Prefix}.${Name}`]: Rule } {
  const made = Object.entries<RuleData>(data).map(([name, rule]) => {
    const id = `${prefix}.${name}`;
    return [id, makeRule(id, defaults, rule)] as const;
  });
  // biome-ignore lint/plugin: the ids are made of the prefix and the names
  return Object.fromEntries(made) as { [Name in keyof Names & string as `${Prefix}.${Name}`]: Rule };
}
