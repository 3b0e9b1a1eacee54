import { endpointTitle } from '../../specs/endpoint.ts';
import { routes } from '../../specs/known-routes.ts';
import type { WireRequest } from './wire.ts';

/**
 * The bound at an endpoint after so many time-outs without a single timely answer, which are not an accident. A healthy
 * daemon answers most requests much faster.
 */
const cuts = [
  { after: 8, boundMs: 500 },
  { after: 3, boundMs: 2_000 },
] as const;
/** Who waits no longer may well have expected nothing. */
const shortMs = 2_000;

/** What is waited for: a whole answer, the head of an ongoing one, or what follows that head. */
export type Awaited = 'answer' | 'head' | 'stream';

/** One wait for a daemon. */
export interface Wait {
  /** The longest it may take, in milliseconds; it may decrease during the wait. */
  readonly boundMs: number;
  /** Why it is shorter than usual, for the message of a time-out; empty when it is not. */
  readonly why: string;
  /** Registers a callback for when the bound decreases. @returns unregisters it */
  onCut(tell: () => void): () => void;
  /** What was waited for came in time. */
  came(): void;
  timedOut(): void;
}

/** The history of one endpoint. */
interface Known {
  timeouts: number;
  hasCome: boolean;
  readonly waiting: Set<() => void>;
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
    const cut = () =>
      known.hasCome || boundMs <= shortMs ? undefined : cuts.find(({ after }) => known.timeouts >= after);
    return {
      get boundMs() {
        return cut()?.boundMs ?? boundMs;
      },
      get why() {
        const done = cut();
        return done ? `cut to ${done.boundMs / 1_000} s after ${done.after} time-outs at this endpoint` : '';
      },
      onCut(tell) {
        known.waiting.add(tell);
        return () => known.waiting.delete(tell);
      },
      came() {
        known.hasCome = true;
      },
      timedOut() {
        if (boundMs <= shortMs) return;
        known.timeouts++;
        if (!known.hasCome && cuts.some(({ after }) => after === known.timeouts))
          for (const tell of [...known.waiting]) tell();
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
  return { timeouts: 0, hasCome: false, waiting: new Set() };
}
