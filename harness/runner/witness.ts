import { AsyncLocalStorage } from 'node:async_hooks';
import { allEndpoints, isFieldRule } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { Check, Fixture } from '../check.ts';
import type { Fault } from '../faults/fault.ts';
import { requestMatcher } from '../faults/faulty-transport.ts';
import type { LiveAnswer, Transport, WireAnswer, WireHead, WireRequest } from '../transport/wire.ts';
import type { DistinctFault } from './distinct-faults.ts';
import { changesExchange, changesField, changesStream, type Exchanged } from './fault-effects.ts';

/** A refusal that a check met on a daemon without a fault. */
export interface Refusal {
  readonly endpoint: string;
  readonly status: number;
}

/** What a check, or a fixture that it uses, exchanged with a daemon without a fault. */
class Witness {
  readonly refusals = new Map<string, Refusal>();
  /** The faults that would have changed something, and what; undefined where that may be anything, as in a stream. */
  readonly touchedBy = new Map<DistinctFault, Exchanged[] | undefined>();
  readonly uses = new Set<Witness>();
  readonly #candidates: readonly Candidate[];
  readonly #isShared: boolean;

  /** @param isShared whether it belongs to a fixture, for which it is recorded what the faults would have changed */
  constructor(candidates: readonly Candidate[], isShared: boolean) {
    this.#candidates = candidates;
    this.#isShared = isShared;
  }

  exchanged(request: WireRequest, answer: WireAnswer): void {
    this.refused(request, answer);
    this.#look(
      request,
      (fault) => changesExchange(fault, request, answer),
      this.#isShared ? { request, answer } : undefined,
    );
  }

  opened(request: WireRequest, answer: WireHead): void {
    this.refused(request, answer);
    this.#look(request, (fault) => changesStream(fault, request, answer));
  }

  refused(request: WireRequest, { status }: WireHead): void {
    if (status < 300) return;
    const endpoint = endpoints.find(({ applies }) => applies(request))?.title;
    if (endpoint !== undefined) this.refusals.set(`${status} ${endpoint}`, { endpoint, status });
  }

  #look(request: WireRequest, changes: (fault: Fault) => boolean, exchanged?: Exchanged): void {
    for (const { applies, faults } of this.#candidates) {
      if (!applies(request)) continue;
      for (const one of faults) {
        const before = this.touchedBy.get(one) ?? [];
        const isWholly = this.touchedBy.has(one) && this.touchedBy.get(one) === undefined;
        if (!isWholly && changes(one.fault)) this.touchedBy.set(one, exchanged && [...before, exchanged]);
      }
    }
  }
}

/** The faults of one endpoint. */
interface Candidate {
  readonly endpoint: string;
  readonly applies: (request: WireRequest) => boolean;
  readonly faults: readonly DistinctFault[];
}

const endpoints = allEndpoints
  .filter(({ server }) => server === undefined)
  .map((one) => ({ title: endpointTitle(one), applies: requestMatcher(endpointTitle(one)), span: one }));

const current = new AsyncLocalStorage<Witness>();

/** Records which faults would have changed what checks exchange with a daemon without a fault, and what it refused. */
export class Witnesses {
  readonly #faults: readonly DistinctFault[];
  readonly #ofChecks = new Map<string, Witness>();
  readonly #candidatesOf = new Map<ApiVersion, readonly Candidate[]>();
  readonly #ofFixtures = new Map<ApiVersion, Map<Fixture<unknown>, Witness>>();

  constructor(faults: readonly DistinctFault[]) {
    this.#faults = faults;
  }

  /** A transport that reports to the witness of whoever sends something. */
  watch(transport: Transport): Transport {
    return {
      async exchange(request, bounds) {
        const witness = current.getStore();
        const answer = await transport.exchange(request, bounds);
        witness?.exchanged(request, answer);
        return answer;
      },
      async open(request, bounds): Promise<LiveAnswer> {
        const witness = current.getStore();
        const answer = await transport.open(request, bounds);
        witness?.opened(request, answer);
        return answer;
      },
      connect: () => transport.connect(),
      close: () => transport.close(),
    };
  }

  /** Runs a check without a fault, and records what it exchanged. */
  check<T>({ rule }: Check, api: ApiVersion, run: () => Promise<T>): Promise<T> {
    const title = rule.endpoint ? endpointTitle(rule.endpoint) : '';
    const witness = new Witness(
      this.#candidates(api).filter(({ endpoint }) => endpoint === title),
      false,
    );
    this.#ofChecks.set(keyOf(rule.id, api), witness);
    return current.run(witness, run);
  }

  /** Runs what makes or waits for a fixture: its exchanges count for every check that uses it. */
  fixture<T>(fixture: Fixture<T>, api: ApiVersion, run: () => Promise<T>): Promise<T> {
    const user = current.getStore();
    if (!user) return run();
    const known = this.#ofFixtures.get(api) ?? new Map<Fixture<unknown>, Witness>();
    this.#ofFixtures.set(api, known);
    const witness = known.get(fixture) ?? new Witness(this.#candidates(api), true);
    known.set(fixture, witness);
    user.uses.add(witness);
    return current.run(witness, run);
  }

  /**
   * Whether a fault would have changed what a check exchanged. The check of a field in a shared answer reads only its
   * field.
   */
  isTouched({ rule }: Check, by: DistinctFault): boolean {
    // Requests to a registry or a token server are not visible here.
    if (by.fault.toRegistry || rule.endpoint?.server === 'authorization') return true;
    const [own, ...shared] = this.#all(rule.id, by.api);
    if (own?.touchedBy.has(by)) return true;
    return shared.some(({ touchedBy }) => {
      if (!touchedBy.has(by)) return false;
      const changed = touchedBy.get(by);
      if (!changed || !isFieldRule(rule)) return true;
      return changed.some((exchanged) => changesField(by.fault, exchanged, rule.field.path));
    });
  }

  /** What the daemon refused the check, without duplicates. An endpoint that the version lacks refuses everything. */
  refusalsOf({ rule }: Check, api: ApiVersion): Refusal[] {
    const refusals = new Map(this.#all(rule.id, api).flatMap((witness) => [...witness.refusals]));
    const there = new Set(endpoints.filter(({ span }) => holdsIn(span, api)).map(({ title }) => title));
    return [...refusals.values()].filter(({ endpoint }) => there.has(endpoint));
  }

  #all(rule: string, api: ApiVersion): Witness[] {
    const all = new Set<Witness>();
    const add = (witness: Witness) => {
      if (all.has(witness)) return;
      all.add(witness);
      for (const used of witness.uses) add(used);
    };
    const own = this.#ofChecks.get(keyOf(rule, api));
    if (own) add(own);
    return [...all];
  }

  #candidates(api: ApiVersion): readonly Candidate[] {
    const known = this.#candidatesOf.get(api);
    if (known) return known;
    const ofApi = this.#faults.filter((one) => one.api === api);
    const made = [...new Set(ofApi.map(({ endpoint }) => endpoint))].map((endpoint) => ({
      endpoint,
      applies: requestMatcher(endpoint),
      faults: ofApi.filter((one) => one.endpoint === endpoint),
    }));
    this.#candidatesOf.set(api, made);
    return made;
  }
}

function keyOf(rule: string, api: ApiVersion): string {
  return `${rule} ${api}`;
}
