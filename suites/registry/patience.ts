import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from '../../harness/registry/registry.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';

const neededMs = 10_000;
/** How long a daemon may take to notice that its client is gone. */
const noticeMs = 2_000;
/** How long a daemon that has noticed nothing may take to go through with what it does. */
const throughMs = 3_000;
const lookMs = 100;

/** Waits until the daemon has made the request that the registry holds. @throws Blocked when it does not */
export async function untilHeld(registry: Registry, what: string): Promise<void> {
  if (await within(registry.held, neededMs)) return;
  throw new Blocked(`waited ${neededMs} ms until ${what}`);
}

/**
 * Sees whether a daemon whose client has gone goes through with what it does: it drops the held request, or it is
 * answered in the end and the daemon makes nothing of it.
 * @param isThrough whether the daemon is through with all of it
 */
export async function goesThrough(registry: Registry, isThrough: () => boolean | Promise<boolean>): Promise<boolean> {
  if (await within(registry.abandoned, noticeMs)) return false;
  registry.release();
  for (let waited = 0; waited < throughMs; waited += lookMs) {
    if (await isThrough()) return true;
    await delay(lookMs);
  }
  return false;
}

async function within(happening: Promise<void>, boundMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(boundMs, false, { signal: timer.signal }).catch(() => false);
  const came = await Promise.race([happening.then(() => true), late]);
  timer.abort();
  return came;
}
