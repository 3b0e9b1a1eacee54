import { type DeviationKind, deviationKinds, type Result } from '../harness/events.ts';
import { type ApiVersion, apiVersions } from '../specs/versions.ts';
import { grouped } from './grouped.ts';

/** What a baseline says about deviations, with their rules and versions. */
interface KnownDeviation {
  readonly says: string;
  readonly rules: readonly string[];
  readonly apis: readonly ApiVersion[];
}

/** The known deviations of a run with the same kind; `kind` is absent if the baseline has none. */
export interface KnownOfKind {
  readonly kind?: DeviationKind;
  /** Distinct rules. */
  readonly rules: number;
  readonly deviations: readonly KnownDeviation[];
}

/** Headings over the known deviations of each kind. */
export const knownTitles: Readonly<Record<DeviationKind | 'other', string>> = {
  bug: 'Known, to be fixed',
  intended: 'Known and intended',
  platform: 'Known, due to the platform',
  other: 'Known',
};

/** The deviations of a run that are in its baseline, by kind. Those without a kind come last. */
export function knownDeviations(results: readonly Result[]): KnownOfKind[] {
  const waived = results.filter(({ verdict }) => verdict === 'waived');
  return [...deviationKinds, undefined].flatMap((kind) => {
    const own = waived.filter(({ knownAs }) => knownAs === kind);
    if (own.length === 0) return [];
    const deviations = [...grouped(own, ({ reason }) => reason)].map(([says, alike]) => ({
      says,
      rules: rulesOf(alike),
      apis: apiVersions.filter((api) => alike.some((result) => result.api === api)),
    }));
    return [{ ...(kind && { kind }), rules: rulesOf(own).length, deviations }];
  });
}

function rulesOf(results: readonly Result[]): string[] {
  return [...new Set(results.map(({ rule }) => rule))];
}
