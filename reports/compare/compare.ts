import type { Result, RunStarted, Verdict } from '../../harness/events.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { type Catalogue, catalogueOf } from '../catalogue.ts';
import type { Observation } from '../observations.ts';
import { factsOf } from '../rule-facts.ts';
import { type Standing, standingOf } from '../standing.ts';
import { recordOf, type StoredReport } from '../stored/stored-report.ts';
import { type Overall, overall, type Summary } from '../summary.ts';
import { type ComparedCause, comparedCauses } from './causes.ts';
import { changeBetween, type Judging, type VerdictChange } from './change.ts';
import { namesOf } from './names.ts';
import { type ObservationDifference, observationDifferences } from './observations.ts';
import { emptySteps } from './shared.ts';

/** Raised when a reader of the old format would misread the new one. */
const comparisonFormat = 1;

/** Several reports as one matrix, and what changed between those of one engine. */
export interface Comparison {
  readonly format: typeof comparisonFormat;
  readonly tool: RunStarted['tool'];
  readonly failOn: Judging['failOn'];
  /** What a reader must know before relying on it. */
  readonly notes: readonly string[];
  /** In the order given; everything else refers to them by index. */
  readonly reports: readonly ComparedReport[];
  /** Each report with the first one of the same engine. */
  readonly steps: readonly Transition[];
  /** Number of regressions in all steps. */
  readonly regressions: number;
  /** First those that one report has while another keeps the rules. */
  readonly causes: readonly ComparedCause[];
  readonly observations: readonly ObservationDifference[];
  readonly rules: readonly Row[];
}

interface ComparedReport {
  /** Distinguishes it from the others: engine and version, and the date where that is not enough. */
  readonly name: string;
  readonly target: StoredReport['target'];
  readonly tool: RunStarted['tool'];
  readonly catalogue: Catalogue;
  readonly apis: readonly ApiVersion[];
  readonly startedAt: string;
  readonly durationMs: number;
  readonly end: StoredReport['end'];
  readonly overall: { readonly verdict: Overall; readonly says: string };
  /** Counted in rules. */
  readonly standing: Standing;
  readonly summary: Summary;
}

export interface Transition {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly VerdictChange[];
  /** Rules that only the later report has, because of another catalogue. */
  readonly newRules: readonly string[];
  /** Rules that only the earlier report has, because of another catalogue. */
  readonly goneRules: readonly string[];
}

/** A verdict as the matrix shows it: a failure at level should is `should`. */
type CellVerdict = Verdict | 'should';

/** A rule of the matrix. */
export interface Row {
  readonly rule: string;
  readonly area: string;
  readonly endpoint?: string;
  readonly says: string;
  /** By report index, then by version; null where a report does not have the rule. */
  readonly verdicts: readonly (Readonly<Partial<Record<ApiVersion, CellVerdict>>> | null)[];
}

export interface Comparing extends Judging {
  readonly tool: RunStarted['tool'];
  /** The rules of this version of the kit, for their order and sentences. */
  readonly rules: readonly Rule[];
  /** By report index: the names that the user chose, if any. */
  readonly names?: readonly (string | undefined)[];
}

/**
 * Compares reports. Each is compared with the first one of the same engine, by product name, that shares an API version
 * with it; between different engines there are differences, but no regressions.
 */
export function compareReports(reports: readonly StoredReport[], comparing: Comparing): Comparison {
  const results = reports.map((report) => new Map(report.results.map((result) => [keyOf(result), result])));
  const steps = reports.flatMap((report, to) => {
    const from = reports.findIndex((other) => isOfSameEngine(other, report) && haveVersionInCommon(other, report));
    return from === to ? [] : [step(reports, results, { from, to }, comparing)];
  });
  const rules = matrix(reports, comparing.rules);
  const names = namesOf(reports).map((name, place) => comparing.names?.[place] ?? name);
  return {
    format: comparisonFormat,
    tool: comparing.tool,
    failOn: comparing.failOn,
    notes: [...notesOn(reports, names, comparing.rules), ...notesOnEmpty({ steps, rules }, names)],
    reports: reports.map((report, place) => comparedReport(report, names[place] ?? '')),
    steps,
    regressions: steps.flatMap(({ changes }) => changes).filter(({ regression }) => regression).length,
    causes: comparedCauses(reports, comparing.rules),
    observations: observationDifferences(reports.map(({ observations }): readonly Observation[] => observations)),
    rules,
  };
}

function isOfSameEngine(one: StoredReport, other: StoredReport): boolean {
  return one.target.product === other.target.product;
}

function haveVersionInCommon({ apis }: StoredReport, other: StoredReport): boolean {
  return apis.some((api) => other.apis.includes(api));
}

type Results = ReadonlyMap<string, Result>;

