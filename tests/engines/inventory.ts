import type { DaemonClient } from './client.ts';

const api = '/v1.41';

/** Everything a daemon holds, each thing as its inspection shows it, by kind and identifier. */
export type Inventory = Readonly<Record<string, unknown>>;

/** What changes by itself, or when a tag is added and removed. */
const volatile = new Set(['LastTagTime']);

/** Podman shows the time of the request as that of its built-in network's creation. */
const ofTheRequest = /"Created":"[^"]*",?/;

/** Containers, images, volumes and networks of a daemon. */
export async function takeInventory(client: DaemonClient): Promise<Inventory> {
  const containers = await client.list(`${api}/containers/json?all=1`);
  const images = await client.list(`${api}/images/json?all=1`);
  const volumes = await client.list(`${api}/volumes`, 'Volumes');
  const networks = await client.list(`${api}/networks`);
  const places = [
    ...containers.map(({ Id }) => `containers/${Id}/json`),
    ...images.map(({ Id }) => `images/${Id}/json`),
    ...volumes.map(({ Name }) => `volumes/${Name}`),
    ...networks.map(({ Id }) => `networks/${Id}`),
  ];
  const inventory: Record<string, unknown> = {};
  for (const place of places.toSorted()) {
    const shown = JSON.stringify(await client.json('GET', `${api}/${place}`), withoutVolatile);
    inventory[place] = JSON.parse(place.startsWith('networks/') ? shown.replace(ofTheRequest, '') : shown);
  }
  return inventory;
}

function withoutVolatile(key: string, value: unknown): unknown {
  return volatile.has(key) ? undefined : value;
}
