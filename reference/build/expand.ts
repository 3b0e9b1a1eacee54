/** Values of variables by their names. */
export type Variables = ReadonlyMap<string, string>;

/** Instructions in which variables are expanded. */
const expanding: ReadonlySet<string> = new Set([
  'ADD',
  'COPY',
  'ENV',
  'EXPOSE',
  'FROM',
  'LABEL',
  'STOPSIGNAL',
  'USER',
  'VOLUME',
  'WORKDIR',
]);

/** The arguments of an instruction with its variables replaced by their values. */
export function expandArguments(word: string, rest: string, variables: Variables): string {
  return expanding.has(word) ? expand(rest, variables) : rest;
}

/** Replaces `$name`, `${name}`, `${name:-default}` and `${name:+instead}`; a backslash keeps the dollar sign. */
function expand(text: string, variables: Variables): string {
  const pattern = /\\\$|\$(\w+)|\$\{(\w+)(?::([-+])([^}]*))?\}|'[^']*'/g;
  return text.replace(pattern, (all: string, plain?: string, braced?: string, sign?: string, word = '') => {
    if (all === '\\$') return '$';
    if (all.startsWith("'")) return all;
    const value = variables.get(plain ?? braced ?? '') ?? '';
    if (sign === '-') return value || word;
    if (sign === '+') return value && word;
    return value;
  });
}
