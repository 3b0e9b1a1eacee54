import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { answersStatus, setsHeader, unlessQuery } from '../../harness/faults/answers.ts';
import { alike, type Fault, inVersion, onRepeats, since } from '../../harness/faults/fault.ts';
import { faultyTransport } from '../../harness/faults/faulty-transport.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { inEachObject } from '../../harness/faults/objects.ts';
import { inPathStat } from '../../harness/faults/path-stat.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { httpServer, transportTo } from '../harness/servers.ts';

const inOlder = { method: 'GET', path: '/v1.20/version?size=1', headers: {} };
const inNewer = { method: 'GET', path: '/v1.21/version?size=0', headers: {} };
const answer = { status: 200, headers: [], body: Buffer.from('{}') };
const head = { status: 200, headers: [] };

test('a fault in one version keeps all that it does, and does it in that version only', () => {
  const whole: Fault = { ...answersStatus(500), ...swallows(204), incoming: () => new PassThrough(), since: '1.20' };
  const inOne = inVersion('1.20', whole);
  expect(Object.keys(inOne).toSorted()).toEqual(Object.keys(whole).toSorted());
  expect(inOne.answer?.(answer, inOlder).status).toBe(500);
  expect(inOne.answer?.(answer, inNewer).status).toBe(200);
  expect(inOne.head?.(head, inOlder).status).toBe(500);
  expect(inOne.head?.(head, inNewer).status).toBe(200);
  expect(inOne.request?.(inOlder)).toMatchObject({ instead: { status: 204 } });
  expect(inOne.request?.(inNewer)).toBe(inNewer);
});

test('a fault of repeats lets the first request through', () => {
  const repeated = onRepeats(answersStatus(500));
  const again = { ...inOlder };
  for (const request of [inOlder, again]) repeated.request?.(request);
  expect(repeated.answer?.(answer, inOlder).status).toBe(200);
  expect(repeated.answer?.(answer, again).status).toBe(500);
});

test('a daemon with a fault of repeats knows nothing of what another one was asked, nor of what it might be', async () => {
  const address = await httpServer((_request, answer) => answer.end('ok'));
  const repeated = inVersion('1.20', onRepeats(answersStatus(500)));
  repeated.request?.(inOlder);
  const statuses = async () => {
    const transport = faultyTransport(transportTo(address), repeated, 'GET /version');
    const exchange = async () => (await transport.exchange({ ...inOlder }, { wholeMs: 60_000 })).status;
    return [await exchange(), await exchange()];
  };
  expect([await statuses(), await statuses()]).toEqual([
    [200, 500],
    [200, 500],
  ]);
});

test('a fault with an exception keeps to it', () => {
  const excepted = unlessQuery('size', '1', setsHeader('Content-Type', 'text/html'));
  expect(excepted.answer?.(answer, inOlder).headers).toEqual([]);
  expect(excepted.answer?.(answer, inNewer).headers).toEqual([['Content-Type', 'text/html']]);
});

test('what cannot be limited to some requests is not lost silently', () => {
  const several = alike('answers 500', answersStatus(500), answersStatus(500));
  expect(() => inVersion('1.20', several)).toThrow("'answers 500 in 1.20' loses also of 'answers 500'");
  expect(() => onRepeats({ ...answersStatus(500), ignoresDrop: true })).toThrow('loses ignoresDrop');
});

test('a part of an answer takes faults of answers alone, and keeps their versions', () => {
  const field = since('1.21', setsField('Size', 1));
  expect([inEachObject(field).since, inPathStat(field).since]).toEqual(['1.21', '1.21']);
  expect(() => inEachObject(swallows(204))).toThrow("'answers 204 without doing it' is no fault of answers alone");
  expect(() => inPathStat(answersStatus(500))).toThrow('is no fault of answers alone: head');
});
