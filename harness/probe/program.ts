import { readFile } from 'node:fs/promises';

/** The architectures the probe is built for, in the words of an image's configuration. */
export type ProbeArchitecture = 'amd64' | 'arm64';

const programs: Readonly<Record<ProbeArchitecture, URL>> = {
  amd64: new URL('./bin/probe-linux-amd64', import.meta.url),
  arm64: new URL('./bin/probe-linux-arm64', import.meta.url),
};

/** The static program that `docs/probe.md` describes, as built by `scripts/build-probe.sh`. */
export function probeProgram(architecture: ProbeArchitecture): Promise<Buffer> {
  return readFile(programs[architecture]);
}

/** The `ps` of the probe image (`docs/probe.md`), built beside it. */
export function psProgram(architecture: ProbeArchitecture): Promise<Buffer> {
  return readFile(new URL(`./bin/ps-linux-${architecture}`, import.meta.url));
}
