import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, RequestOptions } from '../../../harness/engine/engine.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
import type { Registry } from '../../../harness/registry/registry.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';

const neededMs = 10_000;
/** How long a daemon may take to notice that its client is gone. */
const noticeMs = 2_000;
/** How long a daemon that has noticed nothing may take at least to go through with what it does. */
const throughMs = 2_000;

/** What a daemon does that waits for its request to be answered. */
export interface Held {
  readonly registry: Registry;
  /** Whether the daemon is through with all of it. */
  readonly isThrough: () => boolean | Promise<boolean>;
}

/** A request that the suite can leave at any time. A daemon is free to answer it only when it is through. */
export class Leaving {
  readonly #dropping = new AbortController();
  readonly #opening: Promise<LiveExchange>;

  constructor(engine: Engine, path: string, options: RequestOptions) {
    this.#opening = engine.open('POST', path, { ...options, signal: this.#dropping.signal });
    this.#opening.catch(() => {}); // What became of it is asked below.
  }

  /**
   * Waits until the daemon has made the request that the registry holds.
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

  /** Drops the connection. @returns the exchange, when its head had come */
  async drop(): Promise<readonly LiveExchange[]> {
    this.#dropping.abort();
    const live = await this.#opening.catch(() => undefined);
    live?.drop();
    return live ? [live] : [];
  }
}

/**
 * The control: a daemon whose client stays goes through with what it does once its request is answered.
 * @returns how long it took
 * @throws Blocked when it does not
 */
export async function usualMs(held: Held): Promise<number> {
  const began = performance.now();
  held.registry.release();
  if (await throughWithin(held, neededMs)) return performance.now() - began;
  throw new Blocked(`the positive control was not through ${neededMs} ms after its request was answered`);
}

/**
 * Sees whether a daemon whose client has gone goes through with what it does: it drops the held request, or that is
 * answered in the end and the daemon makes nothing of it in many times the time that it usually needs.
 * @param usuallyMs what the control needed
 */
export async function goesThrough(held: Held, usuallyMs: number): Promise<boolean> {
  const hasDropped = await within(held.registry.abandoned, noticeMs);
  held.registry.release();
  // A daemon that drops the request may still make another.
  return throughWithin(held, hasDropped ? 2 * usuallyMs : Math.max(throughMs, 10 * usuallyMs));
}

function throughWithin({ isThrough }: Held, boundMs: number): Promise<boolean> {
  return lookUntil(
    async () => isThrough(),
    (seen) => seen,
    boundMs,
  );
}

async function within(happening: Promise<void>, boundMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(boundMs, false, { signal: timer.signal }).catch(() => false);
  const came = await Promise.race([happening.then(() => true), late]);
  timer.abort();
  return came;
}
