import { type DeviationKind, deviationKinds, type Result } from '../harness/events.ts';
import { grouped } from './grouped.ts';

/** How a target stands, counted in rules: a rule counts once, whatever the number of versions it was judged in. */
export interface Standing {
  /** Rules that were decided in some version. */
  readonly judged: number;
  /** Those of them that hold wherever they were decided, and were blocked nowhere. */
  readonly kept: number;
  /** Those that are not kept in some version at level must. */
  readonly deviating: number;
  /** Those that are not kept only where the documents are loose. */
  readonly loose: number;
  /** Those whose deviations the baseline knows, all of them. */
  readonly known: number;
  /** How many of those are of each kind, by the first of a rule's. */
  readonly knownAs: Readonly<Record<DeviationKind, number>>;
  /** Rules that something kept from being decided in some version, and that do not deviate in another. */
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

/** `Keeps 1,300 of 1,495 judged rules (86.9 %)`, with what came of the others; undefined where none was judged. */
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
    .map(([number, one, many]) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`);
  const head = `Keeps ${kept.toLocaleString('en')} of ${judged.toLocaleString('en')} judged rule${judged === 1 ? '' : 's'}`;
  return `${head} (${percentOf(kept, judged)} %)${told.length > 0 ? `; ${told.join(', ')}` : ''}.`;
}

/** ` (2 bugs, 1 intended)`; empty where the baseline names no kind. */
function kindsInWords(known: number, { bug, intended, platform }: Standing['knownAs']): string {
  const named = bug + intended + platform;
  if (named === 0) return '';
  const kinds = [
    [bug, bug === 1 ? 'bug' : 'bugs'],
    [intended, 'intended'],
    [platform, 'due to the platform'],
    [known - named, 'of no stated kind'],
  ] as const;
  const told = kinds.filter(([number]) => number > 0).map(([number, what]) => `${number.toLocaleString('en')} ${what}`);
  return ` (${told.join(', ')})`;
}

/** A share in tenths of a per cent, and never more than there is: all but one of a thousand are not 100 %. */
export function percentOf(part: number, all: number): string {
  if (all === 0) return '0';
  const tenths = Math.floor((1000 * part) / all);
  return tenths === 1000 ? '100' : (tenths / 10).toFixed(1);
}
