/** The names of the members of an object literal, which has only those of its type. */
export function keysOf<const T extends object>(object: T): (keyof T & string)[] {
  // biome-ignore lint/plugin: true of objects that are written out
  return Object.keys(object) as (keyof T & string)[];
}
