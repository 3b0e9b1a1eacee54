/** The text with every character that is invisible or acts on the reader's screen as an escape. */
export function escaped(text: string): string;
