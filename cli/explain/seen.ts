import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBaseline } from '../../harness/baseline/baseline.ts';
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

/** By rule. */
type SeenByRule = Readonly<Record<string, readonly Seen[]>>;

const built = new URL('./seen.json', import.meta.url);
let read: SeenByRule | undefined;

/** The deviations from a rule that were seen, in raw bytes, on the engines that have a baseline here. */
export function seenOf(rule: string): readonly Seen[] {
  // The build leaves it beside this module, as to parse the baselines takes half a second.
  read ??= existsSync(built) ? asBuilt(readFileSync(built, 'utf8')) : seenInBaselines();
  return read[rule] ?? [];
}

function asBuilt(text: string): SeenByRule {
  return JSON.parse(text);
}

/** What all baselines say, by rule. */
export function seenInBaselines(): SeenByRule {
  const byRule = new Map<string, Seen[]>();
  for (const engine of reviewedEngines()) {
    for (const { rules, apis, does, reason, kind } of readBaseline(path.join(directory, `${engine}.yaml`)).entries) {
      const seen = { engine, apis, does, reason, ...(kind && { kind }) };
      for (const rule of rules) byRule.set(rule, [...(byRule.get(rule) ?? []), seen]);
    }
  }
  return Object.fromEntries(byRule);
}
