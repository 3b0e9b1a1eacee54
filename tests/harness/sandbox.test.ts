import { describe, expect, test } from 'vitest';
import { cleanRun } from '../../harness/sandbox/clean.ts';
import { guarded, listForeign } from '../../harness/sandbox/foreign.ts';
import { Journal, type JournalEntry } from '../../harness/sandbox/journal.ts';
import { runLabel } from '../../harness/sandbox/marks.ts';
import { removeMade } from '../../harness/sandbox/remove.ts';
import { newRunId, Sandbox } from '../../harness/sandbox/sandbox.ts';
import { workplace } from '../workplace.ts';
import { type StoreDaemon, storeDaemon, type Thing } from './store-daemon.ts';

const run = 'mxyz0123abcd';
const own = `ec-${run}-`;
const labels = { [runLabel]: run };
const hex = (digit: string) => digit.repeat(64);

const foreign: readonly Thing[] = [
  { kind: 'container', id: hex('1'), names: ['web', 'other/alias'] },
  { kind: 'container', id: hex('2'), names: ['ec-anotherrun0-1'], labels: { [runLabel]: 'anotherrun0' } },
  { kind: 'image', id: `sha256:${hex('3')}`, names: ['app:latest'], labels: { a: 'b' } },
  { kind: 'volume', id: 'data', names: ['data'] },
  { kind: 'network', id: hex('4'), names: ['backend'] },
];

/** Cleans up a run; gives what was removed, what is left, and whether the journal is gone. */
async function clean({ asked }: StoreDaemon, entries: readonly JournalEntry[] = []) {
  let journalGone = false;
  const removed: string[] = [];
  const journal = { run, entries: () => entries, remove: () => (journalGone = true) };
  const left = await cleanRun(asked.transport, ['1.20', '1.23'], journal, {
    boundMs: asked.boundMs,
    removed: (what) => removed.push(what),
  });
  return { left, removed, journalGone };
}

describe('one thing of a run', () => {
  test('is removed by its own name in one request', async () => {
    const daemon = await storeDaemon([{ kind: 'container', id: hex('a'), names: [`${own}1`] }]);
    expect(await removeMade(daemon.asked, run, { kind: 'container', name: `${own}1`, id: hex('a') })).toBe('removed');
    expect(daemon.changes).toEqual([`DELETE /v1.23/containers/${own}1?force=1&v=1`]);
    expect(await removeMade(daemon.asked, run, { kind: 'container', name: `${own}1` })).toBe('absent');
  });

  test('that got another name is removed by its identifier', async () => {
    const daemon = await storeDaemon([{ kind: 'container', id: hex('a'), names: ['renamed'], labels }]);
    expect(await removeMade(daemon.asked, run, { kind: 'container', name: `${own}1`, id: hex('a') })).toBe('removed');
    expect(daemon.things).toEqual([]);
  });

  test.each(['container', 'image', 'network'] as const)(
    'is not the foreign %s whose identifier the daemon answered',
    async (kind) => {
      const daemon = await storeDaemon(foreign);
      const victim = foreign.find((thing) => thing.kind === kind);
      const id = victim?.id ?? '';
      expect(await removeMade(daemon.asked, run, { kind, name: `${own}1`, id })).toBe('absent');
      expect(await removeMade(daemon.asked, run, { kind, name: id, id })).toBe('refused');
      expect(daemon.things).toEqual(foreign);
    },
  );

  test('is not an image that has names of others too', async () => {
    const image: Thing = { kind: 'image', id: `sha256:${hex('5')}`, names: [`${own}1:latest`, 'app:2'], labels };
    const daemon = await storeDaemon([image]);
    expect(await removeMade(daemon.asked, run, { kind: 'image', name: image.id, id: image.id })).toBe('refused');
    expect(daemon.things).toEqual([image]);
  });

  test('may be a volume with a name of the daemon, when it was not there before', async () => {
    const volume: Thing = { kind: 'volume', id: hex('6'), names: [hex('6')] };
    const daemon = await storeDaemon([volume]);
    expect(await removeMade(daemon.asked, run, { kind: 'volume', name: hex('6') })).toBe('refused');
    expect(await removeMade(daemon.asked, run, { kind: 'volume', name: hex('6'), isNew: true })).toBe('removed');
  });
});

