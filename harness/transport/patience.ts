import { endpointTitle } from '../../specs/endpoint.ts';
import { routes } from '../../specs/known-routes.ts';
import type { WireRequest } from './wire.ts';

/** This many time-outs at an endpoint, without a single timely answer, are not an accident. */
const enough = 3;
/** The bound at such an endpoint from then on: a healthy daemon answers most requests much faster. */
const cutMs = 2_000;

/** What is waited for: a whole answer, the head of an ongoing one, or what follows that head. */
export type Awaited = 'answer' | 'head' | 'stream';

/** One wait for a daemon. */
export interface Wait {
  /** The longest it may take, in milliseconds; it may decrease during the wait. */
  readonly boundMs: number;
  /** Why it is shorter than usual, for the message of a time-out; empty when it is not. */
  readonly why: string;
  /** Registers a callback for when the bound decreases. @returns unregisters it */
  onCut(cut: () => void): () => void;
  /** What was waited for came in time. */
  came(): void;
  timedOut(): void;
}

/** The history of one endpoint. */
interface Known {
  timeouts: number;
  hasCome: boolean;
  readonly cuts: Set<() => void>;
}

/**
 * How long a run waits for a daemon, so that one thing that it never does does not cost a full bound in many checks. If
 * the first waits at an endpoint all timed out, later ones there are shortened. Nothing is shortened at an endpoint
 * that has ever answered in time, so a slow but correct daemon gets all the time it needs.
 */
export class Patience {
  readonly #known = new Map<string, Known>();

  wait(request: WireRequest, awaited: Awaited, boundMs: number): Wait {
    const endpoint = routes.find(request.method, request.path);
    // Requests to unknown endpoints are treated separately.
    const known = endpoint ? this.#of(`${awaited} ${endpointTitle(endpoint)}`) : fresh();
    const isCut = () => known.timeouts >= enough && !known.hasCome && boundMs > cutMs;
    return {
      get boundMs() {
        return isCut() ? cutMs : boundMs;
      },
      get why() {
        return isCut() ? `cut to ${cutMs / 1_000} s after ${enough} time-outs at this endpoint` : '';
      },
      onCut(cut) {
        known.cuts.add(cut);
        return () => known.cuts.delete(cut);
      },
      came() {
        known.hasCome = true;
      },
      timedOut() {
        // A caller with a shorter bound may well have expected nothing.
        if (boundMs <= cutMs) return;
        known.timeouts++;
        if (known.timeouts === enough && !known.hasCome) for (const cut of [...known.cuts]) cut();
      },
    };
  }

  #of(key: string): Known {
    const known = this.#known.get(key) ?? fresh();
    this.#known.set(key, known);
    return known;
  }
}

function fresh(): Known {
  return { timeouts: 0, hasCome: false, cuts: new Set() };
}
