import { Registry } from '../registry/registry.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';
import type { Target } from './target.ts';
import { said } from './trial-container.ts';
import { workingVersion } from './working-version.ts';

const searchMs = 10_000;

/**
 * Tries to search the index of a registry of the suite, whose host and port precede the term.
 * @returns why that cannot be done; undefined when it can
 */
export async function trySearch(transport: Transport, { serves }: Target): Promise<string | undefined> {
  let registry: Registry;
  try {
    registry = await Registry.start();
  } catch (error) {
    return `the suite cannot serve a registry on this machine: ${String(error)}`;
  }
  const term = encodeURIComponent(`${registry.host}/anything`);
  const path = `/v${workingVersion(serves)}/images/search?term=${term}`;
  try {
    const answer = await transport.exchange({ method: 'GET', path, headers: {} }, { wholeMs: searchMs });
    if (registry.searches.length > 0) return undefined;
    return `the daemon does not search the registry that the term names: ${said(answer)}`;
  } catch (error) {
    if (error instanceof TransportError) return `searching the registry of the suite failed: ${error.message}`;
    throw error;
  } finally {
    await registry.close();
  }
}
