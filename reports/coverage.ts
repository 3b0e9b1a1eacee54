import type { DeviationKind, Result } from '../harness/events.ts';
import type { Cause } from './causes/cause.ts';
import { grouped } from './grouped.ts';
import { standingOf } from './standing.ts';

/**
 * The outcome of an endpoint, most serious first.
 * - `not-served`: the target has no such endpoint.
 * - `deviates`: one of its rules is broken.
 * - `blocked`: some of its rules could not be decided, and none deviates.
 * - `known`: it only deviates as the baseline says.
 * - `kept`: all of its judged rules are kept.
 * - `not-judged`: none of its rules was decided.
 */
type EndpointState = 'not-served' | 'deviates' | 'blocked' | 'known' | 'kept' | 'not-judged';

/** What is known about one endpoint after a run. */
export interface EndpointCoverage {
  /** Method and path, as the documents write them. */
  readonly endpoint: string;
  readonly area: string;
  readonly state: EndpointState;
  /** How many of its rules were judged, and how many of these are kept. */
  readonly judged: number;
  readonly kept: number;
  /** The indexes of its causes in the list of causes. */
  readonly causes: readonly number[];
  /** What the baseline says about its known deviations, without duplicates. */
  readonly known: readonly { readonly says: string; readonly kind?: DeviationKind }[];
  /** For a known one: the common kind of all its known deviations. */
  readonly knownAs?: DeviationKind;
}

/** The endpoints of the rules of a run, in the order of its results. */
export function coverageOf(results: readonly Result[], causes: readonly Cause[]): EndpointCoverage[] {
  const causesOfRules = new Map<string, Set<number>>();
  for (const [place, { rules }] of causes.entries()) {
    for (const { rule } of rules) causesOfRules.set(rule, (causesOfRules.get(rule) ?? new Set()).add(place));
  }
  const withEndpoint = results.filter(({ endpoint }) => endpoint !== undefined);
  return [...grouped(withEndpoint, ({ endpoint }) => endpoint ?? '')].map(([endpoint, own]) => {
    const { judged, kept } = standingOf(own);
    const places = new Set(own.filter(isOpen).flatMap(({ rule }) => [...(causesOfRules.get(rule) ?? [])]));
    const waived = own.filter(({ verdict }) => verdict === 'waived');
    const known = new Map(waived.map(({ reason, knownAs }) => [reason, knownAs]));
    const [kind, ...otherKinds] = new Set(known.values());
    const state = stateOf(endpoint, own, causes);
    return {
      endpoint,
      area: own[0]?.area ?? '',
      state,
      judged,
      kept,
      causes: [...places].toSorted((a, b) => a - b),
      known: [...known].map(([says, as]) => ({ says, ...(as && { kind: as }) })),
      ...(state === 'known' && kind && otherKinds.length === 0 && { knownAs: kind }),
    };
  });
}

function isOpen({ verdict }: Result): boolean {
  return verdict === 'fail' || verdict === 'blocked';
}

function stateOf(endpoint: string, own: readonly Result[], causes: readonly Cause[]): EndpointState {
  const absent = causes.some((cause) => cause.sort === 'not-served' && cause.endpoints.includes(endpoint));
  const has = (verdict: Result['verdict']) => own.some((result) => result.verdict === verdict);
  if (absent && !has('pass')) return 'not-served';
  if (has('fail')) return 'deviates';
  if (has('blocked') || has('error')) return 'blocked';
  if (has('waived')) return 'known';
  return has('pass') ? 'kept' : 'not-judged';
}
