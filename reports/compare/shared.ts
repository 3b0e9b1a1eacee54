import type { ApiVersion } from '../../specs/versions.ts';

/** What is needed here of a row of the matrix. */
interface Row {
  /** By report index, then by version. */
  readonly verdicts: readonly (Readonly<Partial<Record<ApiVersion, string>>> | null)[];
}

interface Step {
  readonly from: number;
  readonly to: number;
}

interface Compared {
  readonly steps: readonly Step[];
  readonly rules: readonly Row[];
}

/** The verdicts that say something about the engine, or that the run wanted to say something. */
const undecided: readonly string[] = ['skip', 'observed', 'untested'];

/** What a verdict says about the engine, by which reports can be compared; undefined if nothing. */
function decisionOf(verdict: string): string | undefined {
  if (undecided.includes(verdict)) return undefined;
  return ['fail', 'should', 'waived'].includes(verdict) ? 'deviates' : verdict;
}

/** By API version, what each report that decided the rule in it found. */
export function decisions({ verdicts }: Row): readonly (readonly string[])[] {
  const byApi = new Map<string, string[]>();
  for (const [api, verdict] of verdicts.flatMap((own) => Object.entries(own ?? {}))) {
    const decision = decisionOf(verdict);
    if (decision !== undefined) byApi.set(api, [...(byApi.get(api) ?? []), decision]);
  }
  return [...byApi.values()];
}

/** Whether at least two reports decided the rule in the same API version. */
export function isShared(row: Row): boolean {
  return decisions(row).some((own) => own.length > 1);
}

/** The steps between reports that decided no rule in the same API version, of which nothing can be said. */
export function emptySteps({ steps, rules }: Compared): readonly Step[] {
  return steps.filter(({ from, to }) => {
    return !rules.some((row) => isShared({ ...row, verdicts: [row.verdicts[from] ?? null, row.verdicts[to] ?? null] }));
  });
}

/** Whether a step compared something. Different engines stand side by side, whatever versions they were judged in. */
export function isConclusive(comparison: Compared): boolean {
  return comparison.steps.length === 0 || emptySteps(comparison).length < comparison.steps.length;
}

interface LeftOutOf {
  readonly reports: readonly { readonly apis: readonly ApiVersion[] }[];
  readonly rules: readonly (Row & { readonly rule: string })[];
}

/**
 * The rules that the earlier report of a step decided in a version that both judged, and that the later one does not
 * have in it, as another part of the rules was selected or the run did not get there.
 */
export function leftOut(
  { from, to, goneRules }: Step & { readonly goneRules: readonly string[] },
  { reports, rules }: LeftOutOf,
): readonly string[] {
  const gone = new Set(goneRules);
  const own = rules.filter(({ rule, verdicts }) => {
    const before = Object.entries(verdicts[from] ?? {}).filter(([, verdict]) => decisionOf(verdict) !== undefined);
    const after: object = verdicts[to] ?? {};
    return !gone.has(rule) && before.some(([api]) => !(api in after) && reports[to]?.apis.some((one) => one === api));
  });
  return own.map(({ rule }) => rule);
}
