import { describe, expect, test } from 'vitest';
import { type Fixture, fixture } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { FixtureUsers } from '../../harness/runner/fixture-users.ts';
import { type FixtureOptions, Fixtures } from '../../harness/runner/fixtures.ts';
import { Scope } from '../../harness/runner/scope.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { engineAt } from './engines.ts';

const record = { 'the inner': ['b', 'a'], 'the outer': ['a'], shared: ['a', 'b'] };
const [a, b] = [
  { rule: 'a', api: '1.20' },
  { rule: 'b', api: '1.20' },
] as const;

/** Fixtures of which it is written down what is made and what ends. */
function fixtures(more: Partial<FixtureOptions> = {}, log: string[] = []) {
  const names = new Map<Scope, string>();
  const { engine } = engineAt(parseAddress('unix:///nowhere'));
  const opened: Scope[] = [];
  const all = new Fixtures({
    api: '1.20',
    open() {
      const scope = new Scope(engine, { finish() {} });
      opened.push(scope);
      return scope;
    },
    async end(scope) {
      log.push(`ends ${names.get(scope)}`);
    },
    target: () => engine.target,
    ...more,
  });
  const named = (name: string, uses: readonly Fixture<string>[] = []) =>
    fixture(name, async ({ use }) => {
      const scope = opened.at(-1);
      if (scope) names.set(scope, name);
      log.push(`makes ${name}`);
      for (const inner of uses) await use(inner);
      return name;
    });
  return { all, named, log };
}

describe('a fixture', () => {
  test('is made once, and ends when the last of its recorded users is over', async () => {
    const users = new FixtureUsers(record, [a, b]);
    const { all, named, log } = fixtures({ users });
    const shared = named('shared');
    const [first, second] = [{}, {}];
    expect(await all.use(shared, first, 'a')).toBe('shared');
    users.over(a);
    all.released(first);
    expect(await all.use(shared, second, 'b')).toBe('shared');
    expect(log).toEqual(['makes shared']);
    users.over(b);
    all.released(second);
    await all.end();
    expect(log).toEqual(['makes shared', 'ends shared']);
  });

  test('does not end under a check that the record does not know', async () => {
    const users = new FixtureUsers(record, [a]);
    const { all, named, log } = fixtures({ users });
    const [known, unknown] = [{}, {}];
    const shared = named('shared');
    await Promise.all([all.use(shared, known, 'a'), all.use(shared, unknown, 'c')]);
    users.over(a);
    all.released(known);
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['makes shared']);
    all.released(unknown);
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['makes shared', 'ends shared']);
    // Who comes later than the record says gets one made once more.
    await all.use(shared, {}, 'd');
    expect(log).toEqual(['makes shared', 'ends shared', 'makes shared']);
  });

  test('outlives what was made with it, and one that is in no record lives to the end', async () => {
    const users = new FixtureUsers(record, [a, b]);
    const { all, named, log } = fixtures({ users });
    const inner = named('the inner');
    const user = {};
    await all.use(named('the outer', [inner]), user, 'a');
    await all.use(named('new'), user, 'a');
    for (const one of [a, b]) users.over(one);
    all.released(user);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(log.slice(3)).toEqual(['ends the outer', 'ends the inner']);
    await all.end();
    expect(log.at(-1)).toBe('ends new');
  });

  test('that is for all versions is made once and asked by each in its own', async () => {
    const log: string[] = [];
    const { all: ofAll } = fixtures({ api: '1.23', areOfAll: true }, log);
    const { all } = fixtures({ ofAll }, log);
    let made = 0;
    const container = fixture(
      'a container',
      async () => {
        made++;
        return 'of 1.23';
      },
      { allVersions: (one, engine) => `${one} for ${engine.api}` },
    );
    expect(await all.use(container, {}, 'a')).toBe('of 1.23 for 1.20');
    expect(await all.use(container, {}, 'b')).toBe('of 1.23 for 1.20');
    expect(made).toBe(1);
  });

  test('lets other checks begin while one waits until another has made it', async () => {
    let lent = 0;
    const { all } = fixtures({
      whileMade(waits) {
        lent++;
        return waits().finally(() => lent--);
      },
    });
    let finish = (_: string) => {};
    const slow = fixture('slow', () => new Promise<string>((resolve) => (finish = resolve)));
    const makes = all.use(slow, {}, 'a');
    expect(lent).toBe(0);
    const waits = all.use(slow, {}, 'b');
    expect(lent).toBe(1);
    finish('made');
    expect(await Promise.all([makes, waits])).toEqual(['made', 'made']);
    expect(lent).toBe(0);
    const comesLate = all.use(slow, {}, 'c');
    expect(lent).toBe(0);
    expect(await comesLate).toBe('made');
  });

  test('that cannot be made for all versions is made by each', async () => {
    const { all: ofAll } = fixtures({ api: '1.23', areOfAll: true });
    const { all } = fixtures({ ofAll });
    let made = 0;
    const container = fixture(
      'a container',
      async () => {
        made++;
        if (made === 1) throw new Blocked('not so');
        return made;
      },
      { allVersions: (one) => one },
    );
    const had = await Promise.all([all.use(container, {}, 'a'), all.use(container, {}, 'b')]);
    expect(had).toEqual([2, 2]);
  });

  test('for all versions may not be made with what each version makes', async () => {
    const { all: ofAll, named } = fixtures({ areOfAll: true });
    const { all } = fixtures({ ofAll });
    const inner = named('own');
    const outer = fixture('outer', ({ use }) => use(inner), { allVersions: (one) => one });
    await expect(all.use(outer, {}, 'a')).rejects.toThrow('the fixture outer failed');
  });

  test('a container is bound to another engine with the same identity', async () => {
    const one = engineAt(parseAddress('unix:///nowhere')).engine;
    const declared = fixture('a container', ({ engine }) => makeContainer(engine), { allVersions: true });
    const bound = declared.boundTo?.(new Container(one, 'abc', 'name'), one);
    expect([bound?.id, bound?.name]).toEqual(['abc', 'name']);
  });
});
