import type { Container } from '../../../harness/engine/container.ts';
import type { Network } from '../../../harness/engine/networks.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { itemOf as containerIn } from '../../containers/support/list-answers.ts';
import { plainId } from '../../images/support/committed-images.ts';
import { itemOf as networkIn } from '../../networks/support/list-answers.ts';
import { volumePath } from '../../volumes/support/volumes.ts';
import type { Account } from './agreement.ts';

/** The endpoints that describe a container. */
export function accountsOfContainer(container: Container): readonly Account[] {
  return [
    { path: container.path('json'), fields: 'containers.inspect.field.' },
    {
      path: '/containers/json?all=1',
      fields: 'containers.list.field.',
      itemOf: (answer) => containerIn(answer, container),
    },
  ];
}

/** @param id without `sha256:` */
export function accountsOfImage(name: string, id: string): readonly Account[] {
  return [
    { path: `/images/${name}/json`, fields: 'images.inspect.field.' },
    {
      path: '/images/json',
      fields: 'images.list.field.',
      itemOf: ({ json }) => find(json, ({ Id }) => plainId(Id) === id),
    },
  ];
}

export function accountsOfVolume(name: string): readonly Account[] {
  const inList = (json: JsonValue) => find(isObject(json) ? (json.Volumes ?? null) : null, ({ Name }) => Name === name);
  return [
    { path: volumePath(name), fields: 'volumes.inspect.field.' },
    // The fields of an item are those of the volume that inspect shows.
    { path: '/volumes', fields: 'volumes.inspect.field.', itemOf: ({ json }) => inList(json) },
  ];
}

export function accountsOfNetwork(network: Network): readonly Account[] {
  return [
    { path: `/networks/${network.id}`, fields: 'networks.inspect.field.' },
    { path: '/networks', fields: 'networks.list.field.', itemOf: (answer) => networkIn(answer, network) },
  ];
}

function find(list: JsonValue, holds: (item: Record<string, JsonValue>) => boolean): JsonValue | undefined {
  return Array.isArray(list) ? list.filter(isObject).find(holds) : undefined;
}
