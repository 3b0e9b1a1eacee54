import type { Capability } from '../specs/capabilities.ts';

const words: ReadonlyMap<string, string> = new Map<Capability, string>([
  ['containers-run', 'containers that run'],
  ['privileged', 'privileged containers'],
  ['freezer', 'a freezer to pause containers'],
  ['networking', 'a network for containers'],
  ['host-paths', "the files of the suite's machine"],
  ['journald', 'journald'],
  ['cors-origin', 'an api-cors-header that was named'],
  ['reaches-suite', "a way to the suite's machine"],
  ['registry', "a way to the suite's registry"],
  ['search-index', "searches in the suite's registry"],
  ['hostile', 'permission to send hostile requests'],
  ['token-user', 'a token endpoint with a user'],
]);

/** What a target or a run lacks, as people say it. Reports of other versions of the kit may have other names. */
export function lackingInWords(capability: string): string {
  return words.get(capability) ?? capability;
}
