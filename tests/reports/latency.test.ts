import { expect, test } from 'vitest';
import type { RecordedExchange } from '../../harness/events.ts';
import { Latencies } from '../../reports/latency.ts';
import { text } from './sample-exchanges.ts';

function exchange(
  method: string,
  path: string,
  durationMs: number,
  more: Partial<RecordedExchange> = {},
): RecordedExchange {
  return {
    ...{ id: 'x1', madeFor: 'a rule', startedAt: '2026-03-14T09:27:00.000Z', durationMs, curl: 'curl' },
    request: { method, path, headers: [], body: text('') },
    answer: { status: 200, headers: [], body: text('') },
    ...more,
  };
}

function summaryOf(...exchanges: readonly RecordedExchange[]) {
  const latencies = new Latencies();
  for (const one of exchanges) latencies.add(one);
  return latencies.summary();
}

test('gathers answers by endpoint, whatever the version, the query and the name', () => {
  expect(
    summaryOf(
      exchange('GET', '/v1.20/images/registry.test/base:1/json', 3),
      exchange('GET', '/v1.23/containers/json?all=1', 4),
      exchange('GET', '/containers/json', 6),
      exchange('GET', '/v1.23/containers/4f1c/json', 5),
      exchange('GET', '/v1.23/images/search?term=x', 7),
    ).map(({ endpoint, answers }) => `${endpoint} ${answers}`),
  ).toEqual([
    'GET /containers/json 2',
    'GET /containers/{id}/json 1',
    'GET /images/search 1',
    'GET /images/{name}/json 1',
  ]);
});

test('tells the median, what 95 of 100 take, and the longest', () => {
  const hundred = Array.from({ length: 100 }, (_, place) => exchange('GET', '/v1.23/_ping', 100 - place));
  expect(summaryOf(...hundred)).toEqual([
    { endpoint: 'GET /_ping', answers: 100, medianMs: 50, p95Ms: 95, maxMs: 100 },
  ]);
  expect(summaryOf(exchange('GET', '/_ping', 1.26))).toMatchObject([{ medianMs: 1.3, p95Ms: 1.3, maxMs: 1.3 }]);
});

test('leaves out streams, what was not answered, and what is no endpoint', () => {
  const { answer: _, ...unanswered } = exchange('GET', '/v1.23/_ping', 1);
  const stream = [{ direction: 'sent' as const, atMs: 1, ...text('x') }];
  expect(
    summaryOf(
      unanswered,
      exchange('POST', '/v1.23/containers/4f1c/attach', 9000, { stream }),
      exchange('GET', '/v1.23/no-such-thing', 1),
      exchange('DELETE', '/v1.23/_ping', 1),
    ),
  ).toEqual([]);
});
