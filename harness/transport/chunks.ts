import { setImmediate as turn } from 'node:timers/promises';

/**
 * A body in the pieces between some places, each to be sent as one chunk. Between two of them other work has its turn, so
 * that they also leave one by one.
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