describe('what a build left that did not make its image', () => {
  const label = `ec.build=${own}1`;
  const asked = { kind: 'image', name: `${own}1:ec`, label } as const;
  const image = (digit: string, names: readonly string[], build: string): Thing => {
    return { kind: 'image', id: `sha256:${hex(digit)}`, names, labels: { ...labels, 'ec.build': build } };
  };
  const left = [image('a', [], `${own}1`), image('b', [], `${own}1`)];
  const others = [
    ...foreign,
    image('c', [], `${own}10`),
    image('d', ['app:kept'], `${own}1`),
    { kind: 'image', id: `sha256:${hex('e')}`, names: [], labels } as const,
  ];

  test('is removed, and nothing else, also where the daemon ignores filters', async () => {
    const daemon = await storeDaemon([...left, ...others]);
    expect(await removeMade(daemon.asked, run, asked)).toBe('removed');
    expect(daemon.things).toEqual(others);
    expect(await removeMade(daemon.asked, run, asked)).toBe('absent');
  });

  test('is not looked for where there is the image, or no label', async () => {
    const daemon = await storeDaemon([...left, image('f', [`${own}1:ec`], `${own}1`)]);
    expect(await removeMade(daemon.asked, run, asked)).toBe('removed');
    expect(await removeMade(daemon.asked, run, { kind: 'image', name: `${own}1:ec` })).toBe('absent');
    expect(daemon.things).toEqual(left);
  });

  test('is left to the end of the run where the daemon does not remove it', async () => {
    const daemon = await storeDaemon(left, {
      odd: (request, answer) => {
        if (!/^DELETE .*aaaa/.test(request)) return false;
        answer.writeHead(409).end();
        return true;
      },
    });
    expect(await removeMade(daemon.asked, run, asked)).toBe('refused');
    expect(daemon.things).toEqual(left.slice(0, 1));
  });

  test('is nothing where the daemon does not list images', async () => {
    const daemon = await storeDaemon(left, {
      odd: (request, answer) => {
        if (!request.startsWith('GET /v1.23/images/json')) return false;
        answer.writeHead(501).end();
        return true;
      },
    });
    expect(await removeMade(daemon.asked, run, asked)).toBe('absent');
  });
});

