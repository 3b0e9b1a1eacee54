import type { ApiVersion } from '../../specs/versions.ts';
import { badParameter } from '../errors.ts';

/** The newest API version that the engine serves. */
export const newest: ApiVersion = '1.23';

/** A request path without its version prefix, and the version whose shapes it gets. */
export interface Versioned {
  readonly api: ApiVersion;
  readonly path: string;
}

/**
 * Reads the version prefix (Document 1, Versioning). A client newer than the engine gets 400. A path without a prefix
 * gets the newest version, and 1.22, which the documents do not describe, the shapes of 1.21.
 */
export function readVersion(path: string): Versioned {
  const prefix = /^\/v(\d{1,4})\.(\d{1,4})(?=\/|$)/.exec(path);
  if (!prefix) return { api: newest, path };
  const minor = Number(prefix[1]) === 1 ? Number(prefix[2]) : Number(prefix[1]) * 10_000;
  const rest = path.slice(prefix[0].length) || '/';
  if (minor > 23)
    throw badParameter(`the client's version ${prefix[1]}.${prefix[2]} is newer than the engine's, ${newest}`);
  if (minor < 20)
    throw badParameter(`the client's version ${prefix[1]}.${prefix[2]} is older than the engine's oldest, 1.20`);
  if (minor === 20) return { api: '1.20', path: rest };
  return { api: minor < 23 ? '1.21' : '1.23', path: rest };
}
