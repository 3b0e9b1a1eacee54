import type { JsonValue } from '../../harness/streams/json.ts';

/** One value of a JSON document: its JSON pointer, and its text in the script's format. */
export interface FlatLine {
  readonly pointer: string;
  readonly value: string;
}

/** A JSON document as the script's lines: lists and objects appear as [ or { with their size. */
export function flat(value: JsonValue, pointer = ''): FlatLine[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item, place) => flat(item, `${pointer}/${place}`));
    return [...items, { pointer, value: `[${value.length}` }];
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    const inner = members.flatMap(([name, member]) => flat(member, `${pointer}/${inPointer(name)}`));
    return [...inner, { pointer, value: `{${members.length}` }];
  }
  return [{ pointer, value: scalar(value) }];
}

/** A value that is neither a list nor an object, in the format of the lines. */
export function scalar(value: JsonValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function inPointer(name: string): string {
  const inner = JSON.stringify(name).slice(1, -1);
  return inner.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${inPointer(step)}`).join('');
}

/** The lines as the script sorts them, byte by byte. */
export function sortedLines(lines: readonly FlatLine[]): string[] {
  return lines
    .map(({ pointer, value }) => Buffer.from(`${pointer}\t${value}`))
    .toSorted((one, other) => Buffer.compare(one, other))
    .map(String);
}
