import { headings } from '../headings.ts';
import { operationRows } from './container-operations.ts';
import { containerRows } from './containers.ts';
import { otherRows } from './others.ts';
import { overviewRows } from './overview.ts';
import { resourceRows } from './resources.ts';
import type { DocumentSection } from './row.ts';

/** Every heading of the three documents with the statements under it, in the order of the documents. */
export const documentSections: readonly DocumentSection[] = [
  ...overviewRows,
  ...resourceRows,
  ...containerRows,
  ...operationRows,
  ...otherRows,
].toSorted((one, other) => one.source[0] - other.source[0] || one.line - other.line);

/** The headings of the documents that have no section here. */
export function missingSections(): string[] {
  const named = new Set(documentSections.map(({ source: [document, section] }) => `${document} ${section}`));
  return Object.entries(headings).flatMap(([document, sections]) =>
    sections.map((section) => `${document} ${section}`).filter((heading) => !named.has(heading)),
  );
}
