/** The names of the members of an object that is written out in the code, which has no others than its type says. */
export function keysOf<const T extends object>(object: T): (keyof T & string)[] {
  // biome-ignore lint/plugin: true of objects that are written out
  return Object.keys(object) as (keyof T & string)[];
}
