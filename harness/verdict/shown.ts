import type { JsonValue } from '../streams/json.ts';

/** Which part of an answer a deviation was read from. */
export type ShownPart =
  | { readonly part: 'status' }
  | { readonly part: 'header'; readonly name: string }
  /** The body as text. */
  | { readonly part: 'text' }
  /** What the body or stream has of output, out of its frames: of one stream, or of both. */
  | { readonly part: 'output'; readonly of: 'stdout' | 'stderr' | 'both' }
  /**
   * Values of the JSON body, or of the objects that came one after another as of a list: each by the steps to the value
   * that would hold it and its own name, in the words on the wire. Several where several deviate.
   */
  | { readonly part: 'json'; readonly at: readonly (readonly string[])[] };

/** What is to stand there. */
export type Wanted =
  | { readonly is: 'one-of'; readonly values: readonly JsonValue[]; readonly anyCase?: true }
  /** Equal but for further members of objects. */
  | { readonly is: 'like'; readonly value: JsonValue }
  | { readonly is: 'there' | 'absent' }
  | { readonly is: 'matching'; readonly pattern: string; readonly anyCase: boolean }
  /** A text or list with or without a part or item. */
  | { readonly is: 'with' | 'without'; readonly value: JsonValue }
  | { readonly is: 'at-least' | 'at-most'; readonly value: number }
  /** The condition cannot be written down: anything but what came. */
  | { readonly is: 'other-than'; readonly value: JsonValue }
  /** Any JSON at all. */
  | { readonly is: 'json' }
  /** A field: of one of these types, and absent or null only where that passes. */
  | { readonly is: 'field'; readonly types: readonly string[]; readonly mayLack: boolean };

/** Where an answer shows a deviation and what should stand there, so that a script can look whether it is still there. */
export interface Shown {
  /** Id of the exchange. */
  readonly exchange: string;
  /** Absent where the value was made of the answer by code: then the answer as a whole is what there is. */
  readonly from?: ShownPart;
  readonly wanted?: Wanted;
}

/** The texts of what is to stand there, names of members among them. */
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

/** Nothing of the contract is as deep; only what a hostile daemon sends is. */
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
