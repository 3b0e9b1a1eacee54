import type { JsonValue } from '../streams/json.ts';

/** The part of an answer that showed a deviation. */
export type ShownPart =
  | { readonly part: 'status' }
  | { readonly part: 'header'; readonly name: string }
  /** The body as text. */
  | { readonly part: 'text' }
  /** The output in the body or stream, without frames: of one stream, or of both. */
  | { readonly part: 'output'; readonly of: 'stdout' | 'stderr' | 'both' }
  /**
   * Values in the JSON body, or in a sequence of objects read as a list: each given by the steps to the object that
   * would hold it and its own name, in the words on the wire. Several where several deviate.
   */
  | { readonly part: 'json'; readonly at: readonly (readonly string[])[] };

/** What should be there. */
export type Wanted =
  | { readonly is: 'one-of'; readonly values: readonly JsonValue[]; readonly anyCase?: true }
  /** Equal except for further members of objects. */
  | { readonly is: 'like'; readonly value: JsonValue }
  | { readonly is: 'there' | 'absent' }
  | { readonly is: 'matching'; readonly pattern: string; readonly anyCase: boolean }
  /** A text or list with, or without, a part or item. */
  | { readonly is: 'with' | 'without'; readonly value: JsonValue }
  | { readonly is: 'at-least' | 'at-most'; readonly value: number }
  /** The condition cannot be written down: anything except what came. */
  | { readonly is: 'other-than'; readonly value: JsonValue }
  /** Any JSON at all. */
  | { readonly is: 'json' }
  /** A field: of one of these types, and absent or null only where that passes. */
  | { readonly is: 'field'; readonly types: readonly string[]; readonly mayLack: boolean };

/**
 * Where an answer shows a deviation and what should be there, so that a script can find out whether it still occurs.
 */
export interface Shown {
  /** Id of the exchange. */
  readonly exchange: string;
  /** Absent when the value was computed from the answer: then only the answer as a whole is available. */
  readonly from?: ShownPart;
  readonly wanted?: Wanted;
}

/** The texts of what should be there, including member names. */
export function textsOf(wanted: Wanted | undefined): string[] {
  switch (wanted?.is) {
    case 'one-of':
      return wanted.values.flatMap(textsIn);
    case 'like':
    case 'with':
    case 'without':
    case 'other-than':
      return textsIn(wanted.value);
    case 'matching':
      return [wanted.pattern];
    default:
      return [];
  }
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** Nothing in the contract is this deep; only a hostile daemon sends such values. */
export const deepest = 40;

/** A value as it is kept in a report; undefined for what JSON does not have, or what is too deep to be looked at. */
export function keptValue(value: unknown, depth = 0): JsonValue | undefined {
  if (depth > deepest) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => keptValue(item, depth + 1));
    const kept = items.filter((item) => item !== undefined);
    return kept.length === items.length ? kept : undefined;
  }
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const members = Object.entries(value).map(([name, member]) => [name, keptValue(member, depth + 1)] as const);
  const kept = members.flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const]));
  return kept.length === members.length ? Object.fromEntries(kept) : undefined;
}
