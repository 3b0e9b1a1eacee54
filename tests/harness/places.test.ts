import { describe, expect, test } from 'vitest';
import { Places } from '../../harness/runner/places.ts';

/** Something that runs until it is told to end. */
function held(places: Places, name: string, begun: string[], mostMs = Number.POSITIVE_INFINITY) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const over = places.enter().then(() =>
    places.inside(mostMs, () => {
      begun.push(name);
      return ended;
    }),
  );
  const ends = () => {
    end();
    return over;
  };
  return { end: ends, over };
}

/** Lends or leaves a place. @returns takes it back */
function lend(places: Places, how = (waits: () => Promise<void>) => places.lentDuring(waits)): () => Promise<void> {
  let end = () => {};
  const waits = new Promise<void>((resolve) => {
    end = resolve;
  });
  const over = how(() => waits);
  return () => {
    end();
    return over;
  };
}

/** Lets everything begin that can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the places for checks', () => {
  test('are given in the order in which they are asked for', async () => {
    const begun: string[] = [];
    const places = new Places(2);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => held(places, name, begun));
    await settled();
    expect(begun).toEqual(['a', 'b']);
    await b?.end();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    await Promise.all([a?.end(), c?.end(), d?.end()]);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('are given next to what asks for it so', async () => {
    const begun: string[] = [];
    const places = new Places(1);
    const [a, b] = ['a', 'b'].map((name) => held(places, name, begun));
    const next = places
      .enterNext()
      .then(() => places.inside(Number.POSITIVE_INFINITY, async () => void begun.push('next')));
    await Promise.all([a?.end(), next]);
    await settled();
    expect(begun).toEqual(['a', 'next', 'b']);
    await b?.end();
  });

  test('are free again after a failure', async () => {
    const places = new Places(1);
    await places.enter();
    const failure = places.inside(Number.POSITIVE_INFINITY, () => Promise.reject(new Error('no')));
    await expect(failure).rejects.toThrow('no');
    const begun: string[] = [];
    await held(places, 'next', begun).end();
    expect(begun).toEqual(['next']);
  });

  test('are held for a limited time, which begins when a place is given', async () => {
    const begun: string[] = [];
    const places = new Places(1);
    const first = held(places, 'first', begun);
    const second = held(places, 'second', begun, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(begun).toEqual(['first']);
    const [, late] = await Promise.allSettled([first.end(), second.over]);
    expect(late).toMatchObject({ status: 'rejected', reason: { message: 'it still runs after 1 ms' } });
    expect(begun).toEqual(['first', 'second']);
  });

  test('can be lent, and are taken back once there is one', async () => {
    const begun: string[] = [];
    const places = new Places(2);
    const all = ['a', 'b', 'c', 'd'].map((name) => held(places, name, begun));
    const [a, b, c] = all;
    await settled();
    const takeBack = lend(places);
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    await takeBack();
    await a?.end();
    await settled();
    // Two places, which b and c have.
    expect(begun).toEqual(['a', 'b', 'c']);
    await b?.end();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await c?.end();
  });

  test('are lent only until as many checks run as are allowed', async () => {
    const begun: string[] = [];
    const places = new Places(2);
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => held(places, name, begun));
    await settled();
    const takeBack = [1, 2].map(() => lend(places, (waits) => places.lentDuring(waits, 3)));
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    await Promise.all(takeBack.map((back) => back()));
    await Promise.all(all.map(({ end }) => end()));
  });

  test('can all be left at once, and are entered again before those that have not begun', async () => {
    const begun: string[] = [];
    const places = new Places(2);
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => held(places, name, begun));
    const [a, b, c, d, e] = all;
    await settled();
    const again = [1, 2].map(() => lend(places, (waits) => places.leftDuring(waits)));
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    const back: number[] = [];
    const entered = again.map(async (enter, index) => {
      await enter();
      back.push(index);
    });
    await settled();
    expect(back).toEqual([]);
    await c?.end();
    await settled();
    expect([back, begun]).toEqual([[0], ['a', 'b', 'c', 'd']]);
    await d?.end();
    await Promise.all(entered);
    expect([back, begun]).toEqual([
      [0, 1],
      ['a', 'b', 'c', 'd'],
    ]);
    await Promise.all([a, b, e].map((one) => one?.end()));
    expect(begun).toContain('e');
  });

  test('are not left where there is one, so that a check is alone', async () => {
    const begun: string[] = [];
    const places = new Places(1);
    const [a, b] = ['a', 'b'].map((name) => held(places, name, begun));
    await settled();
    const enter = lend(places, (waits) => places.leftDuring(waits));
    await settled();
    expect(begun).toEqual(['a']);
    await enter();
    await Promise.all([a?.end(), b?.end()]);
  });

  test.each([
    [1, 1],
    [2, 4],
    [3, 7],
  ])('of which there are %i are not all lent: at most %i checks run', async (count, most) => {
    const begun: string[] = [];
    const places = new Places(count);
    const all = Array.from({ length: 20 }, (_, index) => held(places, String(index), begun));
    const takeBack = Array.from({ length: 20 }, () => lend(places));
    await settled();
    expect(begun).toHaveLength(most);
    await Promise.all(takeBack.map((back) => back()));
    await Promise.all(all.map(({ end }) => end()));
    expect(begun).toHaveLength(20);
  });
});
