import type { ApiVersion } from '../../specs/versions.ts';
import type { Transport } from '../transport/wire.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { containersOf, removal } from './remove.ts';

/** After the containers, which hold all of these. */
const order = ['network', 'volume', 'image'] as const;

/**
 * Removes what a run made: its containers, then whatever else its journal names. Deletes the journal
 * when nothing is left.
 * @param removed told of each thing that was there and is gone now
 * @returns what could not be removed, in words
 */
export async function cleanRun(
  transport: Transport,
  serves: readonly ApiVersion[],
  journal: Pick<Journal, 'run' | 'entries' | 'remove'>,
  removed: (what: string) => void = () => {},
): Promise<string[]> {
  const api = serves.at(-1);
  if (api === undefined) return [];
  const entries = journal.entries();
  const left: string[] = [];
  const take = async ({ kind, name }: JournalEntry) => {
    const outcome = await removal(transport, api, kind, name);
    if (outcome === 'removed') removed(`${kind} ${name}`);
    if (outcome === 'refused') left.push(`${kind} ${name}`);
  };
  try {
    for (const id of await containersOf(transport, api, journal.run)) {
      await take({ kind: 'container', name: id });
    }
    for (const kind of order) {
      for (const entry of entries.filter((one) => one.kind === kind)) await take(entry);
    }
  } catch (error) {
    left.push(`the target did not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (left.length === 0) journal.remove();
  return left;
}
