import type { Capability } from '../capabilities.ts';
import type { Endpoint } from '../endpoint.ts';
import type { InterpretationId } from '../interpretations.ts';
import { type Rule, rules } from '../rule.ts';
import type { StatedRuleId } from '../stated.ts';
import type { Source } from '../statement.ts';
import type { Span } from '../versions.ts';

/** The author's part of a property. */
export interface PropertyData extends Span {
  /** What holds for all generated values, in our own words. */
  readonly says: string;
  /** The rules that it decides; a failure names the one that the daemon deviated from. */
  readonly decides: readonly StatedRuleId[];
  /** The place in the documents that states most of it. */
  readonly source: Source;
  readonly needs?: readonly Capability[];
  /** The level, if it is not must: no stricter than that of the rules that it decides. */
  readonly level?: 'should';
  readonly interpretations?: readonly InterpretationId[];
}

/**
 * The properties of one topic: `properties('generated.models', { containers: … })` has `generated.models.containers`.
 * @param endpoint if all of them are about one that is not an engine's
 */
export function properties<
  const Prefix extends `generated.${string}`,
  const Names extends Record<string, PropertyData>,
>(
  prefix: Prefix,
  data: Names,
  endpoint?: Endpoint,
): { readonly [Name in keyof Names & string as `${Prefix}.${Name}`]: Rule } {
  const rows = Object.entries<PropertyData>(data).map(
    ([name, property]) => [name, { kind: 'property' as const, ...property }] as const,
  );
  const made = rules(
    prefix,
    { source: [1, 'What the service does'], ...(endpoint && { endpoint }) },
    Object.fromEntries(rows),
  );
  // biome-ignore lint/plugin: the ids are made of the prefix and the names
  return made as { readonly [Name in keyof Names & string as `${Prefix}.${Name}`]: Rule };
}
