import type { RunSettings } from '../harness/events.ts';
import { declaredIn } from '../harness/target/declared.ts';
import type { RunFlags } from './run-flags.ts';
import type { ChosenTarget } from './target.ts';

/** What the reports show of a run's options: nothing that may be secret. */
export function settingsOf(
  flags: RunFlags,
  { embedded, concurrency }: Pick<ChosenTarget, 'embedded' | 'concurrency'>,
): RunSettings {
  const {
    only,
    skip,
    area,
    level,
    rerunFailed,
    shard,
    timeout,
    failOn,
    config,
    baseline,
    confirm,
    bail,
    image,
    waitRestart,
    once,
    allExchanges,
    runs,
    maxTime,
  } = flags;
  return {
    ...(embedded && { embedded }),
    ...(only && { only }),
    ...(skip && { skip }),
    ...(area && { area }),
    ...(level && { level }),
    ...(rerunFailed !== undefined && { rerunFailed }),
    ...(shard && { shard }),
    concurrency: flags.concurrency ?? concurrency,
    timeoutMs: timeout,
    failOn,
    ...(config !== undefined && { config }),
    ...(baseline !== undefined && { baseline }),
    ...(confirm !== undefined && { confirm }),
    ...(bail !== undefined && { bail }),
    ...(image !== undefined && { image }),
    ...declaredIn(flags),
    ...(waitRestart === true && { waitRestart }),
    ...(once === true && { once }),
    ...(allExchanges === true && { allExchanges }),
    ...(runs !== undefined && { runs }),
    ...(maxTime !== undefined && { maxTimeMs: maxTime }),
  };
}
