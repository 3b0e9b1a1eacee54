import { answersWithStream, type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import { routes } from '../../specs/known-routes.ts';
import { Silence } from './silence.ts';
import type { WireRequest } from './wire.ts';

/**
 * The bound after so many time-outs without anything that came in time, which are not an accident. A healthy daemon
 * answers most requests much faster.
 */
const cuts = [
  { after: 40, boundMs: 100 },
  { after: 8, boundMs: 500 },
  { after: 3, boundMs: 2_000 },
] as const;
/** Because of other streams, a stream is cut to no less until it has itself timed out a few times. */
const leastForOthersMs = 500;
const isLateAfter = 3;
/** The daemon hangs where so many endpoints do at the same time, or this one: without it hardly any other is asked. */
const endpointsOfHang = 2;
const neededByMost = 'POST /containers/create';
/** Who waits no longer may well have expected nothing. */
const shortMs = 2_000;

/** What is waited for: a whole answer, the head of an ongoing one, or what follows that head. */
export type Awaited = 'answer' | 'head' | 'stream';

/** What came: the status of the answer, and of what was waited for, how many bytes. */
interface Came {
  readonly status: number;
  readonly size: number;
}

/** One wait for a daemon. */
export interface Wait {
  /** The longest it may take, in milliseconds; it may decrease during the wait. */
  readonly boundMs: number;
  /** Why it is shorter than usual, for the message of a time-out; empty when it is not. */
  readonly why: string;
  /** Whether it is shorter because the daemon hangs, so that a time-out decides nothing. */
  readonly isOfHang: boolean;
  /** Whether little is expected of it: a longer wait would be cut. */
  readonly expectsLittle: boolean;
  /** Registers a callback for when the bound decreases. @returns unregisters it */
  onCut(tell: () => void): () => void;
  /** What was waited for came in time. A refusal does not show how long anything else takes. */
  came(what: Came): void;
  timedOut(): void;
}

/** Why and how much a wait is shortened. */
type Cut = Pick<Wait, 'boundMs' | 'why' | 'isOfHang'>;

function shorter(one: Cut | undefined, other: Cut | undefined): Cut | undefined {
  if (!one || !other) return one ?? other;
  return other.boundMs < one.boundMs ? other : one;
}

/** A wait whose bound is what it is at the time. */
class PatientWait implements Wait {
  readonly #usualMs: number;
  readonly #cutOfLong: () => Cut | undefined;
  readonly onCut: Wait['onCut'];
  readonly came: Wait['came'];
  readonly timedOut: Wait['timedOut'];

  /** @param cutOfLong how a wait that is long is shortened now */
  constructor(
    usualMs: number,
    cutOfLong: () => Cut | undefined,
    { onCut, came, timedOut }: Pick<Wait, 'onCut' | 'came' | 'timedOut'>,
  ) {
    this.#usualMs = usualMs;
    this.#cutOfLong = cutOfLong;
    this.onCut = onCut;
    this.came = came;
    this.timedOut = timedOut;
  }

  get boundMs(): number {
    return this.#cut()?.boundMs ?? this.#usualMs;
  }

  get why(): string {
    return this.#cut()?.why ?? '';
  }

  get isOfHang(): boolean {
    return this.#cut()?.isOfHang ?? false;
  }

  get expectsLittle(): boolean {
    return this.#cutOfLong() !== undefined;
  }

  #cut(): Cut | undefined {
    return this.#usualMs > shortMs ? this.#cutOfLong() : undefined;
  }
}

/** Waits for something during which a check does nothing. */
export type WhileIdle = <T>(waits: () => Promise<T>) => Promise<T>;

/** How the waits of one kind have ended so far. */
class History {
  readonly #of: string;
  /** Since something came. */
  readonly silence = new Silence();
  readonly #waiting = new Set<() => void>();
  #timeouts = 0;
  #hasCome = false;

  /** @param of what the waits are of, as it ends the reason of a cut */
  constructor(of: string) {
    this.#of = of;
  }

  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Whether several waits timed out and nothing has come. */
  get isLate(): boolean {
    return !this.#hasCome && this.#timeouts >= isLateAfter;
  }

