import { endpointTitle } from '../../specs/endpoint.ts';
import { routes } from '../../specs/known-routes.ts';
import type { WireRequest } from './wire.ts';

/** So many time-outs at an endpoint, and none of its answers in time, are no accident. */
const enough = 3;
/** What is waited for at such an endpoint then: a daemon that is well answers most requests in far less. */
const cutMs = 2_000;

/** What is waited for: a whole answer, the head of one that goes on, or what comes after that head. */
export type Awaited = 'answer' | 'head' | 'stream';

/** One wait for a daemon. */
export interface Wait {
  /** As long as it may take at most, in milliseconds; it may become less while it is waited. */
  readonly boundMs: number;
  /** Why it is less than it would be, to be told with a time-out; empty when it is not. */
  readonly why: string;
  /** Calls back when the bound becomes less. @returns ends that */
  onCut(cut: () => void): () => void;
  /** What was waited for came in time. */
  came(): void;
  timedOut(): void;
}

/** What one endpoint did so far. */
interface Known {
  timeouts: number;
  hasCome: boolean;
  readonly cuts: Set<() => void>;
}

/**
 * How long a run waits for a daemon, so that one thing that it never does does not cost a full bound in each of many
 * checks. Where the first waits at an endpoint all timed out, the others there are cut short. Nothing is cut at an endpoint
 * that has ever answered in time, so a daemon that is slow, but right, is given all the time that it needs.
 */
export class Patience {
  readonly #known = new Map<string, Known>();

  wait(request: WireRequest, awaited: Awaited, boundMs: number): Wait {
    const endpoint = routes.find(request.method, request.path);
    // What is no endpoint of the contract is asked for one by one.
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
        // Who waits for less than that may well have expected nothing.
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
