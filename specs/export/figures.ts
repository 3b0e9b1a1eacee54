import { allEndpoints, statedRules } from '../catalogue.ts';
import { coverage } from '../coverage.ts';
import { apiVersions, holdsIn } from '../versions.ts';
import { endpointsIn, jsonSchemas } from './json-schema.ts';

/** Numbers by name, in display order. */
export type Counts = Readonly<Record<string, number>>;

/** The size of the contract, counted from its data. */
export interface Figures {
  readonly rules: {
    readonly all: number;
    readonly byKind: Counts;
    readonly byLevel: Counts;
    readonly byArea: Counts;
    readonly byVersion: Counts;
    readonly onInterpretations: number;
    readonly unchecked: number;
  };
  readonly endpoints: { readonly all: number; readonly byVersion: Counts };
  readonly schemas: { readonly byVersion: Counts };
  readonly rows: { readonly all: number; readonly withRules: number; readonly withReason: number };
}

export function figures(): Figures {
  const sections = coverage();
  const rows = sections.flatMap((section) => section.rows);
  const ruled = rows.filter(({ rules }) => rules.length > 0);
  return {
    rules: {
      all: statedRules.length,
      byKind: counted(statedRules.map(({ kind }) => kind)),
      byLevel: counted(statedRules.map(({ level }) => level)),
      byArea: counted(statedRules.map(({ area }) => area)),
      byVersion: perVersion((api) => statedRules.filter((rule) => holdsIn(rule, api)).length),
      onInterpretations: statedRules.filter(({ interpretations }) => interpretations.length > 0).length,
      unchecked: statedRules.filter(({ unchecked }) => unchecked !== undefined).length,
    },
    endpoints: { all: allEndpoints.length, byVersion: perVersion((api) => endpointsIn(api).length) },
    schemas: { byVersion: perVersion((api) => jsonSchemas(api).size) },
    rows: {
      all: rows.length,
      withRules: ruled.length,
      withReason: rows.filter(({ rules, reason }) => rules.length === 0 && reason !== undefined).length,
    },
  };
}

function counted(names: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).toSorted(([, one], [, other]) => other - one));
}

function perVersion(count: (api: (typeof apiVersions)[number]) => number): Counts {
  return Object.fromEntries(apiVersions.map((api) => [api, count(api)]));
}
