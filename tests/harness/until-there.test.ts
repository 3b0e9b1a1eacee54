import { expect, test } from 'vitest';
import { untilThere } from '../../harness/sandbox/until-there.ts';
import type { WireAnswer } from '../../harness/transport/wire.ts';

const answer: WireAnswer = { status: 200, headers: [], body: Buffer.alloc(0) };
const never = new Promise<WireAnswer>(() => {});

test('an answer that comes is the result, and nobody looks', async () => {
  let looks = 0;
  const look = async () => {
    looks++;
    return true;
  };
  expect(await untilThere(Promise.resolve(answer), look)).toBe(answer);
  expect(looks).toBe(0);
});

test('what is there is enough where the answer hangs', async () => {
  const found = [false, true];
  expect(await untilThere(never, async () => found.shift() ?? false)).toBe('there');
  expect(found).toEqual([]);
});

test('an answer that fails is told', async () => {
  await expect(untilThere(Promise.reject(new Error('no answer')), async () => false)).rejects.toThrow('no answer');
});
