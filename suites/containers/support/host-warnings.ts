import type { Exchange } from '../../../harness/engine/exchange.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';

/** The warning in a create answer that the host cannot do what was asked (interpretation `blkio-host`). */
export function discardedByHost(created: Exchange): string | undefined {
  const warnings = valuesAt(created.json, 'Warnings').flat();
  const warning = warnings.find((text) => /discarded|not supported by the kernel/i.test(String(text)));
  return warning === undefined ? undefined : `the daemon warns: ${String(warning)}`;
}
