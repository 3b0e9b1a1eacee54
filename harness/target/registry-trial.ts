import { registryImage } from '../registry/image.ts';
import { Registry } from '../registry/registry.ts';
import { removeMade } from '../sandbox/remove.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { untilThere } from '../sandbox/until-there.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';
import type { Target } from './target.ts';
import { said } from './trial-container.ts';
import { workingVersion } from './working-version.ts';

const pullMs = 30_000;

/**
 * Tries to pull an image from a registry of the suite on the loopback address, without TLS.
 * @returns why that cannot be done; undefined when it can
 */
export async function tryRegistry(transport: Transport, target: Target, sandbox: Sandbox): Promise<string | undefined> {
  const api = workingVersion(target.serves);
  let registry: Registry;
  try {
    registry = await Registry.start();
  } catch (error) {
    return `the suite cannot serve a registry on this machine: ${String(error)}`;
  }
  const path = `${sandbox.prefix}try-registry`;
  const repository = `${registry.host}/${path}`;
  const name = `${repository}:latest`;
  const ask = (method: string, rest: string) =>
    transport.exchange({ method, path: `/v${api}${rest}`, headers: {} }, { wholeMs: pullMs });
  try {
    registry.contents.putImage(path, 'latest', await registryImage(target.architecture, sandbox.labels));
    sandbox.note('image', name);
    const isThere = async () => (await ask('GET', `/images/${name}/json`)).status === 200;
    const pulling = ask('POST', `/images/create?fromImage=${encodeURIComponent(repository)}&tag=latest`);
    const pulled = await untilThere(pulling, isThere);
    if (pulled === 'there' || (await isThere())) return undefined;
    if (registry.seen.length === 0) {
      return `the daemon cannot reach the registry of the suite: POST /images/create answers ${said(pulled)}`;
    }
    return `the daemon cannot pull from the registry of the suite: ${said(pulled)}`;
  } catch (error) {
    if (error instanceof TransportError) return `pulling from the registry of the suite failed: ${error.message}`;
    throw error;
  } finally {
    await removeMade({ transport, api, boundMs: pullMs }, sandbox.run, { kind: 'image', name }).catch(() => {});
    await registry.close();
  }
}
