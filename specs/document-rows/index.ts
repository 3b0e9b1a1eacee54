import { headings } from '../headings.ts';
import { laterSections } from '../later/index.ts';
import type { LaterSection } from '../later/row.ts';
import { operationRows } from './container-operations.ts';
import { containerRows } from './containers.ts';
import { otherRows } from './others.ts';
import { overviewRows } from './overview.ts';
import { resourceRows } from './resources.ts';
import type { DocumentSection } from './row.ts';

/** Every heading of the four documents with the statements under it, in the order of the documents. */
export const documentSections: readonly DocumentSection[] = [
  ...overviewRows,
  ...resourceRows,
  ...containerRows,
  ...operationRows,
  ...otherRows,
  ...laterSections.map(asDocumentSection),
].toSorted((one, other) => one.source[0] - other.source[0] || one.line - other.line);

/** Document 4 in the form of the others: a row has the rules that it changes, or the reason why it changes none. */
function asDocumentSection({ heading, line, rows }: LaterSection): DocumentSection {
  return {
    source: [4, heading],
    line,
    rows: [...new Set(rows.map((row) => row.line))].map((at) => {
      const ofLine = rows.filter((row) => row.line === at);
      const rules = ofLine.flatMap(({ ends = [], begins = [], eases = [] }) => [...ends, ...begins, ...eases]);
      const reason = ofLine.find((row) => row.noRule !== undefined)?.noRule ?? '';
      return { line: at, key: ofLine[0]?.name ?? '', rules, ...(rules.length === 0 && { reason }) };
    }),
  };
}

/** The headings of the documents that have no section here. */
export function missingSections(): string[] {
  const named = new Set(documentSections.map(({ source: [document, section] }) => `${document} ${section}`));
  return Object.entries(headings).flatMap(([document, sections]) =>
    sections.map((section) => `${document} ${section}`).filter((heading) => !named.has(heading)),
  );
}
