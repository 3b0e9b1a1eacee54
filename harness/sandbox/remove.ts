import { mayBeAbsent } from '../serving/absence.ts';
import { Blocked } from '../verdict/outcomes.ts';
import type { ResourceKind } from './journal.ts';
import { ask, type DaemonAccess, inspect, isNameOf, isOfRun, listUnnamedImages, type MadeThing } from './ownership.ts';

/** `refused`: it exists, but the daemon does not remove it, or it is not the run's. */
export type Removal = 'removed' | 'absent' | 'refused';

// With force, as it may be running, and with its anonymous volumes.
const paths: Readonly<Record<ResourceKind, (ref: string) => string>> = {
  container: (ref) => `/containers/${ref}?force=1&v=1`,
  image: (ref) => `/images/${ref}?force=1`,
  volume: (ref) => `/volumes/${ref}`,
  network: (ref) => `/networks/${ref}`,
};

/**
 * Removes one thing that a run made, and nothing else: by name, if that is one of the run's, which nothing else has; by
 * identifier only if the thing under it is shown to be the run's. Where a build did not make its image, what it left is
 * removed: some engines answer slowly where there are many images.
 * @throws TransportError when the daemon does not answer
 */
export async function removeMade(
  daemon: DaemonAccess,
  run: string,
  { kind, name, id, isNew, label }: MadeThing,
): Promise<Removal> {
  let byName: Removal = 'refused';
  if (isNameOf(run, name) || isNew) {
    byName = await removal(daemon, kind, name);
    if (byName === 'absent' && label !== undefined) return removeUnnamed(daemon, label);
    // A renamed thing is not found, and networks with the same name cannot be told apart.
    if (byName === 'removed' || id === undefined) return byName;
  }
  const known = id ?? name;
  return (await isOfRun(daemon, run, { kind, id: known })) ? removal(daemon, kind, known) : byName;
}

async function removeUnnamed(daemon: DaemonAccess, label: string): Promise<Removal> {
  const removals: Removal[] = [];
  for (const id of await listUnnamedImages(daemon, label)) removals.push(await removal(daemon, 'image', id));
  if (removals.includes('refused')) return 'refused';
  return removals.includes('removed') ? 'removed' : 'absent';
}

async function removal(daemon: DaemonAccess, kind: ResourceKind, ref: string): Promise<Removal> {
  try {
    const { status } = await ask(daemon, 'DELETE', paths[kind](encodeURIComponent(ref)));
    if (status < 300) return 'removed';
    if (status === 404) return 'absent';
    // If neither is served, the run cannot have made one.
    const isServed = !mayBeAbsent(status) || !mayBeAbsent((await inspect(daemon, kind, ref)).status);
    return isServed ? 'refused' : 'absent';
  } catch (error) {
    if (error instanceof Blocked) return 'refused'; // The guard of what was there before the run.
    throw error;
  }
}
