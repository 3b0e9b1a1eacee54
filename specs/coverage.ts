import { statedRules } from './catalogue.ts';
import { documentSections } from './document-rows/index.ts';
import type { DocumentRow, DocumentSection } from './document-rows/row.ts';
import type { Rule } from './rule.ts';
import type { Source } from './statement.ts';
import { wildcard } from './wildcard.ts';

/** A statement of the documents with the rules that are based on it. */
interface CoveredRow {
  readonly line: number;
  readonly key: string;
  readonly rules: readonly Rule[];
  /** Why no rule is based on it. */
  readonly reason?: string;
}

/** A heading of the documents with its statements. */
export interface CoveredSection {
  readonly source: Source;
  readonly line: number;
  /** The rules based on the section as a whole. */
  readonly rules: readonly Rule[];
  readonly reason?: string;
  readonly rows: readonly CoveredRow[];
}

/** The place of a statement: `Document 1, HostConfig, Binds`. */
export function placeOf({ source: [document, section] }: Pick<DocumentSection, 'source'>, key?: string): string {
  return [`Document ${document}`, section, ...(key === undefined ? [] : [key])].join(', ');
}

/** Which rules are based on which statement, for all three documents. */
export function coverage(
  rules: readonly Rule[] = statedRules,
  sections: readonly DocumentSection[] = documentSections,
): CoveredSection[] {
  return sections.map((section) => ({
    source: section.source,
    line: section.line,
    rules: resting(
      rules,
      (section.rules ?? []).map((pattern) => matcherOf(pattern, section)),
    ),
    ...(section.reason !== undefined && { reason: section.reason }),
    rows: section.rows.map((row) => coveredRow(row, section, rules)),
  }));
}

/** The patterns, and the places of fields, that no rule matches: of a rule that no longer exists, or is misspelt. */
export function emptyPatterns(
  rules: readonly Rule[] = statedRules,
  sections: readonly DocumentSection[] = documentSections,
): string[] {
  return sections.flatMap((section) =>
    [{ key: undefined, rules: ofSection(section) }, ...section.rows].flatMap((row) =>
      row.rules
        .filter((pattern) => resting(rules, [matcherOf(pattern, section)]).length === 0)
        .map((pattern) => `${placeOf(section, row.key)}: ${pattern}`),
    ),
  );
}

/**
 * What is wrong with the rows that rules name: there is no such row, or one of its patterns already matches the rule.
 */
export function wrongRows(
  rules: readonly Rule[] = statedRules,
  sections: readonly DocumentSection[] = documentSections,
): string[] {
  const byPatterns = new Map<string, readonly Rule[]>();
  for (const section of sections) {
    for (const row of section.rows) byPatterns.set(placeOf(section, row.key), resting(rules, matchersOf(row, section)));
  }
  return rules.flatMap((rule) => {
    if (rule.row === undefined) return [];
    const place = placeOf(rule, rule.row);
    const taken = byPatterns.get(place);
    if (!taken) return [`${rule.id}: there is no ${place}`];
    return taken.includes(rule) ? [`${rule.id}: a pattern of ${place} takes it already`] : [];
  });
}

function ofSection({ rules = [], fields = [] }: DocumentSection): string[] {
  return [...rules, ...fields.map((prefix) => `${prefix}.*`)];
}

function coveredRow(row: DocumentRow, section: DocumentSection, rules: readonly Rule[]): CoveredRow {
  const { line, key, reason } = row;
  const matchers = matchersOf(row, section);
  const isOn = (rule: Rule) => names(rule, row, section) || matchers.some((matches) => matches(rule.id));
  return { line, key, rules: rules.filter(isOn), ...(reason !== undefined && { reason }) };
}

/** By the patterns of a row, and by the fields in its key where the section is about fields. */
function matchersOf({ key, rules }: DocumentRow, section: DocumentSection): Matcher[] {
  const named = (section.fields ?? []).flatMap((prefix) => key.split(', ').map((name) => fieldMatcher(prefix, name)));
  return [...rules.map((pattern) => matcherOf(pattern, section)), ...named];
}

/** Whether a rule itself says that it is based on a row. */
function names(rule: Rule, { key }: DocumentRow, section: DocumentSection): boolean {
  return rule.row !== undefined && placeOf(rule, rule.row) === placeOf(section, key);
}

type Matcher = (id: string) => boolean;

function resting(rules: readonly Rule[], matchers: readonly Matcher[]): Rule[] {
  return rules.filter(({ id }) => matchers.some((matches) => matches(id)));
}

/** A pattern names a rule by its whole id, or by the part after the endpoint of the section. */
function matcherOf(pattern: string, { of }: DocumentSection): Matcher {
  const whole = wildcard(pattern);
  if (of === undefined) return (id) => whole.test(id);
  const within = wildcard(`${of}.${pattern}`);
  return (id) => within.test(id) || whole.test(id);
}

/** The rule of a field, and those of the fields inside. */
function fieldMatcher(prefix: string, name: string): Matcher {
  const field = `${prefix}.${name}`;
  return (id) => id.startsWith(field) && /^$|^[.[{]/.test(id.slice(field.length));
}
