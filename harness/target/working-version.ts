import { type ApiVersion, isDocumented, oldestVersion } from '../../specs/versions.ts';

/**
 * The version in which the kit does what is part of no check: it makes things ready, finds out what a target can do, and
 * removes what was made. The newest documented one that the target serves; where it serves none the newest.
 */
export function workingVersion(serves: readonly ApiVersion[]): ApiVersion {
  return serves.findLast(isDocumented) ?? serves.at(-1) ?? oldestVersion;
}
