import type { Container } from '../../../harness/engine/container.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';

/** The states that the documents name (Document 1, States and transitions). */
const named: readonly unknown[] = ['created', 'restarting', 'running', 'paused', 'exited', 'dead'];

/** Whether a state is one that the documents name, or none is told. */
export function isNamedState(state: unknown): boolean {
  return state === undefined || named.includes(state);
}

/**
 * Waits a moment until an ended container is in a state with a name. An engine may tidy up what is left of a container,
 * its network above all, after wait has answered, and no document forbids a state in between.
 */
export async function hasTidiedUp(container: Pick<Container, 'inspectUntil'>): Promise<void> {
  try {
    await container.inspectUntil('a named state', ({ json }) => isNamedState(valuesAt(json, 'State.Status')[0]));
  } catch (error) {
    // An engine that never shows one deviates from the rule about State.Status, which judges it.
    if (!(error instanceof Blocked)) throw error;
  }
}
