import { visibleLine } from './visible.ts';

/** Text from outside as a code span of one line, whatever it holds; empty text is nothing. Cut to `limit` characters. */
export function codeSpan(text: string, limit = 400): string {
  if (text === '') return '';
  const line = visibleLine(text);
  const shown = line.length > limit ? `${line.slice(0, limit)} …` : line;
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A span may not begin or end with its fence's character.
  const room = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${room}${shown}${room}${fence}`;
}

/** Text from outside as plain text of one line: nothing in it is markup, a link or a mention. */
export function plainText(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_[\]<>&~@]/g, '\\$&')
    .replace(/(?<=:)\/\/|(?<=www)\./gi, '\\$&');
}

/** A sentence of ours, whose words in backticks are code. */
export function sentence(text: string): string {
  const parts = text.split('`');
  return parts.map((part, place) => (place % 2 === 0 ? plainText(part) : codeSpan(part))).join('');
}

/** A table with the alignment of numbers in all but the first `texts` columns. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = heads.map((_, place) => (place < texts ? '---' : '---:'));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}
