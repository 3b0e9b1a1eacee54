import { parseReference, type Reference } from '../images/reference.ts';

/** A repository of a registry. */
export interface RegistryPlace extends Reference {
  /** Host name and port of the registry. */
  readonly host: string;
  /** Path of the repository on the registry. */
  readonly path: string;
}

/**
 * Where an image's name points to; undefined for a name without a registry, as this engine knows no registry by itself.
 */
export function placeOf(name: string): RegistryPlace | undefined {
  const reference = parseReference(name);
  const slash = reference.repository.indexOf('/');
  const host = reference.repository.slice(0, Math.max(slash, 0));
  const path = reference.repository.slice(slash + 1);
  if (!/[.:]|^localhost$/.test(host) || path === '') return undefined;
  return { ...reference, host, path };
}
