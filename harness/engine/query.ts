/** Query parameters; a list repeats the name, undefined leaves it out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A path with its query string. Booleans are written 1 and 0 (Document 1, Conventions used by all endpoints). */
export function pathWithQuery(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => `${name}=${encodeURIComponent(spelling(one))}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function spelling(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}

/** The value of a `filters` parameter (Document 1, Conventions used by all endpoints). */
export function filters(map: Readonly<Record<string, readonly string[]>>): string {
  return JSON.stringify(map);
}
