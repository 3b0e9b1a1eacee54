import type { DeviationKind, Result } from '../harness/events.ts';
import type { Cause } from './causes/cause.ts';
import { grouped } from './grouped.ts';
import { standingOf } from './standing.ts';

/**
 * How an endpoint came out, the gravest first.
 * - `not-served`: the target has no such endpoint.
 * - `deviates`: some rule of it is not kept.
 * - `blocked`: something kept rules of it from being decided, and none deviates.
 * - `known`: it deviates as the baseline knows.
 * - `kept`: every rule of it that was judged is kept.
 * - `not-judged`: none of its rules was decided.
 */
type EndpointState = 'not-served' | 'deviates' | 'blocked' | 'known' | 'kept' | 'not-judged';

/** What is known of one endpoint after a run. */
export interface EndpointCoverage {
  /** Method and path, as the documents write them. */
  readonly endpoint: string;
  readonly area: string;
  readonly state: EndpointState;
  /** Rules of it that were judged, and those that are kept. */
  readonly judged: number;
  readonly kept: number;
  /** The places of its causes in the list of causes. */
  readonly causes: readonly number[];
  /** What the baseline says of its known deviations, each once. */
  readonly known: readonly { readonly says: string; readonly kind?: DeviationKind }[];
  /** Of one that is known: the kind that all of its known deviations are of. */
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
