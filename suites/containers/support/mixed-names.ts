/** Names with one character outside of those that a name may have, among others that it may (Document 1, Limits). */
export function mixedNames(base: string): string[] {
  return ['.', ' ', ':', '$', '/'].map((outside) => `${base}${outside}b`);
}
