import { isDeepStrictEqual } from 'node:util';

/**
 * Whether a value equals what was expected, except for further members of its objects at any depth, which nothing
 * forbids (interpretation `open-objects`). Lists have the same items in the same order.
 */
export function isLike(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) && value.length === expected.length && expected.every((item, at) => isLike(value[at], item))
    );
  }
  if (!isMembers(expected)) return isDeepStrictEqual(value, expected);
  return (
    isMembers(value) &&
    Object.entries(expected).every(([name, member]) => Object.hasOwn(value, name) && isLike(value[name], member))
  );
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
