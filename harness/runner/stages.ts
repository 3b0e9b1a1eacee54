import type { Check } from '../check.ts';
import type { Plan } from './plan.ts';

/** The checks of a run by when they run; the order within each is kept. */
export interface Stages {
  /** What takes seconds on every daemon, or under every fault: begun last, it would be waited for. */
  readonly long: readonly Check[];
  readonly others: readonly Check[];
  /** They leave out what the check of a rule has found broken. */
  readonly generated: readonly Check[];
  /**
   * Each alone. They come late, as nothing else is judged while they wait: where streams never deliver, the others have
   * shown it, and these wait less.
   */
  readonly exclusive: readonly Check[];
  /** Each alone, or after a check that is. */
  readonly exclusiveGenerated: readonly Check[];
  /** A daemon that they harm is not to be judged by anything after them. In a proof, which gives each trial a daemon, none. */
  readonly hostile: readonly Check[];
  /** They judge what the run has seen. */
  readonly last: readonly Check[];
}

/** Sorts checks into the stages of a run or of a proof. */
export function stagesOf(checks: readonly Check[], mode: Plan['mode']): Stages {
  const [last, early] = split(checks, (check) => check.last === true);
  const [properties, plain] = split(early, ({ rule }) => rule.kind === 'property');
  const [exclusive, shared] = split(plain, (check) => check.exclusive === true);
  const [long, others] = split(shared, (check) => isLong(check, mode));
  const [alone, beside] = split(properties, (check) => check.exclusive === true);
  const isHostile = ({ rule }: Check) => mode === 'run' && rule.needs.includes('hostile');
  const [hostile, benign] = split(beside, isHostile);
  const ofExclusive = new Set(exclusive.map(({ rule }) => rule.id));
  const waitsForThem = ({ rule }: Check) => mode === 'run' && rule.decides?.some((id) => ofExclusive.has(id)) === true;
  const [late, generated] = split(benign, waitsForThem);
  const exclusiveGenerated = [...alone, ...late];
  return { long, others, generated, exclusive, exclusiveGenerated, hostile, last };
}

function isLong({ long, slowToFail }: Check, mode: Plan['mode']): boolean {
  return long === true || (mode === 'prove' && slowToFail === true);
}

function split<T>(
  all: readonly T[],
  isFirst: (one: T) => boolean,
): readonly [first: readonly T[], second: readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
