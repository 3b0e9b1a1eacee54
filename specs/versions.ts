/** The API versions that the documents specify, oldest first (Document 1, Versioning). */
export const apiVersions = ['1.20', '1.21', '1.23'] as const;

export type ApiVersion = (typeof apiVersions)[number];

/** The versions for which something holds: from `since` on and up to and including `until`. */
export interface Span {
  readonly since?: ApiVersion;
  readonly until?: ApiVersion;
}

export function isApiVersion(text: string): text is ApiVersion {
  return apiVersions.some((version) => version === text);
}

/** Whether `api` is `since` or newer. */
export function atLeast(api: ApiVersion, since: ApiVersion): boolean {
  return apiVersions.indexOf(api) >= apiVersions.indexOf(since);
}

/** Whether something with this span exists in `api`. */
export function holdsIn(span: Span, api: ApiVersion): boolean {
  return atLeast(api, span.since ?? '1.20') && atLeast(span.until ?? '1.23', api);
}

/** The versions in which all of these spans hold. */
export function overlap(...spans: readonly Span[]): Span {
  const since = apiVersions.findLast((version) => spans.some((span) => span.since === version));
  const until = apiVersions.find((version) => spans.some((span) => span.until === version));
  return { ...(since && { since }), ...(until && { until }) };
}
