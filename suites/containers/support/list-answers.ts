import type { Container } from '../../../harness/engine/container.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { filters, type Query } from '../../../harness/engine/query.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { expectOwnListed } from '../../support/own-things.ts';

/** Asks for the container list, to be judged. */
export function list(engine: Engine, query: Query = {}): Promise<Exchange> {
  return engine.get('/containers/json', query);
}

/** Asks for all containers that match the filters. */
export function listFiltered(engine: Engine, map: Readonly<Record<string, readonly string[]>>): Promise<Exchange> {
  return list(engine, { all: true, filters: filters(map) });
}

/** The items of a list answer. */
export function itemsOf(answer: Exchange): JsonValue[] {
  return Array.isArray(answer.json) ? answer.json : [];
}

/** The item of one container; undefined when it is not listed. */
export function itemOf(
  answer: Exchange,
  container: Pick<Container, 'id' | 'name'>,
): Record<string, JsonValue> | undefined {
  return itemsOf(answer)
    .filter(isObject)
    .find(({ Id, Names }) => Id === container.id || (Array.isArray(Names) && Names.includes(`/${container.name}`)));
}

/**
 * Of the check's own containers, the list has those in `present` and not those in `absent`. Other containers of the
 * daemon are ignored.
 */
export function expectListed(
  answer: Exchange,
  present: readonly Pick<Container, 'id' | 'name'>[],
  absent: readonly Pick<Container, 'id' | 'name'>[],
): void {
  const names = (containers: readonly Pick<Container, 'name'>[]) => containers.map(({ name }) => name);
  const listed = names([...present, ...absent].filter((container) => itemOf(answer, container)));
  expectOwnListed('containers', answer, { listed, present: names(present), absent: names(absent) });
}
