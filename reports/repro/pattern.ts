const classes: Readonly<Record<string, string>> = { d: '0-9', w: '[:alnum:]_', s: '[:space:]' };

const wordEnd = '($|[^[:alnum:]_])';

/**
 * A JavaScript pattern in a form that `grep -E` interprets alike, for texts encoded as in JSON, without their quotes.
 * Undefined where there is no such form.
 */
export function extendedPattern(source: string): string | undefined {
  let written = '';
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? '';
    const next = source[at + 1] ?? '';
    if (character === '\\') {
      const isEnd = at + 2 === source.length;
      // The end of a word is recognized by what follows it; elsewhere a look-behind would be needed.
      const escaped = inClass ? insideClass(next) : next === 'b' && isEnd ? wordEnd : outsideClass(next);
      if (escaped === undefined) return undefined;
      written += escaped;
      at++;
    } else if (character === '(' && next === '?') {
      if (source[at + 2] !== ':') return undefined;
      written += '(';
      at += 2;
    } else if (/[*+?}]/.test(character) && !inClass && next === '?') {
      return undefined;
    } else {
      if (character === '[') inClass = true;
      if (character === ']') inClass = false;
      written += character === '"' ? '\\\\"' : character;
    }
  }
  return written;
}

function insideClass(letter: string): string | undefined {
  return classes[letter] ?? (/[.+/*?()]/.test(letter) ? letter : undefined);
}

function outsideClass(letter: string): string | undefined {
  const known = classes[letter];
  if (known !== undefined) return `[${known}]`;
  if (/[nrt]/.test(letter)) return `\\\\${letter}`;
  if (letter === '/' || letter === '-') return letter;
  return /[.+*?()[\]{}|^$]/.test(letter) ? `\\${letter}` : undefined;
}
