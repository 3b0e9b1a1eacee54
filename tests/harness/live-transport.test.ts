import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { headerOf } from '../../harness/transport/wire.ts';
import { httpServer, rawServer, transportTo } from './servers.ts';

const attach = { method: 'POST', path: '/v1.20/containers/a/attach?stream=1', headers: {} };
const upgrading = { wholeMs: 5_000, upgrade: 'tcp' } as const;
const plain = { wholeMs: 5_000, upgrade: undefined };

const switching = 'HTTP/1.1 101 UPGRADED\r\nContent-Type: application/x\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n';
const hijacked = 'HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\n';

describe('a hijacked connection', () => {
  test.each([
    ['101', switching, upgrading, true],
    ['200 to an upgrade', hijacked, upgrading, false],
    ['200', hijacked, plain, false],
  ])(
    'after %s carries bytes both ways, on after the client has closed its half',
    async (_what, head, bounds, upgraded) => {
      let sent = '';
      const address = await rawServer((socket) => {
        socket.write(`${head}first`);
        socket.on('data', (chunk) => {
          sent += chunk;
        });
        socket.once('end', () => socket.end(`echo of ${sent}`)).resume();
      });
      const live = await transportTo(address).open(attach, bounds);
      expect(live.upgraded).toBe(upgraded);
      live.outgoing.write('in');
      live.outgoing.end('put');
      expect(await text(live.incoming)).toBe('firstecho of input');
      expect(sent).toBe('input');
    },
  );

  test('is asked for with the headers of an upgrade, and the body of the request', async () => {
    let seen = '';
    const address = await rawServer((socket, request) => {
      seen = request;
      socket.end(switching);
    });
    const body = Buffer.from('{"Tty":true}');
    await transportTo(address).open({ ...attach, body }, upgrading);
    expect(seen).toMatch(/\r\nupgrade: tcp\r\n/i);
    expect(seen).toMatch(/\r\nconnection: upgrade\r\n/i);
    expect(seen).toMatch(/\r\n\r\n\{"Tty":true\}$/);
  });

  test('keeps the names of the headers of its head', async () => {
    const address = await rawServer((socket) => socket.end(switching));
    const { headers } = await transportTo(address).open(attach, upgrading);
    expect(headers.map(([name]) => name)).toContain('Content-Type');
    expect(headerOf(headers, 'UPGRADE')).toBe('tcp');
  });

  test('is dropped by destroy', async () => {
    let closed = false;
    const address = await rawServer((socket) => {
      socket.write(switching);
      socket.resume().once('end', () => {
        closed = true;
      });
    });
    const live = await transportTo(address).open(attach, upgrading);
    live.incoming.resume();
    live.destroy();
    await expect.poll(() => closed).toBe(true);
  });
});

describe('an answer that refuses an upgrade', () => {
  test('is read with its status, headers and body', async () => {
    const address = await httpServer((_request, answer) => {
      answer.writeHead(404, { 'Content-Type': 'application/json' }).end('{"message":"no such container"}');
    });
    const live = await transportTo(address).open(attach, upgrading);
    expect([live.status, live.upgraded]).toEqual([404, false]);
    expect(headerOf(live.headers, 'content-type')).toBe('application/json');
    expect(await text(live.incoming)).toBe('{"message":"no such container"}');
  });
});

describe('a streamed answer', () => {
  test('comes piece by piece, without the chunked coding', async () => {
    const address = await httpServer(async (_request, answer) => {
      for (const piece of ['one', 'two', 'three']) {
        answer.write(piece);
        await delay(10);
      }
      answer.end();
    });
    const live = await transportTo(address).open({ ...attach, method: 'GET' }, plain);
    const pieces: string[] = [];
    for await (const piece of live.incoming) pieces.push(String(piece));
    expect(pieces).toEqual(['one', 'two', 'three']);
  });

  test('of 20 MiB comes whole, as fast as it is read', async () => {
    const size = 20 * 1024 * 1024;
    const address = await httpServer((_request, answer) => answer.end(Buffer.alloc(size, 'x')));
    const live = await transportTo(address).open({ ...attach, method: 'GET' }, plain);
    await delay(50);
    expect(live.incoming.readableLength).toBeLessThan(1024 * 1024);
    expect((await buffer(live.incoming)).length).toBe(size);
  });

  test.each([
    ['breaks off in the middle', 'Content-Length: 10\r\n\r\nfour'],
    ['goes wrong in its coding', 'Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\nzz\r\n'],
    ['goes wrong together with its head', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('that %s ends with a TransportError', async (_what, rest) => {
    const address = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    const live = await transportTo(address).open({ ...attach, method: 'GET' }, plain);
    await expect(text(live.incoming)).rejects.toThrow();
    expect(live.incoming.errored).toMatchObject({ name: 'TransportError' });
  });

  test('without a head in time is a time-out', async () => {
    const transport = transportTo(await rawServer(() => {}));
    const opening = transport.open(attach, { wholeMs: 50, upgrade: 'tcp' });
    await expect(opening).rejects.toMatchObject({ failure: 'timeout', message: 'no answer within 50 ms' });
  });

  test('that the end of the connection ends is dropped without harm while nobody reads it', async () => {
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const address = await rawServer((socket) => {
      socket.once('close', close);
      socket.end(`${hijacked}${'x'.repeat(100_000)}`);
    });
    const live = await transportTo(address).open(attach, plain);
    live.incoming.on('error', () => {});
    // What fails in undici is no rejection of anything here: it ends the process.
    await delay(50);
    live.destroy();
    await closed;
    await delay(50);
    expect(live.status).toBe(200);
  });

  test('is dropped when the transport is closed', async () => {
    const transport = transportTo(await httpServer((_request, answer) => answer.writeHead(200).flushHeaders()));
    const live = await transport.open(attach, plain);
    const closed = once(live.incoming.on('error', () => {}).resume(), 'error');
    await transport.close();
    expect(await closed).toMatchObject([{ failure: 'closed' }]);
  });
});
