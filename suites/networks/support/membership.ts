import type { Container } from '../../../harness/engine/container.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import type { Network } from '../../../harness/engine/networks.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import type { Target } from '../../../harness/target/target.ts';

/** A container's networks according to its inspect answer. */
export interface Membership {
  readonly inspect: Exchange;
  /** Names of the networks. */
  readonly names: readonly string[];
  /** The container's endpoint on a network; empty when it is not on it. */
  endpoint(network: Network): Readonly<Record<string, JsonValue>>;
}

/** Asks which networks a container is on. @throws Blocked when inspect fails */
export async function membershipOf(container: Container): Promise<Membership> {
  const inspect = await given(container.inspect(), 200);
  const [networks] = valuesAt(inspect.json, 'NetworkSettings.Networks');
  const endpoints = isObject(networks) ? networks : {};
  return {
    inspect,
    names: Object.keys(endpoints),
    endpoint: ({ name }) => {
      const found = endpoints[name];
      return isObject(found) ? found : {};
    },
  };
}

/** Why no container can be connected to a network on the target. */
export function unlessNetworked({ lacks }: Target): string | undefined {
  return lacks['containers-run'] ?? lacks.networking;
}
