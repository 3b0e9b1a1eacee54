import { setImmediate as turn } from 'node:timers/promises';

/**
 * The pieces of a body between cuts, each to be sent as one chunk. Other work gets a turn between two pieces, so that
 * they also leave one by one.
 */
export async function* chunksOf(body: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    if (cut <= from || cut > body.length) continue;
    yield body.subarray(from, cut);
    from = cut;
    await turn();
  }
}
