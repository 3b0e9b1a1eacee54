import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine, tar } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

/** The first `count` objects of a stats stream; null as count: all up to its end. */
function stats(id: string, count: number | null, api = '1.23'): Promise<Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    const req = get({ socketPath: engine.socketPath, path: `/v${api}/containers/${id}/stats` }, (res) => {
      expect(res.headers['content-type']).toBe('application/json');
      let text = '';
      const lines = () =>
        text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line));
      res.on('data', (chunk: Buffer) => {
        text += chunk;
        if (count === null || lines().length < count) return;
        resolve(lines());
        req.destroy();
      });
      res.on('end', () => resolve(lines()));
    });
    req.on('error', reject);
  });
}

describe('top', () => {
  it('lists every process with the columns of ps', async () => {
    const id = await engine.run(['fork-wait', 'forever']);
    const exec = await engine.send('POST', `/containers/${id}/exec`, { Cmd: ['/probe', 'forever'], User: '1000' });
    await engine.send('POST', `/exec/${exec.at('Id')}/start`, { Detach: true });
    const pid = (await engine.send('GET', `/containers/${id}/json`)).at('State', 'Pid');
    const full = await engine.send('GET', `/v1.23/containers/${id}/top`);
    expect(full.at('Titles')).toEqual(['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD']);
    expect(full.at('Processes')).toHaveLength(3);
    expect(full.at('Processes', 0)).toEqual([
      'root',
      String(pid),
      '1',
      '0',
      expect.any(String),
      '?',
      '00:00:00',
      '/probe fork-wait forever',
    ]);
    const pids = async (query: string) => {
      const answer = await engine.send('GET', `/v1.23/containers/${id}/top?ps_args=${query}`);
      return [0, 1, 2].map((row) => answer.at('Processes', row, 0));
    };
    expect(await pids('-o%20pid,comm')).toEqual(await pids('-eo%20pid'));
    expect(new Set(await pids('axo%20pid')).size).toBe(3);
    const users = await engine.send('GET', `/v1.23/containers/${id}/top?ps_args=aux`);
    expect(users.at('Titles', 0)).toBe('USER');
    expect(users.at('Titles', 10)).toBe('COMMAND');
    expect(users.at('Processes', 2, 0)).toBe('1000');
    expect((await engine.send('GET', `/containers/${id}/top?ps_args=-o%20colour`)).status).toBe(500);
    await engine.send('DELETE', `/containers/${id}?force=1`);
    expect((await engine.send('GET', `/containers/${id}/top`)).status).toBe(404);
    expect((await engine.send('GET', `/containers/${await engine.create([])}/top`)).status).toBe(500);
  });
});

describe('changes', () => {
  it('tells what was added, modified and deleted', async () => {
    const id = await engine.run([
      'write',
      '/data/new',
      'x',
      'append',
      '/other',
      'y',
      'remove',
      '/probe',
      'mkdir',
      '/a',
    ]);
    await engine.wait(id);
    expect((await engine.send('GET', `/v1.23/containers/${id}/changes`)).json).toEqual([
      { Path: '/a', Kind: 1 },
      { Path: '/data', Kind: 0 },
      { Path: '/data/new', Kind: 1 },
      { Path: '/other', Kind: 0 },
      { Path: '/probe', Kind: 2 },
    ]);
    const fresh = await engine.create([]);
    expect((await engine.send('GET', `/v1.23/containers/${fresh}/changes`)).json).toEqual([]);
    await engine.send('PUT', `/v1.23/containers/${fresh}/archive?path=/`, await tar({ put: 'x' }));
    expect((await engine.send('GET', `/v1.23/containers/${fresh}/changes`)).json).toEqual([{ Path: '/put', Kind: 1 }]);
    expect((await engine.send('GET', '/containers/nothing/changes')).status).toBe(404);
  });
});