describe('the clean-up of a run', () => {
  const made: readonly Thing[] = [
    { kind: 'container', id: hex('a'), names: [`${own}1`] },
    { kind: 'container', id: hex('b'), names: ['renamed'], labels },
    { kind: 'image', id: `sha256:${hex('c')}`, names: [`${own}probe:latest`] },
    { kind: 'image', id: `sha256:${hex('d')}`, names: [`registry:5000/${own}x:1`, 'app:kept'] },
    { kind: 'image', id: `sha256:${hex('e')}`, names: [], labels },
    { kind: 'volume', id: `${own}v`, names: [`${own}v`] },
    { kind: 'network', id: hex('f'), names: [`${own}n`] },
  ];

  test('removes all of it, by label or name, and nothing else', async () => {
    const daemon = await storeDaemon([...foreign, ...made]);
    const { left, removed, journalGone } = await clean(daemon);
    expect(left).toEqual([]);
    expect(journalGone).toBe(true);
    expect(removed).toHaveLength(made.length);
    expect(daemon.things).toEqual(foreign);
  });

  test('has a volume that the daemon named, and no other one', async () => {
    const volumes = [hex('6'), hex('7')].map((name): Thing => ({ kind: 'volume', id: name, names: [name] }));
    const daemon = await storeDaemon(volumes);
    const { left, removed } = await clean(daemon, [
      { kind: 'volume', name: hex('6'), isNew: true },
      { kind: 'volume', name: hex('7') },
    ]);
    expect(removed).toEqual([`volume ${hex('6')}`]);
    expect(left).toEqual([`volume ${hex('7')}`]);
  });

  test('begins with the containers, which hold the rest', async () => {
    const daemon = await storeDaemon(made.toReversed());
    await clean(daemon);
    const kinds = daemon.changes.map((change) => /\/v1\.23\/(\w+)\//.exec(change)?.[1]);
    expect(kinds.slice(0, 2)).toEqual(['containers', 'containers']);
    expect(kinds.slice(2)).not.toContain('containers');
  });

  test('lists again until nothing more comes', async () => {
    // Creates that were under way when the run was ended: one more is there at each of the first looks.
    const late: Thing[] = [hex('7'), hex('8')].map((id) => ({ kind: 'container', id, names: [own + id] }));
    const daemon = await storeDaemon([...foreign, { kind: 'container', id: hex('9'), names: [`${own}9`] }], {
      odd: (request, _answer, { things }) => {
        if (request === 'GET /v1.23/networks') things.push(...late.splice(0, 1));
        return false;
      },
    });
    expect((await clean(daemon)).left).toEqual([]);
    expect(daemon.things).toEqual(foreign);
  });

  test('says what the daemon does not remove, within a bound, and keeps the journal', async () => {
    const daemon = await storeDaemon([...foreign, ...made], {
      odd: (request, answer) => {
        if (!request.startsWith(`DELETE /v1.23/containers/${own}1`)) return false;
        answer.writeHead(409).end();
        return true;
      },
    });
    const { left, journalGone } = await clean(daemon);
    // Its own name did not help; its identifier is tried as well, as inspect shows that it is the run's.
    expect(left).toEqual([]);
    expect(journalGone).toBe(true);
    const stubborn = await storeDaemon([...foreign, ...made], {
      odd: (request, answer) => {
        if (!request.startsWith('DELETE /v1.23/containers/')) return false;
        answer.writeHead(500).end();
        return true;
      },
    });
    const again = await clean(stubborn);
    expect(again.left).toEqual([`container ${own}1`, `container ${hex('b')}`]);
    expect(again.journalGone).toBe(false);
  });

  test('takes the names of the journal where the daemon does not list', async () => {
    const daemon = await storeDaemon([...foreign, ...made], {
      odd: (request, answer) => {
        if (!/^GET .*\/(?:json(?:\?all=1)?|networks|volumes)$/.test(request)) return false;
        answer.writeHead(500).end();
        return true;
      },
    });
    const entries: JournalEntry[] = [
      { kind: 'container', name: `${own}1` },
      // Gone when its check was over, but a daemon may still have been making it.
      { kind: 'volume', name: `${own}v`, gone: true },
    ];
    expect(await clean(daemon, entries)).toMatchObject({ left: [], removed: [`container ${own}1`, `volume ${own}v`] });
  });

  test('does not ask again for what was gone, where the daemon lists', async () => {
    const daemon = await storeDaemon(foreign);
    const entries: JournalEntry[] = [
      { kind: 'image', name: `${own}1`, gone: true },
      { kind: 'image', name: `${own}2` },
      { kind: 'container', name: `${own}3` },
    ];
    expect((await clean(daemon, entries)).left).toEqual([]);
    expect(daemon.changes).toEqual([`DELETE /v1.23/images/${own}2?force=1`]);
  });

  test('removes nothing that a journal names and that is not of the run', async () => {
    const daemon = await storeDaemon(foreign);
    const entries = foreign.map(({ kind, names: [name = ''] }) => ({ kind, name }));
    await clean(daemon, entries);
    expect(daemon.things).toEqual(foreign);
  });

  test('says so when the daemon does not answer, and keeps the journal', async () => {
    const daemon = await storeDaemon(made, {
      odd: (_request, answer) => {
        answer.destroy();
        return true;
      },
    });
    const { left, journalGone } = await clean(daemon);
    expect(left).toEqual([expect.stringContaining('the target did not answer')]);
    expect(journalGone).toBe(false);
  });
});

describe('the guard of what was there before', () => {
  async function behindGuard(things: readonly Thing[]) {
    const daemon = await storeDaemon(things);
    const transport = guarded(daemon.asked.transport, await listForeign(daemon.asked));
    const send = (method: string, path: string) =>
      transport.exchange({ method, path: `/v1.23${path}`, headers: {} }, { wholeMs: 2_000 });
    return { daemon, send };
  }

  test.each([
    ['POST', `/containers/${hex('1')}/stop?t=1`],
    ['POST', `/containers/${hex('1').slice(0, 12)}/kill`],
    ['POST', '/containers/web/rename?name=x'],
    ['POST', '/containers/w%65b/stop'],
    ['PUT', '/containers/web/archive?path=/'],
    ['DELETE', '/containers/web?force=1'],
    ['DELETE', '/images/app'],
    ['DELETE', '/images/app:latest?force=1'],
    ['DELETE', `/images/${hex('3').slice(0, 12)}`],
    ['DELETE', `/images/sha256%3A${hex('3')}`],
    ['DELETE', '/volumes/data'],
    ['DELETE', '/networks/backend'],
    ['DELETE', `/networks/${hex('4')}`],
  ])('does not send %s %s', async (method, path) => {
    const { daemon, send } = await behindGuard(foreign);
    await expect(send(method, path)).rejects.toMatchObject({
      name: 'Blocked',
      message: expect.stringContaining('was there before the run'),
    });
    expect(daemon.changes).toEqual([]);
  });

  test.each([
    ['GET', '/containers/web/json'],
    ['HEAD', '/containers/web/archive?path=/'],
    ['POST', '/containers/create?name=web'],
    ['DELETE', `/containers/${own}1`],
    ['DELETE', `/containers/${hex('a')}`],
    ['POST', '/networks/backend/connect'],
    ['POST', '/images/app/tag?repo=x'],
    ['DELETE', '/networks/bridge'],
  ])('sends %s %s', async (method, path) => {
    const { send } = await behindGuard([...foreign, { kind: 'network', id: hex('7'), names: ['bridge'] }]);
    expect((await send(method, path)).status).toBeGreaterThan(0);
  });
});

test('what the daemon made is found by its identifier, or by so much of the beginning that it is not by chance', () => {
  const sandbox = new Sandbox(new Journal(workplace, run));
  const [one, other, short] = [`${hex('a').slice(1)}1`, hex('a'), 'c-00000017'];
  sandbox.made('one', one);
  sandbox.made('other', other);
  sandbox.made('short', short);
  sandbox.made('anew', other);

  expect(sandbox.identified(one)).toEqual({ name: 'one', isWhole: true });
  expect(sandbox.identified(other)).toEqual({ name: 'anew', isWhole: true });
  expect(sandbox.identified(short)).toEqual({ name: 'short', isWhole: true });
  expect(sandbox.identified(one.slice(0, 12))).toEqual({ name: 'one', isWhole: false });
  expect(sandbox.identified(one.slice(0, 11))).toEqual({ name: 'one', isWhole: false });
  expect(sandbox.identified(one.slice(0, 10))).toBeUndefined();
  expect(sandbox.identified(short.slice(0, 9))).toBeUndefined();
  expect(sandbox.identified(hex('b').slice(0, 12))).toBeUndefined();
});

test('ids of runs differ, and fit names of every resource', () => {
  const ids = new Set(Array.from({ length: 100 }, newRunId));
  expect(ids.size).toBeGreaterThan(95);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]{8,}$/);
});
