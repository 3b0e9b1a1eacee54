import type { Result } from '../../harness/events.ts';
import type { ApiVersion } from '../../specs/versions.ts';

/**
 * What became of a rule in one version, from one report to a later one.
 * - `newly-failing`: it was kept, and is no longer.
 * - `failing-differently`: it was not kept, and fails in another way now.
 * - `mended`: it was not kept, and is now.
 * - `newly-judged`, `no-longer-judged`: it was decided in one of them only.
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
export interface Change {
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
  /** Of what was not kept: the same for the same deviation. */
  readonly fingerprint?: string;
}

export interface Judging {
  /** The lightest level of a deviation that counts as a regression. */
  readonly failOn: 'must' | 'should';
  /** A name of a deviation that is the same in every run. */
  readonly fingerprintOf: (result: Result) => string;
}

/** What became of a rule from one result to another; undefined when nothing did. */
export function changeBetween(before: Result, after: Result, judging: Judging): Change | undefined {
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

/** A blocked rule weighs as a failed one, as in a run; a waived one was looked at by somebody. */
function weighs({ verdict, level }: Result, { failOn }: Judging): boolean {
  if (verdict === 'fail') return level === 'must' || failOn === 'should';
  return verdict === 'blocked' || verdict === 'error';
}

function outcomeOf(result: Result, { fingerprintOf }: Judging): Outcome {
  const { verdict, level, reason, expected, actual } = result;
  const fingerprint = stateOf(result) === 'not-kept' ? fingerprintOf(result) : undefined;
  return { verdict, level, reason, expected, actual, ...(fingerprint !== undefined && { fingerprint }) };
}
