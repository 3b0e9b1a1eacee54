import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../harness/target/address.ts';
import { headerOf } from '../../harness/transport/wire.ts';
import { answersForEver, httpServer, newSocketPath, rawServer, transportTo } from './servers.ts';

const get = { method: 'GET', path: '/v1.20/_ping', headers: {} };
const bounds = { wholeMs: 5_000 };

/** The transport to a server that writes these bytes and, unless told otherwise, ends. */
async function toBytes(bytes: string | Buffer, { end = true } = {}) {
  return transportTo(
    await rawServer((socket) => {
      socket.write(bytes);
      if (end) socket.end();
    }),
  );
}

describe('a whole exchange', () => {
  test('carries method, path, headers and body as they are given', async () => {
    let seen = '';
    const address = await rawServer((socket, request) => {
      seen = request;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const request = { method: 'PUT', path: '/a%2Fb?x=%20', headers: { 'X-Odd-Case': 'V' }, body: Buffer.from('bytes') };
    await transportTo(address).exchange(request, bounds);
    expect(seen).toMatch(/^PUT \/a%2Fb\?x=%20 HTTP\/1\.1\r\n/);
    expect(seen).toContain('\r\nX-Odd-Case: V\r\n');
    expect(seen).toMatch(/\r\ncontent-length: 5\r\n/i);
    expect(seen).toMatch(/\r\n\r\nbytes$/);
  });

  test('sends its body in the chunks that it is cut into', async () => {
    let sent = '';
    const address = await rawServer((socket, request) => {
      sent = request;
      const read = (chunk: Buffer) => {
        sent += chunk.toString('latin1');
        if (sent.endsWith('0\r\n\r\n')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      };
      socket.on('data', read).resume();
      read(Buffer.alloc(0));
    });
    const body = Buffer.from('abcdef');
    const request = { method: 'POST', path: '/v1.20/build', headers: {}, body, cuts: [1, 3, 9] };
    await transportTo(address).exchange(request, { wholeMs: 5_000 });
    expect(sent).toMatch(/transfer-encoding: chunked\r\n/i);
    expect(sent.slice(sent.indexOf('\r\n\r\n') + 4)).toBe('1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n');
  });

  test('keeps the names and the order of the headers, repeated ones too', async () => {
    const head = 'HTTP/1.1 200 OK\r\nX-One: 1\r\nx-TWO: 2\r\nX-One: 3\r\nContent-Length: 0\r\n\r\n';
    const { headers } = await (await toBytes(head)).exchange(get, bounds);
    const own = headers.filter(([name]) => /^x-/i.test(name));
    expect(own).toEqual([
      ['X-One', '1'],
      ['x-TWO', '2'],
      ['X-One', '3'],
    ]);
    expect(headerOf(headers, 'x-two')).toBe('2');
  });

  test('takes a chunked answer in pieces, cut anywhere', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n';
    const address = await rawServer(async (socket) => {
      for (const byte of bytes) {
        socket.write(byte);
        await delay(0);
      }
      socket.end();
    });
    const { status, body } = await transportTo(address).exchange(get, bounds);
    expect([status, body.toString()]).toEqual([200, 'abcdefg']);
  });

  test('takes an answer that only the end of the connection ends', async () => {
    const { body } = await (await toBytes('HTTP/1.1 200 OK\r\n\r\nuntil the end')).exchange(get, bounds);
    expect(body.toString()).toBe('until the end');
  });

  test('passes over a provisional answer', async () => {
    const bytes = 'HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n';
    expect((await (await toBytes(bytes)).exchange(get, bounds)).status).toBe(204);
  });

  test('of HEAD has no body, whatever its length says', async () => {
    const address = await httpServer((_request, answer) => answer.writeHead(200, { 'Content-Length': 5 }).end());
    const { status, headers, body } = await transportTo(address).exchange({ ...get, method: 'HEAD' }, bounds);
    expect([status, headerOf(headers, 'Content-Length'), body.length]).toEqual([200, '5', 0]);
  });

  test('of bytes that are no text are the bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const address = await httpServer((_request, answer) => answer.end(bytes));
    expect((await transportTo(address).exchange(get, bounds)).body).toEqual(bytes);
  });

  test('many at once get each its own answer', async () => {
    const address = await httpServer((request, answer) => {
      setTimeout(() => answer.end(request.url), Math.random() * 20);
    });
    const transport = transportTo(address);
    const paths = Array.from({ length: 50 }, (_, n) => `/${n}`);
    const answers = await Promise.all(paths.map((path) => transport.exchange({ ...get, path }, bounds)));
    expect(answers.map(({ body }) => body.toString())).toEqual(paths);
  });
});

describe('an exchange without a whole answer', () => {
  test.each<[string, string, string, RegExp]>([
    ['closed at once', '', 'closed', /before any answer/],
    ['closed in the middle of the head', 'HTTP/1.1 200 OK\r\nContent-', 'closed', /before any answer/],
    [
      'closed in the middle of the body',
      'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour',
      'closed',
      /status 200 and 4 bytes/,
    ],
    [
      'closed in the middle of a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour',
      'closed',
      /status 200 and 4 bytes/,
    ],
    ['that is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'malformed', /./],
    ['with a chunk that has no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'malformed', /./],
    ['with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'malformed', /./],
    ['with a header of 20 KiB', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'malformed', /./],
  ])('%s', async (_what, bytes, failure, message) => {
    const exchange = (await toBytes(bytes)).exchange(get, bounds);
    await expect(exchange).rejects.toMatchObject({ name: 'TransportError', failure });
    await expect(exchange).rejects.toThrow(message);
  });

  test('because nothing listens is unreachable', async () => {
    const address = parseAddress(`unix://${newSocketPath()}`);
    await expect(transportTo(address).exchange(get, bounds)).rejects.toMatchObject({ failure: 'unreachable' });
  });

  test('within its bound is a time-out, which says how far it came', async () => {
    const silent = transportTo(await rawServer(() => {}));
    await expect(silent.exchange(get, { wholeMs: 60 })).rejects.toThrow('no answer within 60 ms');
    const halting = await toBytes('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour', { end: false });
    const late = halting.exchange(get, { wholeMs: 200 });
    await expect(late).rejects.toMatchObject({ failure: 'timeout' });
    await expect(late).rejects.toThrow('status 200 and 4 bytes of an unfinished body within 200 ms');
  });

  test('because it goes on for ever is too large, and does not fill the memory', async () => {
    const address = await httpServer(answersForEver);
    await expect(transportTo(address).exchange(get, { wholeMs: 15_000 })).rejects.toMatchObject({
      failure: 'too-large',
    });
  });

  test('leaves the transport fit for the next one', async () => {
    let requests = 0;
    const address = await httpServer((_request, answer) => {
      requests++;
      if (requests === 1) answer.destroy();
      else answer.end('well');
    });
    const transport = transportTo(address);
    await expect(transport.exchange(get, bounds)).rejects.toMatchObject({ failure: 'closed' });
    expect((await transport.exchange(get, bounds)).body.toString()).toBe('well');
  });

  test('because the kit asks for what cannot be sent is no failure of the target', async () => {
    const transport = await toBytes('HTTP/1.1 200 OK\r\n\r\n');
    const exchange = transport.exchange({ ...get, headers: { 'X-A': 'two\r\nlines' } }, bounds);
    await expect(exchange).rejects.not.toMatchObject({ name: 'TransportError' });
  });
});

describe('a closed transport', () => {
  test('ends what is under way', async () => {
    const transport = transportTo(await rawServer(() => {}));
    const exchange = transport.exchange(get, bounds);
    const failed = expect(exchange).rejects.toMatchObject({ failure: 'closed' });
    await delay(20);
    await transport.close();
    await failed;
  });
});
