import { statedRules } from './catalogue.ts';
import { type DocumentSection, documentSections, nameOfRow } from './document-rows/index.ts';
import { laterSections } from './later/index.ts';
import type { LaterRow, LaterSection } from './later/row.ts';
import type { Rule } from './rule.ts';
import type { Source } from './statement.ts';
import { wildcard } from './wildcard.ts';

/** A statement of the documents with the rules that are based on it. */
interface CoveredRow {
  readonly key: string;
  readonly rules: readonly Rule[];
  /** Why no rule is based on it. */
  readonly reason?: string;
}

/** A heading of the documents with its statements. */
export interface CoveredSection {
  readonly source: Source;
  readonly reason?: string;
  readonly rows: readonly CoveredRow[];
}

/** The place of a statement: `Document 1, HostConfig, Binds`. */
export function placeOf({ source: [document, section] }: { readonly source: Source }, key?: string): string {
  return [`Document ${document}`, section, ...(key === undefined ? [] : [key])].join(', ');
}

/** Which rules are based on which statement of the four documents, in the order of these. */
export function coverage(
  rules: readonly Rule[] = statedRules,
  sections: readonly DocumentSection[] = documentSections,
): CoveredSection[] {
  const byPlace = new Map<string, Rule[]>();
  for (const rule of rules) {
    const place = placeOf(rule, rule.row);
    byPlace.set(place, [...(byPlace.get(place) ?? []), rule]);
  }
  const covered = sections.map((section) => ({
    ...section,
    rows: section.rows.map((row) => {
      const key = nameOfRow(row);
      const reason = typeof row === 'string' ? {} : { reason: row.noRule };
      return { key, rules: byPlace.get(placeOf(section, key)) ?? [], ...reason };
    }),
  }));
  return [...covered, ...laterSections.map((section) => coveredLater(section, rules))];
}

/** The rules that name no statement, or one that is not there. */
export function strayRules(
  rules: readonly Rule[] = statedRules,
  sections: readonly DocumentSection[] = documentSections,
): Rule[] {
  const covered = new Set(coverage(rules, sections).flatMap((section) => section.rows.flatMap((row) => row.rules)));
  return rules.filter((rule) => !covered.has(rule));
}

/** In Document 4 a row names the rules that it changes. */
function coveredLater({ heading, rows }: LaterSection, rules: readonly Rule[]): CoveredSection {
  return {
    source: [4, heading],
    rows: [...new Set(rows.map(({ name }) => name))].map((key) =>
      coveredLaterRow(
        key,
        rows.filter(({ name }) => name === key),
        rules,
      ),
    ),
  };
}

function coveredLaterRow(key: string, rows: readonly LaterRow[], rules: readonly Rule[]): CoveredRow {
  const patterns = rows.flatMap(({ ends = [], begins = [], eases = [] }) => [...ends, ...begins, ...eases]);
  const matchers = patterns.map(wildcard);
  const reason = rows.find((row) => row.noRule !== undefined)?.noRule;
  return {
    key,
    rules: rules.filter(({ id }) => matchers.some((matcher) => matcher.test(id))),
    ...(patterns.length === 0 && reason !== undefined && { reason }),
  };
}