function step(
  reports: readonly StoredReport[],
  results: readonly Results[],
  { from, to }: { from: number; to: number },
  judging: Judging,
): Transition {
  const [before, after] = [reports[from], reports[to]];
  if (!before || !after) throw new Error('a step leads from a report to a report');
  const changes = after.results.flatMap((result) => {
    const earlier = results[from]?.get(keyOf(result));
    return (earlier && changeBetween(earlier, result, judging)) ?? [];
  });
  return { from, to, changes, newRules: rulesOnlyOf(after, before), goneRules: rulesOnlyOf(before, after) };
}

/** If the other report left out rules on purpose, or has the same catalogue, nothing is new or gone. */
function rulesOnlyOf(one: StoredReport, other: StoredReport): string[] {
  if (isPart(other) || one.catalogue.digest === other.catalogue.digest) return [];
  const known = new Set(other.results.map(({ rule }) => rule));
  return [...new Set(one.results.map(({ rule }) => rule))].filter((rule) => !known.has(rule));
}

/** Whether a run judged only a part of the rules. */
function isPart({ options }: StoredReport): boolean {
  const chosen = [options?.only, options?.skip, options?.area, options?.level];
  return [...chosen, options?.shard, options?.rerunFailed].some((option) => option !== undefined);
}

function comparedReport(report: StoredReport, name: string): ComparedReport {
  const { target, tool, catalogue, apis, startedAt, durationMs, end, summary } = report;
  const says = overall(recordOf(report));
  const standing = standingOf(report.results);
  return { name, target, tool, catalogue, apis, startedAt, durationMs, end, overall: says, standing, summary };
}

function notesOn(reports: readonly StoredReport[], names: readonly string[], rules: readonly Rule[]): string[] {
  const notes: string[] = [];
  const catalogues = new Set(reports.map(({ catalogue }) => catalogue.digest));
  if (catalogues.size > 1) {
    const each = reports.map(
      ({ catalogue, tool }, place) => `${names[place]}: ${catalogue.rules} rules of version ${tool.version}`,
    );
    notes.push(
      `The reports were made with different rule catalogues (${each.join('; ')}). A rule that is missing from one of them is not a change of an engine, and a verdict can change because its rule did.`,
    );
  }
  if (!catalogues.has(catalogueOf(rules).digest)) {
    notes.push(
      'None of them was made with the rule catalogue of this version of the kit, whose sentences are shown here.',
    );
  }
  for (const [place, report] of reports.entries()) {
    const missing = report.total - report.results.length;
    if (report.end !== 'complete' || missing > 0) {
      notes.push(`${names[place]} comes from an incomplete run: ${overall(recordOf(report)).says}`);
    }
  }
  const parts = names.filter((_, place) => reports[place] && isPart(reports[place]));
  if (parts.length > 0) notes.push(`Only some of the rules were selected in: ${parts.join('; ')}.`);
  for (const [place, report] of reports.entries()) {
    const earlier = reports.slice(0, place).filter((other) => isOfSameEngine(other, report));
    if (earlier.length === 0 || earlier.some((other) => haveVersionInCommon(other, report))) continue;
    notes.push(
      `${names[place]} was judged in other API versions than the reports of the same engine before it, so there can be no regression.`,
    );
  }
  const products = new Set(reports.map(({ target }) => target.product));
  if (products.size === reports.length)
    notes.push('No two reports are of the same engine, so there can be no regression.');
  return notes;
}

function notesOnEmpty(comparison: Pick<Comparison, 'steps' | 'rules'>, names: readonly string[]): string[] {
  return emptySteps(comparison).map(
    ({ from, to }) =>
      `${names[to]} decided no rule that ${names[from]} decided in the same API version, so there is nothing to compare between them.`,
  );
}

function matrix(reports: readonly StoredReport[], rules: readonly Rule[]): Row[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const rows = new Map<string, { sample: Result; verdicts: (Partial<Record<ApiVersion, CellVerdict>> | null)[] }>();
  for (const [place, { results }] of reports.entries()) {
    for (const result of results) {
      const row = rows.get(result.rule) ?? { sample: result, verdicts: reports.map(() => null) };
      rows.set(result.rule, row);
      const cell = row.verdicts[place] ?? {};
      cell[result.api] = cellOf(result);
      row.verdicts[place] = cell;
    }
  }
  const places = new Map(rules.map(({ id }, place) => [id, place]));
  const placeOf = (rule: string) => places.get(rule) ?? places.size;
  return [...rows]
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
    .map(([rule, { sample, verdicts }]) => ({
      rule,
      area: sample.area,
      ...(sample.endpoint !== undefined && { endpoint: sample.endpoint }),
      says: factsOf(rule, byId.get(rule)).says,
      verdicts,
    }));
}

function cellOf({ verdict, level }: Result): CellVerdict {
  return verdict === 'fail' && level === 'should' ? 'should' : verdict;
}

function keyOf({ rule, api }: Result): string {
  return `${rule} ${api}`;
}
