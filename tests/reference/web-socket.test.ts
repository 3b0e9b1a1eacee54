import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

function open(id: string, query: string) {
  const socket = new WebSocket(`ws+unix://${engine.socketPath}:/v1.23/containers/${id}/attach/ws?${query}`);
  let text = '';
  socket.on('message', (data) => {
    text += String(data);
  });
  return { socket, opened: once(socket, 'open'), closed: once(socket, 'close'), text: () => text };
}

describe('attach over a websocket', () => {
  it('carries the streams both ways without frame headers', async () => {
    const id = await engine.create(['out', 'a', 'err', 'b', 'echo-line'], { OpenStdin: true });
    const client = open(id, 'stream=1&stdin=1&stdout=1&stderr=1');
    await client.opened;
    await engine.send('POST', `/containers/${id}/start`);
    client.socket.send('typed\n');
    await client.closed;
    expect(client.text()).toBe('abtyped\n');
  });

  it('gives the log, and ends stdin with the client when StdinOnce is set', async () => {
    const id = await engine.run(['out', 'old', 'count'], { OpenStdin: true, StdinOnce: true });
    const client = open(id, 'logs=1&stream=1&stdin=1&stdout=1');
    await client.opened;
    client.socket.send(Buffer.from('12345'));
    client.socket.close();
    await client.closed;
    expect(await engine.wait(id)).toBe(0);
    expect(client.text()).toBe('old');
    expect((await engine.send('GET', `/containers/${id}/logs?stdout=1`)).text).toContain('5\n');
  });

  it('detaches by its keys', async () => {
    const id = await engine.run(['echo'], { OpenStdin: true, Tty: true });
    const client = open(id, 'stream=1&stdin=1&stdout=1&detachKeys=ctrl-b');
    await client.opened;
    client.socket.send('\x02');
    await client.closed;
    expect((await engine.send('GET', `/containers/${id}/json`)).at('State', 'Running')).toBe(true);
  });

  it('refuses what is no handshake', async () => {
    const id = await engine.run([]);
    const path = `/v1.23/containers/${id}/attach/ws?stream=1`;
    expect((await engine.send('GET', path)).status).toBe(400);
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const noKey = await engine.raw([`GET ${path} HTTP/1.1`, ...upgrade, 'Sec-WebSocket-Version: 13']);
    expect(noKey.head).toMatch(/^HTTP\/1\.1 400 /);
    const old = await engine.raw([`GET ${path} HTTP/1.1`, ...upgrade, key, 'Sec-WebSocket-Version: 7']);
    expect(old.head).toMatch(/^HTTP\/1\.1 400 /);
    expect(old.head).toContain('\r\nSec-WebSocket-Version: 13\r\n');
    const right = await engine.raw([`GET ${path} HTTP/1.1`, ...upgrade, key, 'Sec-WebSocket-Version: 13']);
    expect(right.head).toMatch(/^HTTP\/1\.1 101 /);
    expect(right.head).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
    right.socket.destroy();
    const missing = await engine.raw(['GET /containers/nothing/attach/ws HTTP/1.1', ...upgrade, key]);
    expect(missing.head).toMatch(/^HTTP\/1\.1 404 /);
    expect((await engine.send('GET', '/_ping')).status).toBe(200);
  });
});
