import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

async function past(api: string, filters: object): Promise<string[]> {
  const until = (Date.now() / 1000 + 0.01).toFixed(3);
  const query = `since=1&until=${until}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
  return (await engine.send('GET', `/v${api}/events?${query}`)).text.trim().split('\n').filter(Boolean);
}

describe('events', () => {
  it('come in order, each version with its own shape', async () => {
    const id = await engine.run(['exit', '3'], { Labels: { colour: 'blue' } });
    await engine.wait(id);
    await engine.send('DELETE', `/v1.23/containers/${id}`);
    const [newest, middle, oldest] = await Promise.all(
      ['1.23', '1.21', '1.20'].map((api) => past(api, { container: [id] })),
    );
    const events = (newest ?? []).map((line) => JSON.parse(line));
    expect(events.map(({ status }) => status)).toEqual(['create', 'start', 'die', 'destroy']);
    expect(events[2]).toMatchObject({ Type: 'container', Action: 'die', id, from: 'probe' });
    expect(events[2].Actor).toMatchObject({ ID: id, Attributes: { exitCode: '3', image: 'probe', colour: 'blue' } });
    expect(newest?.[0]).toMatch(/"timeNano":\d{19}[,}]/);
    expect(Object.keys(JSON.parse(middle?.[0] ?? '{}')).sort()).toEqual(['from', 'id', 'status', 'time', 'timeNano']);
    expect(Object.keys(JSON.parse(oldest?.[0] ?? '{}')).sort()).toEqual(['from', 'id', 'status', 'time']);
    const networks = await past('1.23', { type: ['network'], event: ['connect'] });
    expect(JSON.parse(networks[0] ?? '{}')).not.toHaveProperty('status');
    expect(await past('1.23', { label: ['colour=blue'], event: ['die'] })).toHaveLength(1);
    expect(await past('1.23', { label: ['colour=red'] })).toHaveLength(0);
  });

  it('are streamed from the first byte on, and end with the client', async () => {
    const lines = await new Promise<string>((resolve, reject) => {
      const req = get({ socketPath: engine.socketPath, path: '/v1.23/events' }, (res) => {
        expect(res.headers['content-type']).toBe('application/json');
        expect(res.headers['transfer-encoding']).toBe('chunked');
        engine.create([]).catch(reject);
        res.once('data', (chunk: Buffer) => {
          req.destroy();
          resolve(chunk.toString());
        });
      });
      req.on('error', () => {});
    });
    expect(JSON.parse(lines)).toMatchObject({ status: 'create' });
    const listeners = async () => (await engine.send('GET', '/v1.23/info')).at('NEventsListener');
    await expect.poll(listeners).toBe(0);
  });

  it('refuses bad parameters', async () => {
    for (const query of ['since=soon', 'filters=x', 'filters={"event":"die"}', 'filters={"colour":["x"]}']) {
      expect((await engine.send('GET', `/v1.23/events?${encodeURI(query)}`)).status).toBe(400);
    }
  });
});
