import { stat } from 'node:fs/promises';
import { lookUntil } from '../../harness/engine/look-until.ts';
import type { Address } from '../../harness/target/address.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import type { ApiVersion } from '../../specs/versions.ts';

const pingMs = 2_000;

/** Distinguishes the daemon at an address from the next one there; undefined when there is none. */
export type Presence = string | undefined;

/**
 * Which daemon is at an address now. Each daemon creates its own socket, so a unix socket reveals even a short restart;
 * a port only shows whether anyone listens.
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
 * Settles once a daemon other than the previous one answers a ping, whatever it answers.
 * @param before undefined when the previous one is known to be gone
 * @throws the reason of `signal` when it is aborted
 */
export async function comesBack(
  address: Address,
  api: ApiVersion,
  before: Presence,
  signal: AbortSignal,
): Promise<void> {
  let last = before;
  const isBack = async () => {
    const now = await presenceAt(address);
    if (now === undefined) last = undefined;
    return now !== undefined && now !== last && (await answersPing(address, api));
  };
  await lookUntil(isBack, (back) => back, Number.POSITIVE_INFINITY, { signal });
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
