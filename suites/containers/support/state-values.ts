import type { Exchange } from '../../../harness/engine/exchange.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';

/** State.Running of an inspect answer (Document 1, Container); undefined where it has none. */
export function runningIn({ json }: Exchange): JsonValue | undefined {
  return valuesAt(json, 'State.Running')[0];
}

/** State.StartedAt of an inspect answer. */
export function startedAt({ json }: Exchange): JsonValue | undefined {
  return valuesAt(json, 'State.StartedAt')[0];
}
