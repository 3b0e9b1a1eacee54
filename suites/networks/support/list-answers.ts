import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import type { Network } from '../../../harness/engine/networks.ts';
import { filters } from '../../../harness/engine/query.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { expectOwnListed } from '../../support/own-things.ts';

/** Asks for the networks that match the filters, to be judged. */
export function listNetworks(engine: Engine, map?: Readonly<Record<string, readonly string[]>>): Promise<Exchange> {
  return engine.get('/networks', map && { filters: filters(map) });
}

/** The items of a list answer. */
export function itemsOf(answer: Exchange): Record<string, JsonValue>[] {
  return Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
}

/** The item of one network; undefined when it is not listed. */
export function itemOf(answer: Exchange, { id, name }: Network): Record<string, JsonValue> | undefined {
  return itemsOf(answer).find(({ Id, Name }) => Id === id || Name === name);
}

/**
 * Of the check's own networks, the list has those in `present` and not the others. Other networks of the daemon are
 * ignored.
 */
export function expectListed(answer: Exchange, present: readonly Network[], absent: readonly Network[]): void {
  const names = (networks: readonly Network[]) => networks.map(({ name }) => name);
  const listed = names([...present, ...absent].filter((network) => itemOf(answer, network)));
  expectOwnListed('networks', answer, { listed, present: names(present), absent: names(absent) });
}
