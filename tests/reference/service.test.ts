import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReferenceEngine } from '../../reference/index.ts';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

describe('the service', () => {
  it('answers ping, version and info by version', async () => {
    const ping = await engine.send('GET', '/v1.20/_ping');
    expect([ping.status, ping.headers['content-type'], ping.text]).toEqual([200, 'text/plain', 'OK']);
    expect((await engine.send('GET', '/v1.23/version')).json).toMatchObject({
      ApiVersion: '1.23',
      BuildTime: expect.any(String),
    });
    expect((await engine.send('GET', '/v1.21/version')).json).not.toHaveProperty('BuildTime');
    expect((await engine.send('GET', '/v1.20/info')).json).not.toHaveProperty('ServerVersion');
    expect((await engine.send('GET', '/v1.21/info')).json).toHaveProperty('EngineRootDir');
    expect((await engine.send('GET', '/v1.23/info')).at('Plugins', 'Network')).toContain('bridge');
  });

  it('refuses newer clients for every path', async () => {
    for (const path of ['/v1.24/info', '/v2.0/containers/json', '/v99.1/nothing']) {
      expect((await engine.send('GET', path)).status).toBe(400);
    }
    expect((await engine.send('GET', '/v1.23/nothing')).status).toBe(404);
    expect((await engine.send('GET', '/containers/json')).status).toBe(200);
  });

  it('speaks the docker dialect and sends the CORS header it was given', async () => {
    const docker = await startEngine({ dialect: 'docker', corsHeader: 'https://example.test' });
    try {
      const info = await docker.send('GET', '/v1.23/info');
      expect(info.json).toHaveProperty('DockerRootDir');
      expect(info.headers['access-control-allow-origin']).toBe('https://example.test');
      const id = await docker.create([], { HostConfig: { LogConfig: { Type: 'splunk' } } });
      const attached = await docker.raw([
        `POST /v1.23/containers/${id}/attach?logs=1 HTTP/1.1`,
        'Connection: Upgrade',
        'Upgrade: tcp',
      ]);
      expect(attached.head).toContain('Content-Type: application/vnd.docker.raw-stream');
    } finally {
      await docker.close();
    }
    expect((await engine.send('GET', '/v1.23/info')).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('listens on a port too', async () => {
    const tcp = await startReferenceEngine({ listen: { host: '127.0.0.1', port: 0 } });
    expect(tcp.address).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${tcp.address.replace('tcp', 'http')}/_ping`);
    expect(await answer.text()).toBe('OK');
    await tcp.close();
  });

  it('survives junk and dropped connections', async () => {
    const heads = [
      '\0\0\0',
      'GET',
      'POST /v1.23/containers/create HTTP/1.1\r\nContent-Length: 9\r\n\r\n{',
      'GET / HTTP/9\r\n\r\n',
    ];
    const waiting = [
      'GET /v1.23/events HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST /containers/x/attach HTTP/1.1\r\nHost: x\r\n\r\n',
    ];
    const dropped = [...heads, ...waiting]
      .flatMap((text) => Array.from({ length: 20 }, () => text))
      .map(
        (text) =>
          new Promise<void>((resolve) => {
            const socket = connect(engine.socketPath);
            socket.on('error', () => {});
            socket.on('close', () => resolve());
            socket.write(text, () => setTimeout(() => socket.destroy(), 2));
          }),
      );
    await Promise.all(dropped);
    expect((await engine.send('GET', '/_ping')).status).toBe(200);
  });

  it('lets others have a turn while a container writes a lot', async () => {
    const id = await engine.run(['out-fill', '3000000000']);
    expect((await engine.send('GET', '/_ping')).status).toBe(200);
    expect((await engine.send('GET', `/containers/${id}/json`)).at('State', 'Running')).toBe(true);
    expect((await engine.send('DELETE', `/containers/${id}?force=1`)).status).toBe(204);
  });
});
