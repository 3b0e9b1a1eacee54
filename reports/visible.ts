import { escaped } from './html/client/visible.js';

/** The text with every character that is invisible or acts on the reader's screen as an escape: `\x1b`, `\u{202e}`. */
export function visible(text: string): string {
  return escaped(text);
}

/** As `visible`, with tabs and line ends escaped too: for places that have one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