describe('stats', () => {
  it('gives the reading before from the second object on, and ends with the container', async () => {
    const id = await engine.run(['alloc', '4', 'burn', '100000'], { HostConfig: { Memory: 16_777_216 } });
    const [first, second] = await stats(id, 2);
    expect(first).toMatchObject({
      read: expect.stringMatching(/Z$/),
      pids_stats: { current: 1 },
      networks: { eth0: { rx_bytes: 0 } },
      memory_stats: { limit: 16_777_216, usage: 5 * 1_048_576, stats: { total_rss: 4 * 1_048_576 } },
      precpu_stats: { cpu_usage: { total_usage: 0 } },
    });
    expect(Object.keys(Object(Object(first).memory_stats).stats)).toHaveLength(29);
    expect(second?.precpu_stats).toEqual(first?.cpu_stats);
    const used = (object: unknown) => Object(object).cpu_usage.total_usage;
    expect(used(second?.cpu_stats) - used(second?.precpu_stats)).toBeGreaterThan(500_000_000);
    const ending = stats(id, null);
    await engine.send('POST', `/containers/${id}/kill`);
    expect((await ending).length).toBeGreaterThan(0);
  });

  it('gives one object without a stream, with the members of its version', async () => {
    const id = await engine.run([]);
    const once = (api: string) => engine.send('GET', `/v${api}/containers/${id}/stats?stream=0`);
    expect((await once('1.20')).json).toHaveProperty('network.rx_bytes');
    expect((await once('1.20')).json).not.toHaveProperty('networks');
    expect((await once('1.21')).json).not.toHaveProperty('network');
    expect((await once('1.21')).json).not.toHaveProperty('pids_stats');
    expect((await engine.send('GET', `/containers/${id}/stats?stream=maybe`)).status).toBe(400);
    expect((await engine.send('GET', '/containers/nothing/stats')).status).toBe(404);
  });
});

describe('update', () => {
  const path = (id: string, api = '1.23') => `/v${api}/containers/${id}/update`;

  it('changes what it names and nothing else, also while the container runs', async () => {
    const hostConfig = { Memory: 8_388_608, CpuShares: 512, CpusetCpus: '0' };
    const id = await engine.run(['catch', 'wait-signal', 'alloc', '30', 'exit', '3'], { HostConfig: hostConfig });
    const body = { Memory: 67_108_864, MemorySwap: -1, BlkioWeight: 20, RestartPolicy: { Name: 'on-failure' } };
    const answer = await engine.send('POST', path(id), { ...body, CpuShares: 0 });
    expect([answer.status, answer.json]).toEqual([200, { Warnings: [] }]);
    const inspected = await engine.send('GET', `/v1.23/containers/${id}/json`);
    expect(inspected.at('HostConfig')).toMatchObject({
      ...body,
      CpuShares: 512,
      CpusetCpus: '0',
      RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 0 },
    });
    await engine.send('POST', path(id), { RestartPolicy: { Name: '' } });
    await engine.send('POST', `/containers/${id}/kill?signal=USR1`);
    expect(await engine.wait(id)).toBe(3);
  });

  it('keeps to the limits, and exists since 1.23', async () => {
    const id = await engine.create([], { HostConfig: { Memory: 8_388_608, MemorySwap: 16_777_216 } });
    for (const body of [
      { BlkioWeight: 9 },
      { BlkioWeight: 1001 },
      { MemorySwap: 4096 },
      { Memory: 33_554_432 },
      { CpuShares: '5' },
      { CpusetCpus: 0 },
      { RestartPolicy: { Name: 'sometimes' } },
      [],
      'x',
    ]) {
      expect([body, (await engine.send('POST', path(id), body)).status]).toEqual([body, 400]);
    }
    expect((await engine.send('POST', path(id), { Memory: 12_582_912 })).status).toBe(200);
    expect((await engine.send('POST', path('nothing'), {})).status).toBe(404);
    expect((await engine.send('POST', path(id, '1.21'), {})).status).toBe(404);
  });
});
