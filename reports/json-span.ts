/** Where a value is in a text, as character offsets. */
export interface TextSpan {
  readonly begin: number;
  readonly end: number;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * Where the value at these steps is in a JSON text, including the name of its member. A value that is absent or cut off
 * is at the start of the object or list that would have it. For several documents in a row, the first step is the index
 * of the document.
 * @returns undefined for a text that is not JSON
 */
export function jsonSpan(text: string, steps: readonly string[]): TextSpan | undefined {
  const tokens = [...text.matchAll(token)].map(({ 0: written, index }) => ({ written, index }));
  let at = 0;
  let found: TextSpan | undefined;

  const [first] = steps;
  const isList = first !== undefined && /^\d+$/.test(first) && tokens[0]?.written !== '[';
  for (let document = 0; at < tokens.length; document++) {
    const rest = isList ? (String(document) === first ? steps.slice(1) : undefined) : steps;
    value(document === 0 || isList ? rest : undefined, at);
  }
  return found;

  /**
   * Skips a value. @param looked the remaining steps, if the value is on the way; @param from its first token, or its
   * name
   */
  function value(looked: readonly string[] | undefined, from: number): void {
    const begin = tokens[from]?.index ?? text.length;
    const opening = tokens[at]?.written;
    const [step, ...rest] = looked ?? [];
    if (looked) found = { begin, end: endOf(at) };
    at++;
    if (opening !== '{' && opening !== '[') return;
    for (let place = 0; at < tokens.length && !/^[}\]]$/.test(tokens[at]?.written ?? ''); place++) {
      const start = at;
      const name = opening === '{' ? nameOf(tokens[at]?.written ?? '') : String(place);
      if (opening === '{') at += 2;
      value(looked && name === step ? rest : undefined, start);
      if (tokens[at]?.written === ',') at++;
    }
    if (looked?.length === 0) found = { begin, end: endOf(at) };
    at++;
  }

  function endOf(place: number): number {
    const last = tokens[Math.min(place, tokens.length - 1)];
    return last ? last.index + last.written.length : text.length;
  }
}

function nameOf(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}
