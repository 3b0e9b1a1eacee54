import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { probeImage } from '../../harness/probe/image.ts';
import { probeRun } from './script.ts';

/** The probe image for scripts: compressed, in base64. @param arch the daemon's architecture, in its own words */
export async function probeForScripts(arch: string): Promise<string> {
  const architecture = /arm64|aarch64/.test(arch) ? 'arm64' : 'amd64';
  const { tar } = await probeImage({ architecture, tag: `ec-${probeRun}-probe:latest` });
  return (await promisify(gzip)(tar, { level: 9 })).toString('base64');
}
