import { setTimeout as delay } from 'node:timers/promises';
import type { ApiVersion } from '../../specs/versions.ts';
import { workingVersion } from '../target/working-version.ts';
import type { Transport } from '../transport/wire.ts';
import type { Journal, ResourceKind } from './journal.ts';
import { type DaemonAccess, listOwned, type MadeThing } from './ownership.ts';
import { removeMade } from './remove.ts';

const removeMs = 30_000;
/** Containers use all the others. */
const order: readonly ResourceKind[] = ['container', 'network', 'volume', 'image'];
/** What a daemon was still making or removing at the first request has appeared or gone by a later one. */
const rounds = 5;
const pauseMs = 200;

export interface CleanOptions {
  /** Bound of each exchange in milliseconds. */
  readonly boundMs?: number;
  /** Called for each thing that was removed. */
  readonly removed?: (what: string) => void;
}

/**
 * Removes what a run made: what the daemon lists as the run's until it lists nothing more, and then what else may be left
 * of the journal. Deletes the journal when nothing is left.
 * @returns what could not be removed, in words
 */
export async function cleanRun(
  transport: Transport,
  serves: readonly ApiVersion[],
  journal: Pick<Journal, 'run' | 'entries' | 'remove'>,
  { boundMs = removeMs, removed = () => {} }: CleanOptions = {},
): Promise<string[]> {
  if (serves.length === 0) return [];
  const api = workingVersion(serves);
  const left = await removeAll({ transport, api, boundMs }, journal, removed).catch((error: unknown) => [
    `the target did not answer: ${error instanceof Error ? error.message : String(error)}`,
  ]);
  if (left.length === 0) journal.remove();
  return left;
}

async function removeAll(
  daemon: DaemonAccess,
  journal: Pick<Journal, 'run' | 'entries'>,
  removed: (what: string) => void,
): Promise<string[]> {
  /** @returns whether it is gone */
  const take = async (made: MadeThing) => {
    const outcome = await removeMade(daemon, journal.run, made);
    if (outcome === 'removed') removed(`${made.kind} ${made.name}`);
    return outcome !== 'refused';
  };
  const unlisted = new Set<ResourceKind>();
  let left: string[] = [];
  for (let round = 1; ; round++) {
    const owned = await listOwned(daemon, journal.run);
    for (const kind of order) if (!owned[kind]) unlisted.add(kind);
    const found = order.flatMap((kind) => owned[kind] ?? []);
    // A daemon that does not serve the removal answers as if nothing were there, and still lists it.
    left = round > rounds ? found.map(({ kind, name }) => `${kind} ${name}`) : [];
    if (round > rounds) break;
    for (const made of found) if (!(await take(made))) left.push(`${made.kind} ${made.name}`);
    if (found.length === 0) break;
    if (left.length > 0 || round > 1) await delay(pauseMs);
  }
  // Everything listed is gone now; names are also tried where there is no list, or it may be incomplete.
  for (const { gone, ...made } of journal.entries()) {
    const isTried = unlisted.has(made.kind) || (made.kind !== 'container' && !gone);
    const what = `${made.kind} ${made.name}`;
    if (isTried && !left.includes(what) && !(await take(made))) left.push(what);
  }
  return left;
}
