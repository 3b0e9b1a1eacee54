import { once } from 'node:events';
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { sendRaw } from '../../harness/engine/raw-exchange.ts';
import { expect as expectAnswer } from '../../harness/expect/expect.ts';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import { engineAt } from './engines.ts';
import { newSocketPath, transportTo } from './servers.ts';

/** A server with a thread of its own, which goes on while this one stands still. */
const server = `
const { createServer } = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');
const delayMs = 100;
createServer((request, answer) => {
  if (request.url.endsWith('/logs')) answer.flushHeaders();
  if (!request.url.endsWith('/wait')) setTimeout(() => answer.end('it is there'), delayMs);
}).listen(workerData, () => parentPort.postMessage('listening'));
`;

async function serverInThread(): Promise<Address> {
  const socketPath = newSocketPath();
  const thread = new Worker(server, { eval: true, workerData: socketPath });
  onTestFinished(async () => void (await thread.terminate()));
  await once(thread, 'message');
  return parseAddress(`unix://${socketPath}`);
}

/** Nothing of this thread runs, as when the process is stopped; after that its timers come first, and then what it can read. */
async function standStill(ms: number): Promise<void> {
  await immediate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const boundMs = 300;
/** So long that the bound ends, and more than a busy machine delays a timer. */
const standsMs = 1_600;

test('an answer that came while the process stood still is in time', async () => {
  const transport = transportTo(await serverInThread());
  const answer = transport.exchange({ method: 'GET', path: '/_ping', headers: {} }, { wholeMs: boundMs });
  await delay(50);
  await standStill(standsMs);
  expect((await answer).body.toString()).toBe('it is there');
});

test('so is what came of a stream', async () => {
  const { verdict } = engineAt(await serverInThread(), { boundMs });
  const decision = await verdict(async (engine) => {
    const live = await engine.open('GET', '/containers/a/logs');
    const comes = live.receivedText('it is there');
    await delay(10);
    await standStill(standsMs);
    await comes;
    expectAnswer(live).toHaveStatus(200);
  });
  expect(decision).toMatchObject({ verdict: 'pass' });
});

test('an answer that does not come then either is late', async () => {
  const transport = transportTo(await serverInThread());
  const answer = transport.exchange({ method: 'POST', path: '/wait', headers: {} }, { wholeMs: boundMs });
  answer.catch(() => {});
  await delay(50);
  await standStill(standsMs);
  await expect(answer).rejects.toThrow(`no answer within ${boundMs} ms`);
});

test('bytes that were written as they are have their answer in time', async () => {
  const connection = await transportTo(await serverInThread()).connect();
  const sent = sendRaw(connection, Buffer.from('GET /_ping HTTP/1.1\r\nHost: a\r\n\r\n'), {
    method: 'GET',
    path: '/_ping',
    after: 'waits',
    waitMs: boundMs,
  });
  await delay(50);
  await standStill(standsMs);
  expect(await sent).toMatchObject({ answer: { status: 200 } });
});

test('what is looked at again and again may come after the process stood still', async () => {
  let standsUntil = Number.POSITIVE_INFINITY;
  const lateMs = 100;
  const looks = lookUntil(
    async () => performance.now() - standsUntil,
    (sinceMs) => sinceMs > lateMs,
    boundMs,
  );
  await delay(50);
  await standStill(standsMs);
  standsUntil = performance.now();
  expect(await looks).toBeGreaterThan(lateMs);
});
