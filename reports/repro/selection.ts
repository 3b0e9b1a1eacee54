import type { RecordedExchange, Result } from '../../harness/events.ts';
import { versionOf } from '../evidence.ts';
import { identifiers } from './identifiers.ts';
import { jsonOf, numberOf, requestText, spanOf } from './recorded.ts';

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
  readonly #ofFixtures: readonly RecordedExchange[];
  readonly #own = new Map<string, RecordedExchange[]>();
  readonly #byId = new Map<string, RecordedExchange>();
  readonly #texts = new Map<RecordedExchange, ReadonlySet<string>>();
  readonly #made = new Map<string, string>();

  constructor(exchanges: readonly RecordedExchange[]) {
    const inOrder = exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
    this.#ofFixtures = inOrder.filter(isOfFixture);
    for (const exchange of inOrder) {
      this.#byId.set(exchange.id, exchange);
      const key = `${exchange.madeFor} ${versionOf(exchange) ?? ''}`;
      this.#own.set(key, [...(this.#own.get(key) ?? []), exchange]);
      const id = madeIdentifier(exchange);
      if (id !== undefined) this.#made.set(id, exchange.id);
    }
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
    const wanted = new Set(namesIn(alsoNamed));
    for (const exchange of chosen) for (const name of this.#namesOf(exchange)) wanted.add(name);
    for (let before = -1; before !== chosen.size; ) {
      before = chosen.size;
      for (const exchange of this.#ofFixtures) {
        if (chosen.has(exchange) || spanOf(exchange).begin > end) continue;
        if (!this.#prepares(exchange, wanted)) continue;
        chosen.add(exchange);
        for (const name of this.#namesOf(exchange)) wanted.add(name);
        const made = madeIdentifier(exchange);
        if (made !== undefined) wanted.add(made);
      }
    }
    return [...chosen].toSorted((one, other) => numberOf(one) - numberOf(other));
  }

  /** Whether an exchange of a fixture made or changed one of these, or waited for it. */
  #prepares(exchange: RecordedExchange, wanted: ReadonlySet<string>): boolean {
    const made = madeIdentifier(exchange);
    const names = [...this.#namesOf(exchange), ...(made === undefined ? [] : [made])];
    const isAbout = names.some((name) => wanted.has(name));
    if (!isAbout) return false;
    // Reading changes nothing, but following a stream waits for what a process writes.
    if (exchange.request.method === 'HEAD') return false;
    return exchange.request.method !== 'GET' || exchange.stream !== undefined;
  }

  #namesOf(exchange: RecordedExchange): ReadonlySet<string> {
    const known = this.#texts.get(exchange) ?? new Set(namesIn(requestText(exchange)));
    this.#texts.set(exchange, known);
    return known;
  }
}

/** What the requests make or name, with the identifiers that it got. */
export function namesOf(exchanges: readonly RecordedExchange[]): string[] {
  const names = exchanges.flatMap((exchange) =>
    [...namesIn(requestText(exchange)), madeIdentifier(exchange) ?? []].flat(),
  );
  return [...new Set(names)];
}

function namesIn(text: string): string[] {
  const own = [...text.matchAll(ownName)].filter(([, , what]) => what !== 'probe').map(([name]) => name);
  return [...own, ...(text.match(identifiers) ?? [])];
}

/** The identifier in an answer to a create request. */
function madeIdentifier(exchange: RecordedExchange): string | undefined {
  const { request, answer } = exchange;
  if (request.method !== 'POST' || answer?.status !== 201) return undefined;
  const json = jsonOf(exchange)?.json;
  const id = typeof json === 'object' && json !== null && !Array.isArray(json) ? json.Id : undefined;
  return typeof id === 'string' && /^[0-9a-f]{12,}$/.test(id) ? id : undefined;
}
