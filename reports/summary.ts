import { type Result, type Verdict, verdicts } from '../harness/events.ts';
import type { ApiVersion } from '../specs/versions.ts';
import { counted } from './counted.ts';
import type { RunRecord } from './run-record.ts';
import { withUnjudged } from './unjudged.ts';

/** The number of verdicts of each kind. `fail` counts every deviation, `shouldFail` those at level should. */
export type Counts = Readonly<Record<Verdict | 'shouldFail', number>>;

/** The number of verdicts of a run: in total, and by area and version. Areas are in catalogue order. */
export interface Summary {
  readonly counts: Counts;
  readonly areas: Readonly<Record<string, Readonly<Partial<Record<ApiVersion, Counts>>>>>;
}

/** Counts the results, which are in the order of the catalogue. */
export function summarize(results: readonly Result[]): Summary {
  const all = noCounts();
  const areas: Record<string, Partial<Record<ApiVersion, Record<keyof Counts, number>>>> = {};
  for (const result of results) {
    areas[result.area] ??= {};
    const versions = areas[result.area] ?? {};
    versions[result.api] ??= noCounts();
    for (const counts of [all, versions[result.api] ?? all]) {
      counts[result.verdict]++;
      if (isShouldFail(result)) counts.shouldFail++;
    }
  }
  return { counts: all, areas };
}

function isShouldFail(result: Result): boolean {
  return result.verdict === 'fail' && result.level === 'should';
}

function noCounts(): Record<keyof Counts, number> {
  // biome-ignore lint/plugin: they are the names of the counts
  return Object.fromEntries([...verdicts, 'shouldFail'].map((name) => [name, 0])) as Record<keyof Counts, number>;
}

/** What the whole run says about the target, most serious first. */
export type Overall = 'failed' | 'incomplete' | 'deviates' | 'inconclusive' | 'undecided' | 'waived' | 'conforms';

/** The verdict on the target, with one sentence for it and for what was not judged. Silence is never green. */
export function overall(record: RunRecord): { readonly verdict: Overall; readonly says: string } {
  const { verdict, says } = outcome(record);
  return { verdict, says: withUnjudged(says, record) };
}

function outcome(record: RunRecord): { readonly verdict: Overall; readonly says: string } {
  const { counts } = summarize(record.results);
  const missing = record.started.total - record.results.length;
  const { end, endReason } = record.ended;
  const must = counts.fail - counts.shouldFail;
  const deviations = must > 0 ? `${counted(must, 'deviation')} from the contract` : '';
  const should =
    counts.shouldFail > 0 ? `${counted(counts.shouldFail, 'deviation')} where the documents are loose` : '';
  const found = [deviations, should].filter(Boolean).join(', and ');
  const rest = missing > 0 ? `${counted(missing, 'verdict')} missing` : '';
  if (counts.error > 0 || end === 'failed') {
    const errors = counts.error > 0 ? counted(counts.error, 'error') : '';
    return { verdict: 'failed', says: sentence('The kit itself failed', listed(errors, endReason, rest, found)) };
  }
  if (end !== 'complete' || missing > 0) {
    const how = {
      complete: 'The run is incomplete',
      interrupted: 'The run was interrupted',
      lost: 'The target was lost',
    }[end];
    const isSaid = end === 'interrupted' && endReason.startsWith('interrupted by ');
    const says = isSaid
      ? sentence(`The run was ${endReason}`, listed(rest, found))
      : sentence(how, listed(endReason, rest, found));
    return { verdict: 'incomplete', says };
  }
  if (found) return { verdict: 'deviates', says: `${found}.` };
  if (counts.pass + counts.waived === 0) {
    return { verdict: 'inconclusive', says: 'Inconclusive: no rule was decided.' };
  }
  if (counts.blocked > 0) {
    return { verdict: 'undecided', says: `No deviation found, but ${counted(counts.blocked, 'check')} blocked.` };
  }
  if (counts.waived > 0) {
    return { verdict: 'waived', says: `Conforms except for ${counted(counts.waived, 'known deviation')}.` };
  }
  return { verdict: 'conforms', says: 'Conforms: every rule that was decided is kept.' };
}

function listed(...parts: readonly string[]): string {
  return parts.filter(Boolean).join('; ');
}

function sentence(what: string, detail: string): string {
  return `${detail ? `${what}: ${detail}` : what}.`;
}
