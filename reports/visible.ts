/**
 * What a daemon sends may hold characters that move a terminal's cursor, reverse the direction of the text or have no
 * place in XML. They are shown as escapes that a reader can see. One list for the pages' own code and all other reports.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\p{Cs}|[\u{e0000}-\u{e007f}]/gu;

/** The text with every character that is invisible or acts on the reader's screen as an escape: `\x1b`, `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\r') return '\\r';
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}

/** As `visible`, with tabs and line ends escaped too: for places that have one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
