/** The API versions that Documents 1 to 3 specify, oldest first (Document 1, Versioning). */
export const documentedVersions = ['1.20', '1.21', '1.23'] as const;

/**
 * The later ones, oldest first: the contract of the newest documented version, carried forward by the rows of
 * Document 4 (`specs/later/`).
 */
// biome-ignore format: one line for ten versions
export const carriedVersions = [
  '1.24', '1.25', '1.26', '1.27', '1.28', '1.29',
  '1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37', '1.38', '1.39',
  '1.40', '1.41', '1.42', '1.43', '1.44', '1.45', '1.46', '1.47', '1.48', '1.49',
  '1.50', '1.51', '1.52', '1.53', '1.54', '1.55',
] as const;

/** Every version that the contract knows, oldest first. */
export const apiVersions = [...documentedVersions, ...carriedVersions] as const;

export type DocumentedVersion = (typeof documentedVersions)[number];
export type CarriedVersion = (typeof carriedVersions)[number];
export type ApiVersion = DocumentedVersion | CarriedVersion;

export const oldestVersion: ApiVersion = documentedVersions[0];
export const newestDocumented: ApiVersion = lastOf(documentedVersions);
export const firstCarried: CarriedVersion = carriedVersions[0];
export const newestVersion: ApiVersion = lastOf(carriedVersions);

/** The versions for which something holds: from `since` on, up to and including `until`. */
export interface Span {
  readonly since?: ApiVersion;
  /** Absent: all later versions have it, too. */
  readonly until?: ApiVersion;
}

const places: ReadonlyMap<string, number> = new Map(apiVersions.map((version, place) => [version, place]));

export function isApiVersion(text: string): text is ApiVersion {
  return places.has(text);
}

/** Whether Documents 1 to 3 specify the version; otherwise it is a carried one. */
export function isDocumented(api: ApiVersion): api is DocumentedVersion {
  return documentedVersions.some((version) => version === api);
}

/** Orders versions by their numbers, whether the contract knows them or not: negative when `one` is older. */
export function compareVersions(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}

/** The known version before this one; undefined for the oldest. */
export function versionBefore(api: ApiVersion): ApiVersion | undefined {
  return apiVersions[placeOf(api) - 1];
}

/** Whether `api` is `since` or newer. */
export function atLeast(api: ApiVersion, since: ApiVersion): boolean {
  return placeOf(api) >= placeOf(since);
}

/** Whether something with this span exists in `api`. */
export function holdsIn({ since, until }: Span, api: ApiVersion): boolean {
  return (since === undefined || atLeast(api, since)) && (until === undefined || atLeast(until, api));
}

/** The versions in which all of these spans hold. */
export function overlap(...spans: readonly Span[]): Span {
  let since: ApiVersion | undefined;
  let until: ApiVersion | undefined;
  for (const span of spans) {
    if (span.since !== undefined && (since === undefined || atLeast(span.since, since))) since = span.since;
    if (span.until !== undefined && (until === undefined || atLeast(until, span.until))) until = span.until;
  }
  return { ...(since && { since }), ...(until && { until }) };
}

/** Versions in words, runs of carried ones as one: `1.21, 1.23; carried: 1.24 to 1.40, 1.42`. */
export function versionsInWords(versions: readonly ApiVersion[]): string {
  const documented = versions.filter(isDocumented).join(', ');
  const carried = runsOf(versions.filter((version) => !isDocumented(version))).map(([first, last]) =>
    first === last ? first : `${first} to ${last}`,
  );
  return [documented, carried.length > 0 ? `carried: ${carried.join(', ')}` : ''].filter(Boolean).join('; ');
}

/** Reports that a daemon announces a version that the contract does not know yet; undefined when it does not. */
export function beyondContract(announced: string): string | undefined {
  if (!/^\d+\.\d+$/.test(announced) || compareVersions(announced, newestVersion) <= 0) return undefined;
  return `the daemon's newest version, ${announced}, is newer than the contract, which ends with ${newestVersion}`;
}

/** The first and last of each run of consecutive ones. */
function runsOf(versions: readonly ApiVersion[]): [ApiVersion, ApiVersion][] {
  const runs: [ApiVersion, ApiVersion][] = [];
  for (const version of versions) {
    const last = runs.at(-1);
    if (last && last[1] === versionBefore(version)) last[1] = version;
    else runs.push([version, version]);
  }
  return runs;
}

function lastOf<V>(versions: readonly [V, ...V[]]): V {
  return versions.at(-1) ?? versions[0];
}

function placeOf(api: ApiVersion): number {
  return places.get(api) ?? -1;
}
