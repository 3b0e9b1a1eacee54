import type { RecordedExchange, Result } from '../../harness/events.ts';
import { madeIdentifier } from '../../harness/recording/made-identifier.ts';
import { versionOf } from '../evidence.ts';
import { grouped } from '../grouped.ts';
import { Identifiers } from './identifiers.ts';
import { numberOf, requestText, spanOf } from './recorded.ts';

/** The run's own names: `ec-`, the run's id, `-` and a number. */
const ownName = /\bec-([a-z0-9]{12})-(\w+)/g;

/** The prefix for exchanges of fixtures, which belong to no rule. */
export function isOfFixture({ madeFor }: Pick<RecordedExchange, 'madeFor'>): boolean {
  return madeFor.startsWith('shared fixtures');
}

/** The id of the run that made these names; undefined without names. */
export function runIn(exchanges: readonly RecordedExchange[]): string | undefined {
  for (const exchange of exchanges) {
    const [found] = requestText(exchange).matchAll(ownName);
    if (found) return found[1];
  }
  return undefined;
}

/** Finds what must be sent so that an exchange gets the same answer as before. */
export class Selection {
  /** What identifiers look like in these exchanges. */
  readonly identifiers: Identifiers;
  /** What blocks hundreds of rules is in the script of each, and may be an upload. */
  readonly #known = new WeakMap<RecordedExchange, readonly string[]>();
  /** Exchanges of fixtures that made or changed something, or waited for it, by each name in them. */
  readonly #preparing: ReadonlyMap<string, readonly { readonly exchange: RecordedExchange }[]>;
  readonly #own: ReadonlyMap<string, readonly RecordedExchange[]>;
  readonly #byId: ReadonlyMap<string, RecordedExchange>;

  constructor(exchanges: readonly RecordedExchange[]) {
    this.identifiers = new Identifiers(exchanges);
    const inOrder = exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
    const preparing = inOrder.filter((exchange) => isOfFixture(exchange) && prepares(exchange));
    const named = preparing.flatMap((exchange) => this.namesOf([exchange]).map((name) => ({ name, exchange })));
    this.#preparing = grouped(named, ({ name }) => name);
    this.#own = grouped(inOrder, (exchange) => `${exchange.madeFor} ${versionOf(exchange) ?? ''}`);
    this.#byId = new Map(inOrder.map((exchange) => [exchange.id, exchange]));
  }

  exchange(id: string): RecordedExchange | undefined {
    return this.#byId.get(id);
  }

  /**
   * The exchanges of a check up to the one that shows the deviation, and those that made what they name, in order.
   * @param alsoNamed what the place of the deviation names
   */
  of(result: Result, shown: RecordedExchange, alsoNamed: string): RecordedExchange[] {
    const { end } = spanOf(shown);
    const chosen = new Set<RecordedExchange>([shown]);
    const own = this.#own.get(`${result.rule} ${result.api}`) ?? [];
    for (const exchange of own) if (spanOf(exchange).begin <= end) chosen.add(exchange);
    const wanted = new Set(this.#namesIn(alsoNamed));
    for (const exchange of chosen) for (const name of this.#namesInRequest(exchange)) wanted.add(name);
    // A set goes on to what is added meanwhile.
    for (const name of wanted) {
      for (const { exchange } of this.#preparing.get(name) ?? []) {
        if (chosen.has(exchange) || spanOf(exchange).begin > end) continue;
        chosen.add(exchange);
        for (const another of this.namesOf([exchange])) wanted.add(another);
      }
    }
    return [...chosen].toSorted((one, other) => numberOf(one) - numberOf(other));
  }

  /** What the requests make or name, with the identifiers that it got. */
  namesOf(exchanges: readonly RecordedExchange[]): string[] {
    const names = exchanges.flatMap((one) => [...this.#namesInRequest(one), madeIdentifier(one) ?? []].flat());
    return [...new Set(names)];
  }

  #namesInRequest(exchange: RecordedExchange): readonly string[] {
    const names = this.#known.get(exchange) ?? this.#namesIn(requestText(exchange));
    this.#known.set(exchange, names);
    return names;
  }

  #namesIn(text: string): string[] {
    const own = [...text.matchAll(ownName)].filter(([, , what]) => what !== 'probe').map(([name]) => name);
    return [...own, ...this.identifiers.in(text).map((found) => found.text)];
  }
}

/** Whether something is no longer as it was. Reading changes nothing, but following a stream waits for what comes. */
function prepares({ request, stream }: RecordedExchange): boolean {
  if (request.method === 'HEAD') return false;
  return request.method !== 'GET' || stream !== undefined;
}
