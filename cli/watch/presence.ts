import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from '../../harness/target/address.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import type { ApiVersion } from '../../specs/versions.ts';

const pollMs = 250;
const pingMs = 2_000;

/** What distinguishes the daemon at an address from the next one there; undefined when nothing is there. */
export type Presence = string | undefined;

/**
 * Who is at an address just now. Each daemon makes a socket of its own, so a unix socket shows a restart however short
 * it was; a port only tells whether anyone listens.
 */
export async function presenceAt(address: Address): Promise<Presence> {
  try {
    if (address.kind === 'tcp') return await listening(address);
    const { ino, mtimeNs } = await stat(address.socketPath, { bigint: true });
    return `${ino} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}

/**
 * Settles once another daemon than the one that was there before answers a ping, whatever it answers.
 * @param before undefined when that one is known to be gone
 * @throws the reason of `signal` when it is aborted
 */
export async function comesBack(
  address: Address,
  api: ApiVersion,
  before: Presence,
  signal: AbortSignal,
): Promise<void> {
  let last = before;
  for (;;) {
    await delay(pollMs, undefined, { signal });
    const now = await presenceAt(address);
    if (now === undefined) last = undefined;
    else if (now !== last && (await answersPing(address, api))) return;
  }
}

async function listening(address: Address): Promise<Presence> {
  const transport = undiciTransport(address);
  try {
    await transport.connect();
    return 'listens';
  } finally {
    await transport.close();
  }
}

async function answersPing(address: Address, api: ApiVersion): Promise<boolean> {
  const transport = undiciTransport(address);
  try {
    await transport.exchange({ method: 'GET', path: `/v${api}/_ping`, headers: {} }, { wholeMs: pingMs });
    return true;
  } catch {
    return false;
  } finally {
    await transport.close();
  }
}
