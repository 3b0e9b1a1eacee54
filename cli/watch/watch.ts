import type { Result } from '../../harness/events.ts';
import { TargetUnreachable } from '../../harness/target/identify.ts';
import { TransportError } from '../../harness/transport/errors.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { isApiVersion, oldestVersion } from '../../specs/versions.ts';
import { statusOfError } from '../exit-status.ts';
import { type Interrupt, watchInterrupt } from '../interrupt.ts';
import { type Judged, judge } from '../judge.ts';
import { say } from '../output.ts';
import type { RunFlags } from '../run-flags.ts';
import { newSeed } from '../run-options.ts';
import type { Selection } from '../selection.ts';
import { requireTarget } from '../target.ts';
import { whatChanged } from './changed.ts';
import { keyPressed, type Wish } from './keys.ts';
import { comesBack, presenceAt } from './presence.ts';

/**
 * Judges the chosen rules again whenever the target comes back, or on a key press, until Ctrl-C. All runs have the same
 * seed, so that any change comes from the daemon.
 * @returns the exit status of the last run
 * @throws UsageError when no daemon is named, or the baseline would be rewritten each time
 */
export async function watchTarget(given: RunFlags, selection: Selection): Promise<number> {
  const address = requireTarget(given);
  if (given.updateBaseline) throw new UsageError('--update-baseline is for one run; leave out --watch');
  const flags = { ...given, seed: given.seed ?? newSeed() };
  const tell = flags.format === 'text' ? (line: string) => void process.stdout.write(`${line}\n`) : say;
  const keys = process.stdin.isTTY ? '; press r to judge now, q to end' : '';
  const waiting = `watching ${address.text}: judges again when it comes back${keys}`;
  let running = true;
  const interrupt = watchInterrupt(() => {
    if (running) say('interrupted: cleaning up; press Ctrl-C again to end at once');
  });
  let last: readonly Result[] | undefined;
  try {
    for (;;) {
      running = true;
      const presence = await presenceAt(address);
      const { status, end, results } = await judged(flags, selection, interrupt);
      running = false;
      // The daemon seen by the last check.
      const seen = end === 'lost' ? undefined : flags.waitRestart ? await presenceAt(address) : presence;
      if (end === 'complete') {
        if (last) tell(whatChanged(last, results));
        last = results;
      }
      if (interrupt.signal.aborted) return status;
      tell(waiting);
      const [api = oldestVersion] = (selection.apis ?? []).filter(isApiVersion);
      const back = (signal: AbortSignal) => comesBack(address, api, seen, signal);
      const next = await occasion(back, interrupt.signal);
      if (next === 'end') return status;
      tell(next === 'back' ? `${address.text} is back` : 'judging again, as asked');
    }
  } finally {
    interrupt.stop();
  }
}

/** One run. A missing target counts as lost, and may still appear. */
async function judged(flags: RunFlags, selection: Selection, interrupt: Interrupt): Promise<Judged> {
  try {
    return await judge(flags, selection, interrupt);
  } catch (error) {
    if (!(error instanceof TargetUnreachable || error instanceof TransportError)) throw error;
    return { status: await statusOfError(error, say), end: 'lost', results: [] };
  }
}

/** Waits for a reason to judge again, or to end. */
async function occasion(
  back: (signal: AbortSignal) => Promise<void>,
  interrupted: AbortSignal,
): Promise<Wish | 'back'> {
  const waiting = new AbortController();
  const signal = AbortSignal.any([waiting.signal, interrupted]);
  const returned = back(signal).then(
    () => 'back' as const,
    () => 'end' as const, // Only the signal ends it.
  );
  try {
    return await Promise.race([returned, keyPressed(signal)]);
  } finally {
    waiting.abort();
  }
}
