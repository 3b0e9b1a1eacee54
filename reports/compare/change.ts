import type { Result } from '../../harness/events.ts';
import type { ApiVersion } from '../../specs/versions.ts';

/**
 * How a rule in one version changed from one report to a later one.
 * - `newly-failing`: it was kept, and is no longer.
 * - `failing-differently`: it was broken, and now fails in another way.
 * - `mended`: it was broken, and is now kept.
 * - `newly-judged`, `no-longer-judged`: it was decided in only one of them.
 */
export type ChangeKind = 'newly-failing' | 'failing-differently' | 'mended' | 'newly-judged' | 'no-longer-judged';

export const changeKinds: readonly ChangeKind[] = [
  'newly-failing',
  'failing-differently',
  'mended',
  'newly-judged',
  'no-longer-judged',
];

/** A rule whose outcome changed in one version. */
export interface VerdictChange {
  readonly rule: string;
  readonly api: ApiVersion;
  readonly kind: ChangeKind;
  /** Whether it is a step back that fails the comparison. */
  readonly regression: boolean;
  readonly before: Outcome;
  readonly after: Outcome;
}

/** One side of a change. */
export interface Outcome extends Pick<Result, 'verdict' | 'level' | 'reason' | 'expected' | 'actual'> {
  /** For a broken rule: the same for the same deviation. */
  readonly fingerprint?: string;
}

export interface Judging {
  /** The lightest level of a deviation that counts as a regression. */
  readonly failOn: 'must' | 'should';
  /** Identifies a deviation in every run. */
  readonly fingerprintOf: (result: Result) => string;
}

/** How a rule changed from one result to another; undefined if it did not. */
export function changeBetween(before: Result, after: Result, judging: Judging): VerdictChange | undefined {
  const kind = kindOf(before, after, judging);
  if (!kind) return undefined;
  const isWorse = kind === 'newly-failing' || kind === 'failing-differently';
  return {
    rule: after.rule,
    api: after.api,
    kind,
    regression: isWorse && weighs(after, judging) && !weighs(before, judging),
    before: outcomeOf(before, judging),
    after: outcomeOf(after, judging),
  };
}

type State = 'kept' | 'not-kept' | 'open';

function kindOf(before: Result, after: Result, judging: Judging): ChangeKind | undefined {
  const [was, is] = [stateOf(before), stateOf(after)];
  if (was === 'open') return is === 'open' ? undefined : 'newly-judged';
  if (is === 'open') return 'no-longer-judged';
  if (was === 'kept') return is === 'kept' ? undefined : 'newly-failing';
  if (is === 'kept') return 'mended';
  return judging.fingerprintOf(before) === judging.fingerprintOf(after) ? undefined : 'failing-differently';
}

function stateOf({ verdict }: Result): State {
  switch (verdict) {
    case 'pass':
      return 'kept';
    case 'fail':
    case 'waived':
    case 'blocked':
    case 'error':
      return 'not-kept';
    default:
      return 'open';
  }
}

/** A blocked rule counts like a failed one, as in a run; a waived one has been reviewed. */
function weighs({ verdict, level }: Result, { failOn }: Judging): boolean {
  if (verdict === 'fail') return level === 'must' || failOn === 'should';
  return verdict === 'blocked' || verdict === 'error';
}

function outcomeOf(result: Result, { fingerprintOf }: Judging): Outcome {
  const { verdict, level, reason, expected, actual } = result;
  const fingerprint = stateOf(result) === 'not-kept' ? fingerprintOf(result) : undefined;
  return { verdict, level, reason, expected, actual, ...(fingerprint !== undefined && { fingerprint }) };
}
