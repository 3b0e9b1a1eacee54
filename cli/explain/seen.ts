import { readdirSync, readFileSync } from 'node:fs';
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

const texts = new Map<string, string>();
const read = new Map<string, Baseline>();

/** Whether a baseline may have an entry of a rule. It is far quicker to tell than to parse the file. */
function mayMention(engine: string, rule: string): boolean {
  const text = texts.get(engine) ?? readFileSync(fileOf(engine), 'utf8');
  texts.set(engine, text);
  return text.includes(rule) || text.includes('*');
}

/** A pattern explains hundreds of rules, each by all baselines. */
function baselineOf(engine: string): Baseline {
  const baseline = read.get(engine) ?? readBaseline(fileOf(engine));
  read.set(engine, baseline);
  return baseline;
}

function fileOf(engine: string): string {
  return path.join(directory, `${engine}.yaml`);
}

/** The deviations from a rule that were seen, in raw bytes, on the engines that have a baseline here. */
export function seenOf(rule: string): readonly Seen[] {
  return reviewedEngines()
    .filter((engine) => mayMention(engine, rule))
    .flatMap((engine) =>
      baselineOf(engine)
        .entries.filter((entry) => entry.rules.includes(rule))
        .map(({ apis, does, reason, kind }) => ({ engine, apis, does, reason, ...(kind && { kind }) })),
    );
}
