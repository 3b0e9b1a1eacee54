import { setTimeout as delay } from 'node:timers/promises';
import { comesWithin } from '../../../harness/engine/comes-within.ts';
import type { Engine, RequestOptions } from '../../../harness/engine/engine.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import type { Registry } from '../../../harness/registry/registry.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';

/** How long a daemon may take for what it does while its client stays. */
const neededMs = 30_000;
/** How long a daemon may take to notice that its client is gone. */
const noticeMs = 2_000;
/** The minimum time for a daemon that noticed nothing to finish what it is doing. */
const throughMs = 2_000;

/** What a daemon is doing while its request waits for an answer. */
export interface Held {
  readonly registry: Registry;
  /** Whether the daemon has finished all of it. */
  readonly isThrough: () => boolean | Promise<boolean>;
}

/** A request that the suite can abandon at any time. A daemon may answer it only when it has finished. */
export class Leaving {
  readonly #dropping = new AbortController();
  readonly #opening: Promise<LiveExchange>;

  constructor(engine: Engine, path: string, options: RequestOptions) {
    this.#opening = engine.open('POST', path, { ...options, signal: this.#dropping.signal });
    this.#opening.catch(() => {}); // The outcome is read below.
  }

  /**
   * Waits until the daemon has sent the request that the registry holds.
   * @throws Blocked when it does not
   */
  async untilHeld(registry: Registry, what: string): Promise<void> {
    const waiting = new AbortController();
    const ended = this.#opening.then((live) => live.rest()).catch(() => undefined);
    const came = await Promise.race([
      registry.held.then(() => 'held'),
      ended.then(() => 'ended'),
      delay(neededMs, 'late', { signal: waiting.signal }).catch(() => 'late'),
    ]);
    waiting.abort();
    if (came === 'ended') throw new Blocked(`the answer ended before ${what}`);
    if (came === 'late') throw new Blocked(`waited ${neededMs} ms until ${what}`);
  }

  /** Drops the connection. @returns the exchange, if its head had arrived */
  async drop(): Promise<readonly LiveExchange[]> {
    this.#dropping.abort();
    const live = await this.#opening.catch(() => undefined);
    live?.drop();
    return live ? [live] : [];
  }
}

/**
 * Tries twice what a registry holds: once with a client that stays, the control, and once with one that leaves.
 * @param hold begins a request that the registry holds, and calls what it gets with it
 */
export async function expectAbandoned(
  what: string,
  hold: (then: (leaving: Leaving, held: Held) => Promise<void>) => Promise<void>,
): Promise<void> {
  let neededMs = 0;
  await hold(async (_leaving, held) => {
    neededMs = await usualMs(held);
  });
  await hold(async (leaving, held) => {
    const evidence = await leaving.drop();
    const isThrough = await goesThrough(held, neededMs);
    expectValue(`whether the daemon goes through with ${what}`, isThrough, evidence).toBe(false);
  });
}

/**
 * The control: while its client stays, a daemon finishes once its held request is answered.
 * @returns how long it took
 * @throws Blocked when it does not
 */
async function usualMs(held: Held): Promise<number> {
  const began = performance.now();
  held.registry.release();
  if (await throughWithin(held, neededMs)) return performance.now() - began;
  throw new Blocked(`the positive control was not through ${neededMs} ms after its request was answered`);
}

/**
 * Whether a daemon finishes after its client has gone. It does not if it drops the held request, or if that is answered
 * in the end and nothing is finished in many times the usual time.
 * @param usuallyMs the time that the control took
 */
async function goesThrough(held: Held, usuallyMs: number): Promise<boolean> {
  const hasDropped = await comesWithin(held.registry.abandoned, noticeMs);
  held.registry.release();
  // A daemon that drops the request may still send another.
  return throughWithin(held, hasDropped ? 2 * usuallyMs : Math.max(throughMs, 10 * usuallyMs));
}

function throughWithin({ isThrough }: Held, boundMs: number): Promise<boolean> {
  return lookUntil(
    async () => isThrough(),
    (seen) => seen,
    boundMs,
  );
}
