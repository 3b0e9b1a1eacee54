import type { Source } from '../statement.ts';
import { containerRows } from './containers.ts';
import { otherRows } from './others.ts';
import { overviewRows } from './overview.ts';
import type { DocumentRow } from './row.ts';

/** A heading of Documents 1 to 3 with the statements below it. */
export interface DocumentSection {
  readonly source: Source;
  readonly rows: readonly DocumentRow[];
  /** Why it has no statements. */
  readonly reason?: string;
}

/** Every heading of Documents 1 to 3 with the names of its statements, in their order. */
export const documentSections: readonly DocumentSection[] = [
  ...sectionsOf(1, overviewRows),
  ...sectionsOf(2, containerRows),
  ...sectionsOf(3, otherRows),
];

function sectionsOf(document: 1 | 2 | 3, rows: Readonly<Record<string, readonly DocumentRow[] | string>>) {
  return Object.entries(rows).map(([heading, rowsOrReason]): DocumentSection => {
    const source = [document, heading] as const;
    return typeof rowsOrReason === 'string'
      ? { source, rows: [], reason: rowsOrReason }
      : { source, rows: rowsOrReason };
  });
}

export function nameOfRow(row: DocumentRow): string {
  return typeof row === 'string' ? row : row.name;
}

/**
 * The row that has the name of a field, or of one around it: `HostConfig.Binds` is of the row `Binds`, and `AttachStdin`
 * of `AttachStdin, AttachStdout, AttachStderr`.
 */
export function rowOfField([document, heading]: Source, path: string): string | undefined {
  const section = documentSections.find(({ source }) => source[0] === document && source[1] === heading);
  const names = path.split('.').map((name) => name.replace(/[[{].*/, ''));
  const rows = (section?.rows ?? []).map(nameOfRow);
  const found = names.map((name) => rows.find((row) => row.split(', ').includes(name)));
  return found.find((row) => row !== undefined);
}
