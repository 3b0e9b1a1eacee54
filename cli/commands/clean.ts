import { rmSync } from 'node:fs';
import { cleanRun } from '../../harness/sandbox/clean.ts';
import { type JournalRecord, journalDirectory, readJournals } from '../../harness/sandbox/journal.ts';
import { lifeOf } from '../../harness/sandbox/process-identity.ts';
import { removeRunDirectory } from '../../harness/sandbox/run-directory.ts';
import { identify } from '../../harness/target/identify.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import { visibleLine } from '../../reports/visible.ts';
import { exitStatus } from '../exit-status.ts';
import { type EngineFlags, requireTarget } from '../target.ts';

export interface CleanFlags extends EngineFlags {
  readonly timeout: number;
}

/** Removes what interrupted runs left on a target, according to their journals. @returns the exit status */
export async function cleanCommand(flags: CleanFlags): Promise<number> {
  const address = requireTarget(flags);
  const directory = journalDirectory();
  const known = readJournals(directory).filter((journal) => journal.address === address.text);
  const journals = known.filter((journal) => {
    const why = whyKept(journal);
    if (why !== undefined) process.stdout.write(`run ${journal.run}: left alone, ${why}\n`);
    return why === undefined;
  });
  if (known.length > 0 && journals.length === 0) return exitStatus.kept;
  if (journals.length === 0) {
    process.stdout.write(`nothing to clean: ${directory} has no record of an interrupted run on ${address.text}\n`);
    return exitStatus.kept;
  }
  const transport = undiciTransport(address);
  try {
    const { serves } = await identify(transport, address, 'auto', flags.timeout);
    const left: string[] = [];
    for (const journal of journals) {
      const removed: string[] = [];
      left.push(...(await cleanRun(transport, serves, opened(journal), { removed: (what) => removed.push(what) })));
      removeRunDirectory(journal.directory);
      const what = removed.length > 0 ? `removed ${removed.map(visibleLine).join(', ')}` : 'nothing was left';
      process.stdout.write(`run ${journal.run}: ${what}\n`);
    }
    if (left.length === 0) return exitStatus.kept;
    const what = left.map(visibleLine).join(', ');
    process.stderr.write(`error: could not remove ${what}; run clean again in a moment, or remove it by hand\n`);
    return exitStatus.deviates;
  } finally {
    await transport.close();
  }
}

/** Why a run's things are not removed: it may still be using them. */
function whyKept({ file, process: owner }: JournalRecord): string | undefined {
  const life = lifeOf(owner);
  if (life === 'ended') return undefined;
  if (life === 'alive') return `it is still running in process ${owner.pid}`;
  return `it belongs to the machine ${visibleLine(owner.host)}; clean there, or delete ${file}`;
}

function opened({ file, run, entries }: JournalRecord): Parameters<typeof cleanRun>[2] {
  return { run, entries: () => entries, remove: () => rmSync(file, { force: true }) };
}
