import { mayBeAbsent } from '../serving/absence.ts';
import { Blocked } from '../verdict/outcomes.ts';
import type { ResourceKind } from './journal.ts';
import { type Asked, ask, inspect, isNameOf, isOfRun, type Made } from './ownership.ts';

/** `refused`: it is there, and the daemon does not remove it, or it is not the run's. */
export type Removal = 'removed' | 'absent' | 'refused';

// Forced, as it may run; with its anonymous volumes.
const paths: Readonly<Record<ResourceKind, (ref: string) => string>> = {
  container: (ref) => `/containers/${ref}?force=1&v=1`,
  image: (ref) => `/images/${ref}?force=1`,
  volume: (ref) => `/volumes/${ref}`,
  network: (ref) => `/networks/${ref}`,
};

/**
 * Removes one thing that a run made, and nothing else: by its name when that is one of the run's, which no other thing
 * has. By an identifier only when what the daemon has under it shows that it is the run's.
 * @throws TransportError when the daemon does not answer
 */
export async function removeMade(asked: Asked, run: string, { kind, name, id, isNew }: Made): Promise<Removal> {
  let byName: Removal = 'refused';
  if (isNameOf(run, name) || isNew) {
    byName = await removal(asked, kind, name);
    // A renamed thing is not found, and one of several networks of a name is not told from the others.
    if (byName === 'removed' || id === undefined) return byName;
  }
  const known = id ?? name;
  return (await isOfRun(asked, run, { kind, id: known })) ? removal(asked, kind, known) : byName;
}

async function removal(asked: Asked, kind: ResourceKind, ref: string): Promise<Removal> {
  try {
    const { status } = await ask(asked, 'DELETE', paths[kind](encodeURIComponent(ref)));
    if (status < 300) return 'removed';
    if (status === 404) return 'absent';
    // Where neither is served there is none that the run could have made.
    const isServed = !mayBeAbsent(status) || !mayBeAbsent((await inspect(asked, kind, ref)).status);
    return isServed ? 'refused' : 'absent';
  } catch (error) {
    if (error instanceof Blocked) return 'refused'; // The guard of what was there before the run.
    throw error;
  }
}
