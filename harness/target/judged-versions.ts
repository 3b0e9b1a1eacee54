import { type ApiVersion, apiVersions, beyondContract, isApiVersion, isDocumented } from '../../specs/versions.ts';

/** A version by its number or relative to the target: the newest that it serves, or all that it serves. */
export type ApiWish = ApiVersion | 'newest' | 'served';

export function isApiWish(text: string): text is ApiWish {
  return text === 'newest' || text === 'served' || isApiVersion(text);
}

/**
 * The versions to be judged, oldest first.
 * @param wishes what the user asked for; by default the documented versions that are served, or else the newest
 */
export function judgedVersions(
  wishes: readonly ApiWish[] | undefined,
  serves: readonly ApiVersion[],
): readonly ApiVersion[] {
  if (wishes === undefined) {
    const documented = serves.filter(isDocumented);
    return documented.length > 0 ? documented : serves.slice(-1);
  }
  const chosen = new Set(
    wishes.flatMap((wish) => (wish === 'served' ? serves : wish === 'newest' ? serves.slice(-1) : [wish])),
  );
  return apiVersions.filter((version) => chosen.has(version));
}

/** Why these versions are judged, in words. */
export function whyJudged(
  wishes: readonly ApiWish[] | undefined,
  { serves, apiVersion }: { readonly serves: readonly ApiVersion[]; readonly apiVersion: string },
): string {
  const beyond = beyondContract(apiVersion);
  const newest = beyond === undefined ? '' : `; ${beyond}`;
  if (wishes !== undefined) return `asked for with --api ${wishes.join(',')}${newest}`;
  return serves.some(isDocumented)
    ? `these are the documented versions that the target serves; use --api newest or --api served for others${newest}`
    : `the target serves no documented version; this is the newest it serves that the contract knows${newest}`;
}
