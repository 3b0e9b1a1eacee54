/** Names with one character that a name must not have, among others that it may (Document 1, Limits). */
export function mixedNames(base: string): string[] {
  return ['.', ' ', ':', '$', '/'].map((outside) => `${base}${outside}b`);
}
