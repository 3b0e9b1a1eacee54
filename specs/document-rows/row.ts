import type { headings } from '../headings.ts';
import type { Source } from '../statement.ts';

type Headings = typeof headings;

/** One statement of a document: a row of a table, an item of a list, a numbered sentence, or a paragraph. */
export interface DocumentRow {
  /** Its line in the document, counted from 1. */
  readonly line: number;
  /** A short name: the fields, parameters or status codes it is about. Unique in its section. */
  readonly key: string;
  /** Patterns of the ids of the rules that are based on it, besides those that name it. */
  readonly rules: readonly string[];
  /** Why no rule is based on it; only for rows without rules. */
  readonly reason?: string;
}

/** A heading of a document with the statements under it. */
export interface DocumentSection {
  readonly source: Source;
  readonly line: number;
  /** What the patterns below may leave out at the start: the id of the section's endpoint. */
  readonly of?: string;
  /** Where the rules are for the fields that name rows: `containers.list.field`. */
  readonly fields?: readonly string[];
  /** Patterns of rules that are based on the section as a whole. */
  readonly rules?: readonly string[];
  readonly reason?: string;
  readonly rows: readonly DocumentRow[];
}

/**
 * A statement and its rules. A rule names its row itself; patterns, with `*` for any characters, are for many rules of
 * a kind, for those that endpoints share, and for those that are based on more statements than the one they cite.
 */
export function row(line: number, key: string, ...rules: readonly string[]): DocumentRow {
  return { line, key, rules };
}

/** A statement without rules, with the reason. */
export function noRule(line: number, key: string, reason: string): DocumentRow {
  return { line, key, rules: [], reason };
}

/** The sections of one document, by its headings. */
export function sectionsOf<const Document extends keyof Headings>(document: Document) {
  return (
    line: number,
    section: Headings[Document][number],
    about: Omit<DocumentSection, 'source' | 'line' | 'rows'>,
    rows: readonly DocumentRow[],
  ): DocumentSection => ({ source: [document, section], line, ...about, rows });
}
