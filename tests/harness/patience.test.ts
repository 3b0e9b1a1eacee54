import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Awaited, Patience, type Wait } from '../../harness/transport/patience.ts';
import type { WireRequest } from '../../harness/transport/wire.ts';
import { engineAt } from './engines.ts';
import { httpServer } from './servers.ts';

function get(path: string): WireRequest {
  return { method: 'GET', path: `/v1.23${path}`, headers: {} };
}

function timeOut(patience: Patience, path: string, times: number): void {
  for (let count = 0; count < times; count++) patience.wait(get(path), 'answer', 30_000).timedOut();
}

const told = 'cut to 2 s after 3 time-outs at this endpoint';

describe('the bound of a wait', () => {
  test('is cut after three time-outs at its endpoint, of whatever container, and that is told', () => {
    const patience = new Patience();
    timeOut(patience, '/containers/a/logs', 2);
    const before = patience.wait(get('/containers/b/logs'), 'answer', 30_000);
    expect([before.boundMs, before.why]).toEqual([30_000, '']);
    timeOut(patience, '/containers/c/logs', 1);
    const after = patience.wait(get('/containers/d/logs?stdout=1'), 'answer', 30_000);
    expect([after.boundMs, after.why]).toEqual([2_000, told]);
    // Those that wait already are told.
    expect(before.boundMs).toBe(2_000);
  });

  test('lets another check begin while it is cut, and not before', async () => {
    let lent = 0;
    const patience = new Patience((waits) => {
      lent++;
      return waits().finally(() => lent--);
    });
    const during = (wait: ReturnType<Patience['wait']>) => patience.during(wait, async () => lent);
    expect(await during(patience.wait(get('/containers/a/logs'), 'answer', 30_000))).toBe(0);
    timeOut(patience, '/containers/a/logs', 3);
    const cut = patience.wait(get('/containers/a/logs'), 'answer', 30_000);
    expect(await during(cut)).toBe(1);
    await expect(patience.during(cut, () => Promise.reject(new Error('late')))).rejects.toThrow('late');
    expect(lent).toBe(0);
  });

  test('is not cut where it is short, but lets another check begin where a longer one would be cut', async () => {
    let lent = 0;
    const patience = new Patience((waits) => {
      lent++;
      return waits();
    });
    const short = () => patience.wait(get('/events'), 'stream', 1_000);
    await patience.during(short(), async () => {});
    for (let count = 0; count < 3; count++) patience.wait(get('/events'), 'stream', 30_000).timedOut();
    expect(lent).toBe(0);
    await patience.during(short(), async () => {});
    expect([lent, short().boundMs, short().why]).toEqual([1, 1_000, '']);
  });

  test('is cut further after eight time-outs, whether these were cut or not', () => {
    const patience = new Patience();
    timeOut(patience, '/containers/a/json', 7);
    const wait = patience.wait(get('/containers/a/json'), 'answer', 30_000);
    expect(wait.boundMs).toBe(2_000);
    const heard: number[] = [];
    wait.onCut(() => heard.push(wait.boundMs));
    timeOut(patience, '/containers/b/json', 1);
    expect([wait.boundMs, wait.why]).toEqual([500, 'cut to 0.5 s after 8 time-outs at this endpoint']);
    expect(heard).toEqual([500]);
    timeOut(patience, '/containers/b/json', 32);
    expect([wait.boundMs, wait.why]).toEqual([100, 'cut to 0.1 s after 40 time-outs at this endpoint']);
    expect(heard).toEqual([500, 100]);
  });

  test('is not cut at another endpoint, nor for another reason, nor where it is short', () => {
    const patience = new Patience();
    timeOut(patience, '/containers/a/json', 3);
    expect(patience.wait(get('/containers/a/top'), 'answer', 30_000).boundMs).toBe(30_000);
    expect(patience.wait(get('/containers/a/json'), 'head', 30_000).boundMs).toBe(30_000);
    const short = patience.wait(get('/containers/a/json'), 'answer', 500);
    expect([short.boundMs, short.why]).toEqual([500, '']);
  });

  test('of a stream is cut after three time-outs of streams of any endpoint, until one delivers', () => {
    const patience = new Patience();
    const stream = (path: string) => patience.wait(get(path), 'stream', 30_000);
    for (const path of ['/containers/a/logs', '/events', '/containers/a/stats']) stream(path).timedOut();
    const cut = stream('/containers/a/attach/ws');
    expect([cut.boundMs, cut.why]).toEqual([2_000, 'cut to 2 s after 3 time-outs of streams']);
    expect(patience.wait(get('/containers/a/json'), 'answer', 30_000).boundMs).toBe(30_000);
    cut.came({ status: 101, size: 0 });
    expect(stream('/containers/a/top').boundMs).toBe(2_000);
    cut.came({ status: 101, size: 1 });
    expect(stream('/containers/a/top').boundMs).toBe(30_000);
  });

  test('of a stream is cut to no less than half a second because of other endpoints, until it is late itself', () => {
    const patience = new Patience();
    for (let count = 0; count < 20; count++) {
      for (const path of ['/containers/a/logs', '/containers/a/stats']) timeOut(patience, path, 1);
    }
    const events = () => patience.wait(get('/events'), 'stream', 30_000);
    for (let count = 0; count < 3; count++) {
      expect(events().boundMs).toBe(500);
      events().timedOut();
    }
    expect([events().boundMs, events().why]).toEqual([100, 'cut to 0.1 s after 40 time-outs of streams']);
  });

  test('of a stream that is read whole is cut like one that is read as it comes', () => {
    const patience = new Patience();
    for (const path of ['/containers/a/logs', '/events', '/containers/a/stats']) timeOut(patience, path, 1);
    const cut = patience.wait(get('/containers/a/logs'), 'stream', 30_000);
    expect([cut.boundMs, cut.why]).toEqual([2_000, 'cut to 2 s after 3 time-outs of streams']);
  });

  test('is restored by an answer in time, and not cut again by what times out at once', () => {
    const patience = new Patience();
    timeOut(patience, '/containers/a/logs', 3);
    patience.wait(get('/containers/a/logs'), 'answer', 30_000).came({ status: 200, size: 1 });
    timeOut(patience, '/containers/a/logs', 5);
    expect(patience.wait(get('/containers/a/logs'), 'answer', 30_000).boundMs).toBe(30_000);
  });

  describe('where the daemon has answered before', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
    afterEach(() => void vi.useRealTimers());

    const path = '/containers/a/json';
    const elsewhere = '/containers/a/top';
    const next = (patience: Patience, at = path, awaited: Awaited = 'answer') =>
      patience.wait(get(at), awaited, 30_000);
    const answered = (patience: Patience, at = path, awaited: Awaited = 'answer') =>
      next(patience, at, awaited).came({ status: 200, size: 1 });
    const seen = ({ boundMs, why, isOfHang }: Wait) => [boundMs, why, isOfHang];
    const full = [30_000, '', false];

    /** Some waits at each place at the same time, all of which time out. */
    function round(patience: Patience, places: readonly string[] = [path], awaited: Awaited = 'answer'): void {
      const waits = places.flatMap((at) => Array.from({ length: 16 }, () => next(patience, at, awaited)));
      vi.advanceTimersByTime(Math.max(...waits.map(({ boundMs }) => boundMs)));
      for (const wait of waits) wait.timedOut();
    }

    const both = [elsewhere, path];
    const why = 'as the daemon hangs: it no longer answers GET /containers/{id}/top and GET /containers/{id}/json';

    /** One whose two endpoints hang. */
    function hanging(): Patience {
      const patience = new Patience();
      for (const at of both) answered(patience, at);
      for (let count = 0; count < 3; count++) round(patience, both);
      return patience;
    }

    test('is cut as soon as two endpoints hang, at which three waits one after another have timed out', () => {
      const patience = new Patience();
      for (const at of both) answered(patience, at);
      round(patience, both);
      round(patience, both);
      const waiting = next(patience);
      const heard: number[] = [];
      waiting.onCut(() => heard.push(waiting.boundMs));
      expect([seen(waiting), patience.hangs]).toEqual([full, false]);
      round(patience, both);
      expect([seen(waiting), patience.hangs]).toEqual([[2_000, `cut to 2 s ${why}`, true], true]);
      for (let count = 0; count < 5; count++) round(patience);
      expect(seen(waiting)).toEqual([500, `cut to 0.5 s ${why}`, true]);
      expect(heard).toEqual([2_000, 500]);
    });

    test('is as long as ever as soon as an answer comes in time', () => {
      const patience = hanging();
      answered(patience);
      expect([seen(next(patience)), patience.hangs]).toEqual([full, false]);
      round(patience, both);
      round(patience, both);
      expect(seen(next(patience))).toEqual(full);
      round(patience, both);
      expect(seen(next(patience))).toEqual([2_000, `cut to 2 s ${why}`, true]);
    });

    test('is cut at a further endpoint after one time-out there', () => {
      const patience = hanging();
      const further = '/images/json';
      answered(patience, further);
      expect(seen(next(patience, further))).toEqual(full);
      round(patience, [further]);
      expect(seen(next(patience, further))).toEqual([2_000, `cut to 2 s ${why}`, true]);
      // What an endpoint has never answered is judged as it is where no daemon hangs.
      next(patience, '/volumes').timedOut();
      expect(seen(next(patience, '/volumes'))).toEqual(full);
    });

    test('is cut where the create of containers hangs, without which hardly anything else is asked', () => {
      const patience = new Patience();
      const create: WireRequest = { method: 'POST', path: '/v1.23/containers/create?name=a', headers: {} };
      const created = () => patience.wait(create, 'answer', 30_000);
      created().came({ status: 201, size: 1 });
      for (let count = 0; count < 3; count++) {
        expect(seen(created())).toEqual(full);
        const wait = created();
        vi.advanceTimersByTime(30_000);
        wait.timedOut();
      }
      const alone = 'cut to 2 s as the daemon hangs: it no longer answers POST /containers/create';
      expect(seen(created())).toEqual([2_000, alone, true]);
      created().came({ status: 201, size: 1 });
      expect([seen(created()), patience.hangs]).toEqual([full, false]);
    });

    test('is not cut where another endpoint hangs alone, or one after another', () => {
      const patience = new Patience();
      for (const at of both) answered(patience, at);
      answered(patience, path, 'head');
      for (let count = 0; count < 9; count++) {
        const head = next(patience, path, 'head');
        round(patience);
        head.timedOut();
      }
      for (let count = 0; count < 9; count++) round(patience, [elsewhere]);
      expect([seen(next(patience)), seen(next(patience, elsewhere)), patience.hangs]).toEqual([full, full, false]);
    });

    test('is not cut within a minute, by an answer between, by what comes behind a head, or on a slow daemon', () => {
      const slow = new Patience(undefined, { cuts: false });
      const within = new Patience();
      const between = new Patience();
      const behind = new Patience();
      for (const patience of [slow, within, between, behind]) {
        answered(patience, elsewhere);
        answered(patience);
      }
      answered(behind, path, 'stream');
      for (let count = 0; count < 9; count++) {
        const short = within.wait(get(path), 'answer', 5_000);
        vi.advanceTimersByTime(5_000);
        short.timedOut();
      }
      for (let count = 0; count < 9; count++) {
        round(slow, both);
        round(between, both);
        if (count % 2 > 0) answered(between);
        round(behind, [elsewhere]);
        round(behind, [path], 'stream');
      }
      for (const patience of [slow, within, between]) expect(seen(next(patience))).toEqual(full);
      expect(seen(next(behind, path, 'stream'))).toEqual(full);
    });
  });

  test('is not restored by a refusal', () => {
    const patience = new Patience();
    timeOut(patience, '/containers/a/logs', 3);
    patience.wait(get('/containers/a/logs'), 'answer', 30_000).came({ status: 404, size: 20 });
    expect(patience.wait(get('/containers/a/logs'), 'answer', 30_000).boundMs).toBe(2_000);
  });

  test('of those who wait for less, and may expect nothing, says nothing of the endpoint', () => {
    const patience = new Patience();
    for (let count = 0; count < 5; count++) patience.wait(get('/containers/a/logs'), 'answer', 1_000).timedOut();
    expect(patience.wait(get('/containers/a/logs'), 'answer', 30_000).boundMs).toBe(30_000);
  });

  test('of a path of no endpoint is its own', () => {
    const patience = new Patience();
    timeOut(patience, '/no/such/path', 5);
    expect(patience.wait(get('/no/such/path'), 'answer', 30_000).boundMs).toBe(30_000);
  });
});

