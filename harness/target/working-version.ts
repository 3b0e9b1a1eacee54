import { type ApiVersion, isDocumented, oldestVersion } from '../../specs/versions.ts';

/**
 * The version for everything outside checks: preparing things, finding out what a target can do, and removing what was
 * made. The newest documented one that the target serves, or else the newest one.
 */
export function workingVersion(serves: readonly ApiVersion[]): ApiVersion {
  return serves.findLast(isDocumented) ?? serves.at(-1) ?? oldestVersion;
}
