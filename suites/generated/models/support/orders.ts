/** An operation with the daemon's answer to it. */
export interface Done<Operation> {
  readonly operation: Operation;
  readonly status: number;
}

/**
 * The outcome of an operation that succeeded; undefined when the documents say that it should have been refused. Where
 * they do not say, it may change nothing.
 */
export type After<Operation, Outcome> = (outcome: Outcome, done: Done<Operation>) => Outcome | undefined;

/**
 * Every outcome of some order of the operations that keeps each client's own order. An operation that was refused
 * changes nothing: the documents do not say when a daemon may refuse concurrent operations.
 */
export function outcomesOf<Operation, Outcome>(
  first: Outcome,
  clients: readonly (readonly Done<Operation>[])[],
  after: After<Operation, Outcome>,
): Outcome[] {
  const found: Outcome[] = [];
  const go = (outcome: Outcome, rests: readonly (readonly Done<Operation>[])[]): void => {
    if (rests.every((rest) => rest.length === 0)) {
      found.push(outcome);
      return;
    }
    rests.forEach(([next, ...rest], client) => {
      if (!next) return;
      const came = next.status < 400 ? after(outcome, next) : outcome;
      if (came) go(came, rests.with(client, rest));
    });
  };
  go(first, clients);
  return found;
}