test('a stream that is waited for already is given up when the third one at its endpoint has timed out', async () => {
  const address = await httpServer((_request, response) => {
    response.writeHead(200).flushHeaders();
  });
  const { engine, verdict } = engineAt(address, { boundMs: 60_000 });
  const decisions = [];
  for (let count = 0; count < 3; count++) {
    const short = await engine.open('GET', '/events', { boundMs: 2_100 });
    decisions.push(verdict(async () => void (await short.rest())));
  }
  const long = await engine.open('GET', '/events');
  const begun = Date.now();
  const last = await verdict(async () => void (await long.rest()));
  expect(Date.now() - begun).toBeLessThan(30_000);
  expect(last.actual).toMatch(/^waited 2000 ms \(cut to 2 s after 3 time-outs at this endpoint\) for the end/);
  for (const { actual } of await Promise.all(decisions)) expect(actual).toMatch(/^waited 2[01]00 ms /);
}, 60_000);

test('what is waited for on a stream is waited for less where nothing ever came, and that is told', async () => {
  const address = await httpServer((request, response) => {
    response.writeHead(200).flushHeaders();
    if (request.url?.includes('events')) response.write('{}');
  });
  const { engine, verdict } = engineAt(address);
  const waits = async (path: string) => {
    const live = await engine.open('GET', path);
    return await live.satisfiesWithin(2_100, () => false);
  };
  expect(await Promise.all(['/containers/a/logs', '/containers/b/logs', '/containers/c/logs'].map(waits))).toEqual([
    ...[false, false, false],
  ]);
  const cut = await verdict(async () => void (await waits('/containers/d/logs')));
  expect(cut.actual).toMatch(
    /^waited 2000 ms \(cut to 2 s after 3 time-outs at this endpoint\) for what was to come; 0 b/,
  );
  // Something comes here, although not what is waited for.
  await Promise.all(Array.from({ length: 3 }, () => waits('/events')));
  expect(await waits('/events')).toBe(false);
}, 60_000);

test('what times out while the daemon hangs decides nothing, and that is told', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let answers = true;
  const address = await httpServer((_request, response) => {
    if (answers) response.end('{}');
  });
  const { engine, verdict } = engineAt(address, { boundMs: 2_100 });
  const asked = (path: string) => verdict(async () => void (await engine.get(path)));
  const paths = ['/info', '/version'];
  await Promise.all(paths.map(asked));
  answers = false;
  for (let count = 0; count < 3; count++) {
    const all = Promise.all(paths.map(asked));
    vi.advanceTimersByTime(30_000);
    for (const one of await all) expect(one).toMatchObject({ verdict: 'fail', actual: 'no answer within 2100 ms' });
  }
  const why = 'cut to 2 s as the daemon hangs: it no longer answers GET /info and GET /version';
  expect(await asked('/info')).toMatchObject({ verdict: 'blocked', reason: `no answer within 2000 ms, ${why}` });
}, 60_000);
