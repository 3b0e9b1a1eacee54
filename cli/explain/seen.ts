import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Baseline, readBaseline } from '../../harness/baseline/baseline.ts';
import type { DeviationKind } from '../../harness/events.ts';
import type { ApiVersion } from '../../specs/versions.ts';

/** What a reviewed baseline says of an engine. */
export interface Seen {
  /** Name of the baseline: engine and release. */
  readonly engine: string;
  readonly apis: readonly ApiVersion[];
  readonly does: string;
  readonly reason: string;
  readonly kind?: DeviationKind;
}

const directory = fileURLToPath(new URL('../../baselines', import.meta.url));

/** The engines that have a reviewed baseline here. */
export function reviewedEngines(): readonly string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.basename(file, '.yaml'))
    .toSorted();
}

const read = new Map<string, Baseline>();

/** A pattern explains hundreds of rules, each by all baselines. */
function baselineOf(engine: string): Baseline {
  const baseline = read.get(engine) ?? readBaseline(path.join(directory, `${engine}.yaml`));
  read.set(engine, baseline);
  return baseline;
}

/** The deviations from a rule that were seen, in raw bytes, on the engines that have a baseline here. */
export function seenOf(rule: string): readonly Seen[] {
  return reviewedEngines().flatMap((engine) =>
    baselineOf(engine)
      .entries.filter((entry) => entry.rules.includes(rule))
      .map(({ apis, does, reason, kind }) => ({ engine, apis, does, reason, ...(kind && { kind }) })),
  );
}
