import type { Container } from '../../../harness/engine/container.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';

/** The states that the documents name (Document 1, States and transitions). */
const named: readonly unknown[] = ['created', 'restarting', 'running', 'paused', 'exited', 'dead'];

/** Whether a state is one that the documents name, or is not given. */
export function isNamedState(state: unknown): boolean {
  return state === undefined || named.includes(state);
}

/**
 * Waits a moment until an ended container is in a documented state. An engine may clean up after a container, above all
 * its network, after wait has answered, and no document forbids a state in between.
 */
export async function hasTidiedUp(container: Pick<Container, 'inspectUntil'>): Promise<void> {
  try {
    await container.inspectUntil('a named state', ({ json }) => isNamedState(valuesAt(json, 'State.Status')[0]));
  } catch (error) {
    // An engine that never shows one breaks the rule about State.Status, which judges it.
    if (!(error instanceof Blocked)) throw error;
  }
}
