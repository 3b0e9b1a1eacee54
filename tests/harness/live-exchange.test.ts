import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { expect as expectAnswer } from '../../harness/expect/expect.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import type { Transport } from '../../harness/transport/wire.ts';
import { engineAt } from './engines.ts';
import { answersForEver, httpServer, rawServer } from './servers.ts';

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\n';
const path = '/containers/a/attach';

/** A daemon that sends these pieces, one after another, and then ends or goes on. */
async function toPieces(pieces: readonly (string | Buffer)[], { end = true, boundMs = 5_000 } = {}) {
  const address = await rawServer(async (socket) => {
    socket.write(head);
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (end) socket.end();
  });
  return engineAt(address, { boundMs });
}

/** Bytes that are there at once, each as a piece of its own. */
async function* oneByOne(number: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < number; at++) yield Buffer.from('a');
}

describe('a live exchange', () => {
  test('gives the whole stream once it ends, and records both directions', async () => {
    const { engine, records, verdict } = await toPieces(['one', 'two']);
    const decision = await verdict(async () => {
      const live = await engine.open('POST', path, { upgrade: true });
      live.write('input');
      expectAnswer(live).toHaveStatus(200);
      expect((await live.rest()).toString()).toBe('onetwo');
      expect(live.ended).toBe(true);
    });
    expect(decision).toMatchObject({ verdict: 'pass', evidence: ['x1'] });
    expect(records).toHaveLength(1);
    const { stream = [] } = records[0] ?? {};
    const sent = stream.filter(({ direction }) => direction === 'sent').map(({ text }) => text);
    const received = stream.filter(({ direction }) => direction === 'received').map(({ text }) => text);
    expect([sent.join(''), received.join('')]).toEqual(['input', 'onetwo']);
  });

  test('waits for a condition on what has come, and reads on', async () => {
    const { verdict } = await toPieces(['on', 'e', 'two']);
    await verdict(async (engine) => {
      const live = await engine.open('POST', path);
      expect((await live.receivedText('one')).toString()).toMatch(/^one/);
      expect((await live.rest()).toString()).toBe('onetwo');
    });
  });

  test('does not look at everything again after each of many small pieces', async () => {
    const address = await httpServer((_request, answer) => answer.end());
    const daemon = undiciTransport(address);
    const incoming = Readable.from(oneByOne(1000));
    const transport: Transport = {
      ...daemon,
      open: async (request, bounds) => ({ ...(await daemon.open(request, bounds)), incoming }),
    };
    let looks = 0;
    await engineAt(address, { transport }).verdict(async (engine) => {
      const live = await engine.open('GET', path);
      await live.receivedUntil('1000 bytes', (bytes) => {
        looks += 1;
        return bytes.length === 1000;
      });
    });
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(100);
  });

  test('tells of a stream that ends before what was waited for; the verdict is fail', async () => {
    const { verdict } = await toPieces(['some']);
    const decision = await verdict(async (engine) => {
      const live = await engine.open('POST', path);
      await live.receivedText('more');
    });
    expect(decision).toMatchObject({ verdict: 'fail', expected: 'a whole answer', evidence: ['x1'], broken: true });
    expect(decision.actual).toBe('the stream ended before "more"; 4 bytes had come, ending in "some"');
  });

  test('tells of a stream that does not end within the bound', async () => {
    const { verdict } = await toPieces(['some'], { end: false, boundMs: 100 });
    const decision = await verdict(async (engine) => {
      await (await engine.open('POST', path)).rest();
    });
    expect(decision.actual).toBe('waited 100 ms for the end of the stream; 4 bytes had come, ending in "some"');
  });

  test('tells of a stream that breaks', async () => {
    const address = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour'));
    const { verdict, records } = engineAt(address);
    const decision = await verdict(async (engine) => {
      await (await engine.open('GET', path)).rest();
    });
    expect(decision).toMatchObject({ verdict: 'fail', broken: true });
    expect(records[0]?.failure).toContain('other side closed');
  });

  test('of bytes that are no frames is a deviation with their place', async () => {
    const { verdict } = await toPieces(['\u0001\0\0\0\0\0\0\u0003abc', '\u0009garbage']);
    const decision = await verdict(async (engine) => {
      await (await engine.open('POST', path)).frames();
    });
    expect(decision.verdict).toBe('fail');
    expect(decision.actual).toMatch(/11/);
  });

  test('that is dropped keeps what had come, and is recorded once', async () => {
    const { verdict, records } = await toPieces(['some'], { end: false });
    await verdict(async (engine) => {
      const live = await engine.open('POST', path);
      await live.receivedText('some');
      live.drop();
      live.drop();
      expect(live.ended).toBe(true);
      expect((await live.rest()).toString()).toBe('some');
    });
    expect(records).toHaveLength(1);
    expect(records[0]?.failure).toBeUndefined();
  });

  test('that a check leaves open is dropped with the check', async () => {
    let closed = false;
    const address = await httpServer((_request, answer) => {
      answer.writeHead(200).flushHeaders();
      answer.once('close', () => {
        closed = true;
      });
    });
    const { engine, verdict } = engineAt(address);
    await verdict(async () => {
      await engine.open('GET', '/events');
    });
    engine.close();
    await expect.poll(() => closed).toBe(true);
  });

  test('that goes on for ever is cut, and takes no more memory than the bound', async () => {
    const address = await httpServer(answersForEver);
    const { verdict } = engineAt(address, { boundMs: 15_000 });
    const decision = await verdict(async (engine) => {
      await (await engine.open('GET', '/containers/a/logs')).rest();
    });
    expect(decision.actual).toMatch(/longer than \d+ bytes/);
  });
});
