/** What two clients do to one container and to names beside it. */
export type Operation =
  | { readonly does: 'start' | 'kill' | 'pause' | 'unpause' | 'remove' | 'remove-by-force' }
  | { readonly does: 'rename' | 'create'; readonly to: string };

/** An operation with the daemon's answer to it. */
export interface Done {
  readonly operation: Operation;
  readonly status: number;
}

/** The container, and the names that other containers have. */
export interface Outcome {
  /** Absent when it was removed. */
  readonly container?: { readonly name: string; readonly runs: boolean; readonly paused: boolean };
  readonly others: readonly string[];
}

/**
 * What comes of an operation that succeeded; undefined when the documents say that it is refused then. Where they do not,
 * as for killing what does not run, it changes nothing.
 */
function after({ container, others }: Outcome, { operation, status }: Done): Outcome | undefined {
  if (operation.does === 'create') {
    const taken = [...others, ...(container ? [container.name] : [])];
    if (taken.includes(operation.to)) return undefined;
    return { ...(container && { container }), others: [...others, operation.to].sort() };
  }
  if (!container) return { others };
  const { runs, paused } = container;
  const changed = (change: Partial<typeof container>): Outcome => ({ container: { ...container, ...change }, others });
  switch (operation.does) {
    case 'start':
      // 304 says that it ran already.
      return status === 304 && !runs ? undefined : changed({ runs: true });
    case 'kill':
      return changed({ runs: false, paused: false });
    case 'pause':
      return changed({ paused: runs });
    case 'unpause':
      return changed({ paused: false });
    case 'rename':
      return others.includes(operation.to) ? undefined : changed({ name: operation.to });
    case 'remove':
      return runs || paused ? undefined : { others };
    case 'remove-by-force':
      return { others };
  }
}

/**
 * Every outcome that some order of the operations leads to, each client's own in its order. An operation that was refused
 * changes nothing: the documents do not say when a daemon may refuse what comes at the same time.
 */
export function outcomesOf(first: Outcome, clients: readonly (readonly Done[])[]): Outcome[] {
  const found: Outcome[] = [];
  const go = (outcome: Outcome, rests: readonly (readonly Done[])[]): void => {
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
