import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBaseline } from '../../harness/baseline/baseline.ts';
import type { ApiVersion } from '../../specs/versions.ts';

/** What a reviewed baseline says of an engine. */
export interface Seen {
  /** Name of the baseline: engine and release. */
  readonly engine: string;
  readonly apis: readonly ApiVersion[];
  readonly does: string;
  readonly reason: string;
}

const directory = fileURLToPath(new URL('../../baselines', import.meta.url));

/** The deviations from a rule that were seen, in raw bytes, on the engines that have a baseline here. */
export function seenOf(rule: string): readonly Seen[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) =>
      readBaseline(path.join(directory, file))
        .entries.filter((entry) => entry.rule === rule)
        .map(({ apis, does, reason }) => ({ engine: path.basename(file, '.yaml'), apis, does, reason })),
    );
}
