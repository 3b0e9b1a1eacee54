/** Fewer NULs are written out: a command of their own costs some characters, too. */
const zeros = /(\0{12,})/;

/**
 * A shell command that writes these bytes to its output. Archives, which are mostly text and NULs, stay readable: text comes from
 * printf, and NULs by their number. What takes more characters so than in base64 is in base64.
 */
export function writesBytes(bytes: Buffer): string {
  const pieces = bytes.toString('latin1').split(zeros);
  const commands = pieces.filter((piece) => piece !== '').map(commandOf);
  const readable = commands.length === 1 ? commands.join('') : `{ ${commands.join('; ')}; }`;
  const encoded = `printf %s '${bytes.toString('base64')}' | base64 -d`;
  return commands.length > 0 && readable.length <= encoded.length ? readable : encoded;
}

/** @param piece a character for each byte: NULs alone, or what is between them */
function commandOf(piece: string): string {
  return zeros.test(piece) ? `head -c ${piece.length} /dev/zero` : `printf '${formatOf(piece)}'`;
}

const escapes: Readonly<Record<string, string>> = {
  '%': '%%',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
};

/** What printf or the quotes would take for their own is escaped, and so is a first dash. */
function formatOf(text: string): string {
  return text.replace(/^-|[^ -~]|[%\\']/g, (character) => escapes[character] ?? `\\${octal(character)}`);
}

function octal(character: string): string {
  return character.charCodeAt(0).toString(8).padStart(3, '0');
}
