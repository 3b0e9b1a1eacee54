import type { FixtureContext } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { askedInfo } from './info-asked.ts';

/** A warning that the host cannot do what was asked (interpretations `blkio-host` and `host-limits`). */
const aboutHost = /discarded|kernel does(?: not|n't) support|not supported by the kernel/i;

/** Why the host cannot do what a create or an update asked for, by a warning in its answer; undefined without one. */
export function discardedByHost(answer: Exchange): string | undefined {
  const warnings = valuesAt(answer.json, 'Warnings').flat();
  const warning = warnings.find((text) => aboutHost.test(String(text)));
  return warning === undefined ? undefined : `the daemon warns: ${String(warning)}`;
}

/** @throws NotApplicable when the answer to a create or an update warns that the host cannot do what was asked */
export function unlessDiscarded(answer: Exchange): void {
  const discarded = discardedByHost(answer);
  if (discarded !== undefined) throw new NotApplicable(discarded);
}

/** What `/info` says of limits of the host. */
export type HostLimit = 'MemoryLimit' | 'SwapLimit' | 'CpuCfsPeriod' | 'CpuCfsQuota' | 'PidsLimit';

/**
 * Why limits are not kept where the answer has no warning, or no place for one (interpretation `host-limits`): by `/info`
 * the host does not have one of them, or no control groups. Undefined when `/info` says nothing of the kind.
 */
async function lackedByHost(context: FixtureContext, limits: readonly HostLimit[]): Promise<string | undefined> {
  const info = await askedInfo(context);
  const lacked = limits.find((limit) => valuesAt(info.json, limit)[0] === false);
  if (lacked !== undefined) return `the daemon says: ${lacked} of its host is false in /info`;
  const hasNone = valuesAt(info.json, 'CgroupDriver')[0] === 'none';
  return hasNone ? 'the daemon says: it has no control groups, CgroupDriver is none in /info' : undefined;
}

/** For what is not as it should be. @throws NotApplicable when the host lacks one of the limits, as above */
export async function unlessLacked(context: FixtureContext, ...limits: readonly HostLimit[]): Promise<void> {
  const lacked = await lackedByHost(context, limits);
  if (lacked !== undefined) throw new NotApplicable(lacked);
}

/** Whether a limit that was taken may have been discarded, so that its value need not have been validated. */
export async function mayDiscard(context: FixtureContext, answer: Exchange): Promise<boolean> {
  return (discardedByHost(answer) ?? (await lackedByHost(context, []))) !== undefined;
}