  /** The bound of a wait from now on, at least this long, and why it is cut; undefined when it is not. */
  cut(leastMs = 0): Cut | undefined {
    if (this.#hasCome) return undefined;
    const cut = cuts.find(({ after, boundMs }) => this.#timeouts >= after && boundMs >= leastMs);
    if (!cut) return undefined;
    const { after, boundMs } = cut;
    return { boundMs, why: `cut to ${boundMs / 1_000} s after ${after} time-outs ${this.#of}`, isOfHang: false };
  }

  onCut(tell: () => void): () => void {
    this.#waiting.add(tell);
    return () => this.#waiting.delete(tell);
  }

  came(): void {
    this.#hasCome = true;
    this.silence.end();
  }

  timedOut(): void {
    this.#timeouts++;
    if (this.#hasCome || cuts.every(({ after }) => after !== this.#timeouts)) return;
    this.tell();
  }

  /** Tells those that wait that their bounds may have decreased. */
  tell(): void {
    for (const tell of [...this.#waiting]) tell();
  }
}

/**
 * How long a run waits for a daemon, so that one thing that it never does does not cost a full bound in many checks. If
 * the first waits at an endpoint all timed out, later ones there are shortened, and so are those for streams, whether
 * read as they come or whole, if no stream of any endpoint has delivered anything. Where anything but refusals has ever
 * come in time, nothing is shortened unless the daemon hangs, and only until something comes in time again; so a slow but
 * correct daemon gets all the time it needs.
 */
export class Patience {
  readonly #byEndpoint = new Map<string, History>();
  /** What hangs, an answer or a head, and the title of its endpoint. */
  readonly #hanging = new Map<History, string>();
  #hangs = false;
  readonly #streams = new History('of streams');
  readonly #whileIdle: WhileIdle;
  readonly #cuts: boolean;

  /**
   * @param whileIdle lets another check begin until something is over
   * @param cuts whether waits are ever shortened: on a slow daemon time-outs do not show that something never comes
   */
  constructor(whileIdle: WhileIdle = (waits) => waits(), { cuts = true }: { readonly cuts?: boolean } = {}) {
    this.#whileIdle = whileIdle;
    this.#cuts = cuts;
  }

  /** Whether the daemon hangs, and not only at what one endpoint does, which may be a deviation. */
  get hangs(): boolean {
    return this.#hangs;
  }

  /** Waits as `wait` says. Where little is expected of it, which costs the daemon nothing, another check begins meanwhile. */
  during<T>({ expectsLittle }: Wait, waits: () => Promise<T>): Promise<T> {
    return expectsLittle ? this.#whileIdle(waits) : waits();
  }

  wait(request: WireRequest, awaited: Awaited, boundMs: number): Wait {
    const endpoint = routes.find(request.method, request.path);
    const own = this.#of(endpoint, awaited);
    const isStream = awaited === 'stream' || (awaited === 'answer' && endpoint && answersWithStream(endpoint));
    const histories = isStream ? [own, this.#streams] : [own];
    // What does not come behind a head is often what is judged, and does not show that the daemon hangs.
    const isOfDaemon = endpoint !== undefined && awaited !== 'stream';
    const begunAt = performance.now();
    const cutOfLong = () => {
      if (!this.#cuts) return undefined;
      const ofHang = isOfDaemon ? this.#cutOfHang(own) : undefined;
      const ofStreams = isStream ? this.#streams.cut(own.isLate ? 0 : leastForOthersMs) : undefined;
      return shorter(shorter(ofHang, own.cut()), ofStreams);
    };
    return new PatientWait(boundMs, cutOfLong, {
      onCut(tell) {
        const forgets = histories.map((one) => one.onCut(tell));
        return () => {
          for (const forget of forgets) forget();
        };
      },
      came: ({ status, size }) => {
        if (status >= 400) return;
        own.came();
        if (this.#hanging.delete(own)) this.#hangs &&= this.#enoughHang();
        // What merely ended has delivered nothing.
        if (size > 0) for (const one of histories) one.came();
      },
      timedOut: () => {
        if (boundMs <= shortMs) return;
        for (const one of histories) one.timedOut();
        if (isOfDaemon && own.hasCome) this.#fallsSilent(own, { since: begunAt, at: endpointTitle(endpoint) });
      },
    });
  }

  #fallsSilent(own: History, { since, at }: { readonly since: number; readonly at: string }): void {
    const { silence } = own;
    const { boundMs } = silence;
    silence.timedOut(since);
    if (silence.isHang) this.#hanging.set(own, at);
    if (this.#hangs) {
      if (silence.boundMs !== boundMs) own.tell();
      return;
    }
    // Endpoints that hung one after another, and were not asked again, may have deviated, each in a way of its own.
    for (const one of this.#hanging.keys()) if (!one.silence.isRecent) this.#hanging.delete(one);
    this.#hangs = this.#enoughHang();
    if (this.#hangs) for (const one of this.#byEndpoint.values()) one.tell();
  }

  #enoughHang(): boolean {
    const endpoints = new Set(this.#hanging.values());
    return endpoints.size >= endpointsOfHang || endpoints.has(neededByMost);
  }

  /** While the daemon hangs, a single time-out shows that an endpoint does, too. */
  #cutOfHang({ hasCome, silence: { boundMs } }: History): Cut | undefined {
    if (!this.#hangs || !hasCome || boundMs === undefined) return undefined;
    const hanging = [...new Set(this.#hanging.values())].slice(0, endpointsOfHang).join(' and ');
    const why = `as the daemon hangs: it no longer answers ${hanging}`;
    return { boundMs, why: `cut to ${boundMs / 1_000} s ${why}`, isOfHang: true };
  }

  #of(endpoint: Endpoint | undefined, awaited: Awaited): History {
    // Requests to unknown endpoints are treated separately.
    if (!endpoint) return new History('at this path');
    const key = `${awaited} ${endpointTitle(endpoint)}`;
    const known = this.#byEndpoint.get(key) ?? new History('at this endpoint');
    this.#byEndpoint.set(key, known);
    return known;
  }
}
