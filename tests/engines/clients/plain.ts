/** A text without what differs from day to day: identifiers, times, and the directories of a test. */
export function plain(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replace(/\b[0-9a-f]{12,64}\b/g, '<id>')
    .replace(/\b1\d{9}\b/g, '<seconds>')
    .replace(/\/tmp\/[\w./-]+/g, '<path>')
    .replace(/[ \t]+$/gm, '');
}
