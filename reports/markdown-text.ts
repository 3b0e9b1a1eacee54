import { visibleLine } from './visible.ts';

/**
 * Text from outside as a code span on one line, whatever it contains; empty text yields nothing. Truncated to `limit`
 * characters.
 */
export function codeSpan(text: string, limit = 400): string {
  if (text === '') return '';
  const line = visibleLine(text);
  const shown = line.length > limit ? `${line.slice(0, limit)} …` : line;
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A span must not begin or end with its delimiter.
  const room = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${room}${shown}${room}${fence}`;
}

/** Text from outside as plain text on one line, without markup, links or mentions. */
export function plainText(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_[\]<>&~@]/g, '\\$&')
    .replace(/(?<=:)\/\/|(?<=www)\./gi, '\\$&');
}

/** A sentence of our own, with words in backticks as code. */
export function sentence(text: string): string {
  const parts = text.split('`');
  return parts.map((part, place) => (place % 2 === 0 ? plainText(part) : codeSpan(part))).join('');
}

/** A table whose columns, except the first `texts`, are aligned as numbers. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = heads.map((_, place) => (place < texts ? '---' : '---:'));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}
