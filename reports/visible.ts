/**
 * A daemon may send characters that move a terminal's cursor, reverse the direction of text or are not allowed in XML.
 * They are shown as visible escapes. The pages' own code and all other reports share this list.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\p{Cs}|[\u{e0000}-\u{e007f}]/gu;

/** The text with every character that is invisible or affects the reader's screen as an escape: `\x1b`, `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\r') return '\\r';
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}

/** Like `visible`, with tabs and line ends escaped too: for places with one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
