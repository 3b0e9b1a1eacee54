import type { ClientDeviation } from '../harness/events.ts';
import { endpointTitle } from '../specs/endpoint.ts';
import type { ClientFinding } from './judge/requests.ts';
import type { Subject } from './judge/subject.ts';

/** The limit for a client that keeps sending something new. */
const most = 1_000;

/** Collects how clients deviated from the contract, without duplicates. */
export class Clients {
  readonly #known = new Map<string, ClientDeviation>();
  /** What was already reported in some version. */
  readonly #told = new Set<string>();
  readonly #found: (deviation: ClientDeviation) => void;

  /** @param found called for each deviation when it first occurs in any version */
  constructor(found: (deviation: ClientDeviation) => void) {
    this.#found = found;
  }

  /** @returns whether it is new */
  add({ weight, says, actual }: ClientFinding, { endpoint, api }: Subject, exchange: string): boolean {
    const title = endpointTitle(endpoint);
    const key = JSON.stringify([title, api, says]);
    const known = this.#known.get(key);
    if (known) {
      this.#known.set(key, { ...known, times: known.times + 1 });
      return false;
    }
    if (this.#known.size >= most) return false;
    const deviation: ClientDeviation = { weight, endpoint: title, api, says, actual, times: 1, exchange };
    this.#known.set(key, deviation);
    const matter = JSON.stringify([title, says]);
    if (!this.#told.has(matter)) this.#found(deviation);
    this.#told.add(matter);
    return true;
  }

  /** All deviations: first those from what is stated. */
  all(): ClientDeviation[] {
    const every = [...this.#known.values()];
    return ['deviates', 'beyond'].flatMap((weight) => every.filter((one) => one.weight === weight));
  }
}
