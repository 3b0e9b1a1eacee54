import { type ApiVersion, apiVersions, compareVersions, newestDocumented } from '../../specs/versions.ts';
import { badParameter } from '../errors.ts';

/** A request path without its version prefix, and the version whose shapes apply. */
export interface Versioned {
  readonly api: ApiVersion;
  readonly path: string;
}

/** The newest of the versions that an engine serves. */
export function newestOf(served: readonly ApiVersion[]): ApiVersion {
  return apiVersions.findLast((version) => served.includes(version)) ?? newestDocumented;
}

/**
 * Reads the version prefix (Document 1, Versioning). A client newer than the engine gets 400, and so does a client of a
 * version that is not served. A path without a prefix gets the newest version, and 1.22, which the documents do not
 * describe, the shapes of 1.21.
 */
export function readVersion(path: string, served: readonly ApiVersion[]): Versioned {
  const newest = newestOf(served);
  const prefix = /^\/v(\d{1,4})\.(\d{1,4})(?=\/|$)/.exec(path);
  if (!prefix) return { api: newest, path };
  const asked = `${prefix[1]}.${prefix[2]}`;
  if (compareVersions(asked, newest) > 0) {
    throw badParameter(`the client's version ${asked} is newer than the engine's, ${newest}`);
  }
  const api = asked === '1.22' ? '1.21' : served.find((version) => version === asked);
  if (api === undefined || !served.includes(api)) {
    throw badParameter(`the client's version ${asked} is none of those that the engine serves: ${served.join(', ')}`);
  }
  return { api, path: path.slice(prefix[0].length) || '/' };
}
