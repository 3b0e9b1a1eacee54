import { documentedVersions, firstCarried, newestVersion } from '../../specs/versions.ts';

/** The versions that tests of every schema try: between these ends only rows of Document 4 make a difference. */
export const endsOfVersions = [...documentedVersions, firstCarried, newestVersion] as const;
