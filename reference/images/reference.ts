/** A repository with a tag or a digest. */
export interface Reference {
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

/** Reads `repository[:tag][@digest]`; a colon before a slash belongs to a registry's port. */
export function parseReference(text: string): Reference {
  const [name = '', digest] = text.split('@', 2);
  const colon = name.lastIndexOf(':');
  if (colon < 0 || name.indexOf('/', colon) >= 0) return { repository: name, tag: undefined, digest };
  return { repository: name.slice(0, colon), tag: name.slice(colon + 1) || undefined, digest };
}

/** `repository:tag`, with the tag `latest` when there is none. */
export function taggedName({ repository, tag }: Reference): string {
  return `${repository}:${tag ?? 'latest'}`;
}
