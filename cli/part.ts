import type { Result } from '../harness/events.ts';
import type { ApiWish } from '../harness/target/judged-versions.ts';
import { UsageError } from '../harness/usage-error.ts';
import { type ApiVersion, apiVersions, isApiVersion } from '../specs/versions.ts';
import type { Selection } from './selection.ts';

/** The part of the chosen rules for a run. */
export interface PartFlags {
  /** A report whose failures should be judged again. */
  readonly rerunFailed?: string;
  readonly shard?: { readonly index: number; readonly count: number };
}

/**
 * The part of a selection that a run should judge; undefined when there is nothing to judge, since nothing had failed.
 * @throws UsageError for a report that cannot be read, or a shard without rules
 */
export async function partOf(selection: Selection, { rerunFailed, shard }: PartFlags): Promise<Selection | undefined> {
  const failed = rerunFailed === undefined ? selection : await failedIn(rerunFailed, selection);
  if (!failed || !shard) return failed;
  const rules = failed.rules.filter((_, place) => place % shard.count === shard.index - 1);
  if (rules.length === 0) {
    throw new UsageError(
      `--shard ${shard.index}/${shard.count} has no rules: only ${failed.rules.length} rules are chosen`,
    );
  }
  return { ...failed, rules, whole: false };
}

async function failedIn(name: string, selection: Selection): Promise<Selection | undefined> {
  // Loaded here, because the schema of reports takes time that most runs need not spend.
  const { givenReport } = await import('./stored-report.ts');
  const { report } = await givenReport(name);
  const failures = report.results.filter(isNotKept).filter(({ api }) => isWished(api, selection.apis));
  if (failures.length === 0) return undefined;
  const ids = new Set(failures.map(({ rule }) => rule));
  const rules = selection.rules.filter(({ id }) => ids.has(id));
  if (rules.length === 0) throw new UsageError(`none of the chosen rules failed in ${name}`);
  const apis = apiVersions.filter((api) => failures.some((failure) => failure.api === api));
  return { apis, rules, whole: false };
}

/** What `newest` and `served` mean for the target is not known yet; a version that failed was served. */
function isWished(api: ApiVersion, wishes: readonly ApiWish[] | undefined): boolean {
  return !wishes?.every(isApiVersion) || wishes.includes(api);
}

/** A blocked rule counts as a failed one. Known deviations are left alone. */
export function isNotKept({ verdict }: Result): boolean {
  return verdict === 'fail' || verdict === 'blocked' || verdict === 'error';
}
