/** Text for the format of printf, and how many NULs come after it. */
interface ShellPiece {
  /** To be put in single quotes. */
  readonly format: string;
  readonly zeros: number;
}

/** Fewer NULs are written out: each piece costs some characters, too. */
const leastZeros = 12;

/** Bytes as pieces that a shell can write: archives, which are mostly text and NULs, stay readable so. */
function shellPieces(bytes: Buffer): ShellPiece[] {
  const pieces: ShellPiece[] = [];
  const runs = new RegExp(`\\0{${leastZeros},}`, 'g');
  const text = bytes.toString('latin1');
  let from = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    pieces.push({ format: formatOf(text.slice(from, index)), zeros: run.length });
    from = index + run.length;
  }
  if (from < text.length || pieces.length === 0) pieces.push({ format: formatOf(text.slice(from)), zeros: 0 });
  return pieces;
}

/** A shell command that writes these bytes to its output: readable where that takes no more characters than base64. */
export function writesBytes(bytes: Buffer): string {
  const commands = shellPieces(bytes).flatMap(({ format, zeros }) => [
    ...(format === '' ? [] : [`printf '${format}'`]),
    ...(zeros === 0 ? [] : [`head -c ${zeros} /dev/zero`]),
  ]);
  const readable = commands.length === 1 ? commands.join('') : `{ ${commands.join('; ')}; }`;
  const encoded = `printf %s '${bytes.toString('base64')}' | base64 -d`;
  return commands.length > 0 && readable.length <= encoded.length ? readable : encoded;
}

const escapes: Readonly<Record<string, string>> = {
  '%': '%%',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
};

/** What printf or the quotes would take for their own is escaped, and so is a first dash. @param text a character for each byte */
function formatOf(text: string): string {
  return text.replace(/^-|[^ -~]|[%\\']/g, (character) => escapes[character] ?? `\\${octal(character)}`);
}

function octal(character: string): string {
  return character.charCodeAt(0).toString(8).padStart(3, '0');
}
