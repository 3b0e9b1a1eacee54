import { describe, test, expect as vitestExpect } from 'vitest';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { engineAt } from '../harness/engines.ts';
import { rawServer, rawTcpServer } from '../harness/servers.ts';
import { brokenAnswers, brokenStreams, oddBodies } from './misbehaviours.ts';

const boundMs = 600;
/** What a body may take of memory at its most, with what the test itself holds. */
const memoryBytes = 300 * 1024 * 1024;

describe('a daemon that', () => {
  test.each(Object.entries(brokenAnswers))('%s fails the rule, in bounded time and memory', async (name, misbehave) => {
    // A reset is there only over TCP.
    const listen = name.startsWith('resets') ? rawTcpServer : rawServer;
    const address = await listen((socket) => misbehave(socket));
    const { verdict, records } = engineAt(address, { boundMs });
    const before = process.memoryUsage().rss;
    const started = Date.now();
    const decision = await verdict(async (engine) => expect(await engine.get('/version')).toHaveStatus(204));
    vitestExpect(Date.now() - started).toBeLessThan(boundMs + 3_000);
    vitestExpect(process.memoryUsage().rss - before).toBeLessThan(memoryBytes);
    vitestExpect(decision).toMatchObject({ verdict: 'fail', expected: 'a whole answer', evidence: ['x1'] });
    vitestExpect(decision.actual.length).toBeLessThan(1_000);
    vitestExpect(records).toHaveLength(1);
    vitestExpect(records[0]?.failure).toBeTruthy();
  });

  test.each(Object.entries(brokenAnswers))('%s does so to a stream', async (_name, misbehave) => {
    const address = await rawServer((socket) => misbehave(socket));
    const { verdict } = engineAt(address, { boundMs });
    const started = Date.now();
    const decision = await verdict(async (engine) => {
      const live = await engine.open('POST', '/containers/x/attach', { upgrade: true });
      await live.frames();
      expect(live).toHaveStatus(299);
    });
    vitestExpect(Date.now() - started).toBeLessThan(2 * boundMs + 3_000);
    vitestExpect(decision.verdict).toBe('fail');
    vitestExpect(decision.actual.length).toBeLessThan(1_000);
  });
});

describe('a stream that', () => {
  test.each(Object.entries(brokenStreams))(
    '%s fails the rule, in bounded time and memory',
    async (_name, misbehave) => {
      const address = await rawTcpServer((socket) => misbehave(socket));
      const { verdict } = engineAt(address, { boundMs });
      const before = process.memoryUsage().rss;
      const started = Date.now();
      const decision = await verdict(async (engine) => {
        const live = await engine.open('POST', '/containers/x/attach', { upgrade: true });
        const frames = await live.frames();
        expectValue('the frames', frames.length, [live]).toBe(-1);
      });
      vitestExpect(Date.now() - started).toBeLessThan(2 * boundMs + 3_000);
      vitestExpect(process.memoryUsage().rss - before).toBeLessThan(memoryBytes);
      vitestExpect(decision.verdict).toBe('fail');
      vitestExpect(decision.actual.length).toBeLessThan(1_000);
    },
  );
});

test('of two answers to one request the second is never taken for the answer to another', async () => {
  let asked = 0;
  const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const address = await rawServer((socket) => {
    asked++;
    socket.write(answer(`right ${asked}`) + answer(`wrong ${asked}`));
  });
  const { engine } = engineAt(address, { boundMs });
  for (let at = 1; at <= 5; at++) {
    // It can also be that the first is not taken either, as the connection is not fit for anything any more.
    const text = await engine.get('/version').then(
      (exchange) => exchange.text,
      () => '',
    );
    vitestExpect(text).not.toContain('wrong');
  }
  vitestExpect(asked).toBe(5);
});

describe('a body that is', () => {
  test.each(Object.entries(oddBodies))('%s fails the rule', async (_name, misbehave) => {
    const address = await rawServer((socket) => misbehave(socket));
    const { verdict } = engineAt(address);
    const started = Date.now();
    const decision = await verdict(async (engine) => {
      expect(await engine.get('/version'))
        .field('Version')
        .toBe('1');
    });
    vitestExpect(Date.now() - started).toBeLessThan(5_000);
    vitestExpect(decision).toMatchObject({ verdict: 'fail', evidence: ['x1'] });
    vitestExpect(decision.actual.length).toBeLessThan(1_000);
  });
});
