import { type ApiVersion, isDocumented } from '../../../specs/versions.ts';

/**
 * Names with one character that a name must not have, among others that it may (Document 1, Limits). Later versions
 * take a dot as well (Document 4, General rules).
 */
export function mixedNames(base: string, api: ApiVersion): string[] {
  const outside = [' ', ':', '$', '/', ...(isDocumented(api) ? ['.'] : [])];
  return outside.map((character) => `${base}${character}b`);
}

/** Names of permitted characters only; in later versions only those that the newer pattern takes as well. */
export function plainNames(base: string, api: ApiVersion): string[] {
  return [...(isDocumented(api) ? [`_${base}`, `-${base}`] : []), `${base}_A-9`];
}
