import type { Container } from '../../../harness/engine/container.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';

/** Removes a link, to be judged. Its name is that of the container that has it, followed by the alias. */
export function removeLink(engine: Engine, { name }: Container, alias: string, link: string): Promise<Exchange> {
  return engine.delete(`/containers/${encodeURIComponent(`${name}/${alias}`)}`, { link });
}

/**
 * The address of a running container on the bridge. It stands with its network, and in older versions also, or only, in
 * the settings themselves (Document 4, containers.inspect.networksettings.flat).
 * @throws Blocked where inspect has neither
 */
export function addressIn(inspect: Exchange): string {
  const places = ['NetworkSettings.Networks{}.IPAddress', 'NetworkSettings.IPAddress'];
  const shown = places.flatMap((place) => valuesAt(inspect.json, place));
  const address = shown.find((value) => typeof value === 'string' && value !== '');
  if (typeof address !== 'string') throw new Blocked('inspect of a running container has no address');
  return address;
}
