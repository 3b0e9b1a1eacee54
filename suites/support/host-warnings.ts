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
export type HostLimit = 'MemoryLimit' | 'SwapLimit';

/**
 * For what takes a limit without a place for warnings (interpretation `host-limits`).
 * @throws NotApplicable when the daemon says that its host does not have one of these limits
 */
export async function unlessLacked(context: FixtureContext, ...limits: readonly HostLimit[]): Promise<void> {
  const info = await askedInfo(context);
  const lacked = limits.find((limit) => valuesAt(info.json, limit)[0] === false);
  if (lacked !== undefined) throw new NotApplicable(`the daemon says: ${lacked} of its host is false in /info`);
}
