import { probeImage } from '../probe/image.ts';
import type { Target } from '../target/target.ts';
import { workingVersion } from '../target/working-version.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';
import type { Sandbox } from './sandbox.ts';

const loadMs = 60_000;

/**
 * Loads the probe image under the run's own name.
 * @returns why it cannot be had, undefined when it is there
 */
export async function loadProbe(transport: Transport, target: Target, sandbox: Sandbox): Promise<string | undefined> {
  const { tar } = await probeImage({
    architecture: target.architecture,
    tag: sandbox.image,
    labels: sandbox.labels,
  });
  sandbox.note('image', sandbox.image);
  const api = workingVersion(target.serves);
  const headers = { 'content-type': 'application/x-tar' };
  const load = { method: 'POST', path: `/v${api}/images/load`, headers, body: tar };
  try {
    const loaded = await transport.exchange(load, { wholeMs: loadMs });
    const inspect = { method: 'GET', path: `/v${api}/images/${sandbox.image}/json`, headers: {} };
    const image = await transport.exchange(inspect, { wholeMs: loadMs });
    if (image.status === 200) return undefined;
    return `the probe image could not be loaded: load answered ${loaded.status}, then inspect ${image.status}`;
  } catch (error) {
    if (error instanceof TransportError) return `the probe image could not be loaded: ${error.message}`;
    throw error;
  }
}
