import { type DeviationKind, deviationKinds, type Result } from '../harness/events.ts';
import { counted, thousands } from './counted.ts';
import { grouped } from './grouped.ts';

/** The standing of a target, counted in rules: a rule counts once, in however many versions it was judged. */
export interface Standing {
  /** Rules that were decided in some version. */
  readonly judged: number;
  /** Rules that hold wherever they were decided, and were never blocked. */
  readonly kept: number;
  /** Rules broken at level must in some version. */
  readonly deviating: number;
  /** Rules broken only where the documents are loose. */
  readonly loose: number;
  /** Rules whose deviations are all in the baseline. */
  readonly known: number;
  /** How many of those are of each kind, by the first kind of each rule. */
  readonly knownAs: Readonly<Record<DeviationKind, number>>;
  /** Rules that could not be decided in some version, and that do not deviate in another. */
  readonly blocked: number;
}

/** Counts the rules of a run. */
export function standingOf(results: readonly Result[]): Standing {
  const knownAs = { bug: 0, intended: 0, platform: 0 };
  const counts = { judged: 0, kept: 0, deviating: 0, loose: 0, known: 0, knownAs, blocked: 0 };
  for (const own of grouped(results, ({ rule }) => rule).values()) {
    const fails = own.filter(({ verdict }) => verdict === 'fail');
    const has = (verdict: Result['verdict']) => own.some((result) => result.verdict === verdict);
    if (fails.length > 0 || has('pass') || has('waived')) counts.judged++;
    if (fails.some(({ level }) => level !== 'should')) counts.deviating++;
    else if (fails.length > 0) counts.loose++;
    else if (has('blocked')) counts.blocked++;
    else if (has('waived')) {
      counts.known++;
      const kind = deviationKinds.find((one) => own.some((result) => result.knownAs === one));
      if (kind) knownAs[kind]++;
    } else if (has('pass') && !has('error')) counts.kept++;
  }
  return counts;
}

/** `Keeps 1,300 of 1,495 judged rules (86.9 %)`, with the outcome of the others; undefined if none was judged. */
export function standingInWords(standing: Standing): string | undefined {
  const { judged, kept, deviating, loose, known, knownAs, blocked } = standing;
  if (judged === 0) return undefined;
  const kinds = kindsInWords(known, knownAs);
  const rest = [
    [deviating, 'deviates', 'deviate'],
    [loose, 'deviates only where the documents are loose', 'deviate only where the documents are loose'],
    [known, `deviates as recorded in the baseline${kinds}`, `deviate as recorded in the baseline${kinds}`],
    [blocked, 'was blocked', 'were blocked'],
  ] as const;
  const told = rest
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => `${thousands(number)} ${number === 1 ? one : many}`);
  const head = `Keeps ${thousands(kept)} of ${counted(judged, 'judged rule')}`;
  return `${head} (${percentOf(kept, judged)} %)${told.length > 0 ? `; ${told.join(', ')}` : ''}.`;
}

/** ` (2 bugs, 1 intended)`; empty if the baseline has no kinds. */
function kindsInWords(known: number, { bug, intended, platform }: Standing['knownAs']): string {
  const named = bug + intended + platform;
  if (named === 0) return '';
  const kinds = [
    [bug, bug === 1 ? 'bug' : 'bugs'],
    [intended, 'intended'],
    [platform, 'due to the platform'],
    [known - named, 'of no stated kind'],
  ] as const;
  const told = kinds.filter(([number]) => number > 0).map(([number, what]) => `${thousands(number)} ${what}`);
  return ` (${told.join(', ')})`;
}

/** A share in tenths of a per cent, rounded down: 999 of 1,000 are not 100 %. */
export function percentOf(part: number, all: number): string {
  if (all === 0) return '0';
  const tenths = Math.floor((1000 * part) / all);
  return tenths === 1000 ? '100' : (tenths / 10).toFixed(1);
}
