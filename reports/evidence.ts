import type { RecordedExchange, Result, Traffic, WantedExchange } from '../harness/events.ts';

/** How much of an exchange a report keeps: the whole record, a part of its bodies, or nothing. */
type Kept = 'whole' | 'cut' | 'none';

export interface Evidence {
  readonly kept: (exchange: RecordedExchange) => Kept;
  /** Whether an exchange may be kept at all. */
  readonly wanted: WantedExchange;
  /** Whether an exchange may be kept in full. */
  readonly wantedWhole: WantedExchange;
}

/**
 * Decides what is kept. Exchanges behind a verdict other than pass are kept whole, with earlier ones of the same check,
 * and so are those in which a client of a proxy deviated. Exchanges behind passes only are cut. All others are dropped,
 * or cut too.
 * @param all whether the user wants the others
 */
export function evidenceOf(
  results: readonly Result[],
  {
    traffic,
    all = false,
    sentAgain = [],
  }: {
    readonly traffic?: Traffic | undefined;
    readonly all?: boolean | undefined;
    /** What the scripts of failures send; it is kept whole. */
    readonly sentAgain?: Iterable<string> | undefined;
  } = {},
): Evidence {
  const whole = new Set<string>([...(traffic?.clients.map(({ exchange }) => exchange) ?? []), ...sentAgain]);
  const cut = new Set<string>();
  const makers = new Set<string>();
  const makersInAny = new Set<string>();
  for (const result of results) {
    const judged = result.verdict === 'pass' ? cut : whole;
    for (const id of result.evidence) judged.add(id);
    if (result.verdict === 'pass') continue;
    makers.add(`${result.rule} ${result.api}`);
    makersInAny.add(result.rule);
  }
  const wantedWhole: WantedExchange = ({ id, madeFor }) => whole.has(id) || makersInAny.has(madeFor);
  return {
    kept(exchange) {
      if (whole.has(exchange.id) || makers.has(`${exchange.madeFor} ${versionOf(exchange)}`)) return 'whole';
      return all || cut.has(exchange.id) ? 'cut' : 'none';
    },
    wanted: (known) => all || cut.has(known.id) || wantedWhole(known),
    wantedWhole,
  };
}

/** The version in the path of the request; a path without one does not link a request to a verdict. */
export function versionOf(exchange: RecordedExchange): string | undefined {
  return /^\/v(\d+\.\d+)\//.exec(exchange.request.path)?.[1];
}
