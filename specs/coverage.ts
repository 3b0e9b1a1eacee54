import { statedRules } from './catalogue.ts';
import { documentSections } from './document-rows/index.ts';
import type { DocumentRow, DocumentSection } from './document-rows/row.ts';
import type { Rule } from './rule.ts';
import type { Source } from './statement.ts';

/** A statement of the documents with the rules that rest on it. */
interface CoveredRow {
  readonly line: number;
  readonly key: string;
  readonly rules: readonly Rule[];
  /** Why no rule rests on it. */
  readonly reason?: string;
}

/** A heading of the documents with its statements. */
export interface CoveredSection {
  readonly source: Source;
  readonly line: number;
  /** The rules that rest on the section as a whole. */
  readonly rules: readonly Rule[];
  readonly reason?: string;
  readonly rows: readonly CoveredRow[];
}

/** The place of a statement: `Document 1, HostConfig, Binds`. */
export function placeOf({ source: [document, section] }: Pick<DocumentSection, 'source'>, key?: string): string {
  return [`Document ${document}`, section, ...(key === undefined ? [] : [key])].join(', ');
}

/** Which rules rest on which statement, for all three documents. */
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

/** The patterns, and the places of fields, that no rule matches: of a rule that is gone, or misspelt. */
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

function ofSection({ rules = [], fields = [] }: DocumentSection): string[] {
  return [...rules, ...fields.map((prefix) => `${prefix}.*`)];
}

function coveredRow(row: DocumentRow, section: DocumentSection, rules: readonly Rule[]): CoveredRow {
  const { line, key, reason } = row;
  const named = (section.fields ?? []).flatMap((prefix) => key.split(', ').map((name) => fieldMatcher(prefix, name)));
  const patterns = row.rules.map((pattern) => matcherOf(pattern, section));
  return { line, key, rules: resting(rules, [...patterns, ...named]), ...(reason !== undefined && { reason }) };
}

type Matcher = (id: string) => boolean;

function resting(rules: readonly Rule[], matchers: readonly Matcher[]): Rule[] {
  return rules.filter(({ id }) => matchers.some((matches) => matches(id)));
}

/** A pattern names a rule by its whole id, or by what follows the endpoint that the section is about. */
function matcherOf(pattern: string, { of }: DocumentSection): Matcher {
  const whole = globOf(pattern);
  if (of === undefined) return (id) => whole.test(id);
  const within = globOf(`${of}.${pattern}`);
  return (id) => within.test(id) || whole.test(id);
}

function globOf(pattern: string): RegExp {
  const literals = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`);
}

/** The rule of a field, and those of the fields inside. */
function fieldMatcher(prefix: string, name: string): Matcher {
  const field = `${prefix}.${name}`;
  return (id) => id.startsWith(field) && /^$|^[.[{]/.test(id.slice(field.length));
}
