import type { JsonValue } from './json.ts';

/** An object that may have a field, found by the path to the field, with the field's name. */
export interface Holder {
  readonly object: Record<string, JsonValue>;
  readonly name: string;
}

/**
 * Finds every object that may have the field of a path such as `State.Running`, `Ports[].Type`, `Networks{}.Gateway`.
 * Where a list, a map or an outer object is missing or of another type, there is none.
 */
export function holdersOf(root: JsonValue, path: string): Holder[] {
  const steps = path.split('.');
  const name = steps.pop() ?? '';
  const objects = steps.reduce<JsonValue[]>((found, step) => found.flatMap((value) => descend(value, step)), [root]);
  return objects.flatMap((object) => (isObject(object) ? [{ object, name }] : []));
}

/** The values at a path, in document order; absent ones are left out. */
export function valuesAt(root: JsonValue, path: string): JsonValue[] {
  return holdersOf(root, path).flatMap(({ object, name }) => {
    const value = member(object, name);
    return value === undefined ? [] : [value];
  });
}

function descend(value: JsonValue, step: string): JsonValue[] {
  const [, name = '', markers = ''] = /^(.*?)((?:\[\]|\{\})*)$/.exec(step) ?? [];
  const inner = isObject(value) ? member(value, name) : undefined;
  const start = inner === undefined ? [] : [inner];
  return (markers.match(/\[\]|\{\}/g) ?? []).reduce<JsonValue[]>(
    (found, marker) => found.flatMap((one) => spread(one, marker)),
    start,
  );
}

/** Not inherited members, such as `constructor`. */
function member(object: Record<string, JsonValue>, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function spread(value: JsonValue, marker: string): JsonValue[] {
  if (marker === '[]') return Array.isArray(value) ? value : [];
  return isObject(value) ? Object.values(value) : [];
}

export function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
