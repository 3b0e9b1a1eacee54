import { lookUntil } from '../../harness/engine/look-until.ts';
import type { DaemonClient } from './client.ts';

const api = '/v1.41';

/** Everything a daemon holds, each thing as its inspection shows it, by kind and identifier. */
export type Inventory = Readonly<Record<string, unknown>>;

/** What changes by itself, or when a tag is added and removed. */
const volatile = new Set(['LastTagTime']);

/** Podman shows the time of the request as that of its built-in network's creation. */
const ofTheRequest = /"Created":"[^"]*",?/;

/** How long a daemon may go on with what was asked of it before, in milliseconds. */
const settlingMs = 60_000;

/**
 * Containers, images, volumes and networks of a daemon. What was killed may have asked it for something that goes on:
 * dockerd lists a container, but does not find it, while it looks a quarter of a minute for a driver that does not exist.
 * So all is looked at again while something is listed and not found.
 * @throws Error when that does not end
 */
export async function takeInventory(client: DaemonClient): Promise<Inventory> {
  const { inventory, missing } = await lookUntil(
    () => lookAtAll(client),
    (seen) => seen.missing.length === 0,
    settlingMs,
  );
  if (missing.length > 0) throw new Error(`listed, but not found: ${missing.join(', ')}`);
  return inventory;
}

async function lookAtAll(client: DaemonClient): Promise<{ inventory: Inventory; missing: string[] }> {
  const inventory: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const place of (await listedPlaces(client)).toSorted()) {
    const inspection = await client.lookFor(`${api}/${place}`);
    if (inspection === undefined) {
      missing.push(place);
      continue;
    }
    const shown = JSON.stringify(inspection, withoutVolatile);
    inventory[place] = JSON.parse(place.startsWith('networks/') ? shown.replace(ofTheRequest, '') : shown);
  }
  return { inventory, missing };
}

async function listedPlaces(client: DaemonClient): Promise<string[]> {
  const containers = await client.list(`${api}/containers/json?all=1`);
  const images = await client.list(`${api}/images/json?all=1`);
  const volumes = await client.list(`${api}/volumes`, 'Volumes');
  const networks = await client.list(`${api}/networks`);
  return [
    ...containers.map(({ Id }) => `containers/${Id}/json`),
    ...images.map(({ Id }) => `images/${Id}/json`),
    ...volumes.map(({ Name }) => `volumes/${Name}`),
    ...networks.map(({ Id }) => `networks/${Id}`),
  ];
}

function withoutVolatile(key: string, value: unknown): unknown {
  return volatile.has(key) ? undefined : value;
}
