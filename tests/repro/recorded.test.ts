import { expect, test } from 'vitest';
import type { RecordedExchange } from '../../harness/events.ts';
import { jsonOf } from '../../reports/repro/recorded.ts';

/** A list of which only so much was kept. */
function answered(text: string): RecordedExchange {
  const none = { size: 0, text: '', truncated: false };
  return {
    ...{ id: 'x1', madeFor: 'containers.list.every-item', startedAt: '2026-01-02T03:04:05.000Z', durationMs: 1 },
    request: { method: 'GET', path: '/v1.23/containers/json', headers: [], body: none },
    answer: { status: 200, headers: [], body: { size: 100_000, text, truncated: true } },
    curl: 'curl -i http://localhost/v1.23/containers/json',
  };
}

test.each([
  ['[{"Id":"one","Labels":{"a":"}]"}},{"Id":"two","Names":["/x"]},{"Id":"thr', ['one', 'two']],
  ['[{"Id":"one"},{"Id":"two","Labels":{"a":"[{', ['one']],
  ['[{"Id":"one"},{"Id":"two"}', ['one', 'two']],
  ['[{"Id":"o', []],
])('of a list that was cut the whole items are read: %s', (text, ids) => {
  const read = jsonOf(answered(text));
  expect(read?.json).toEqual(ids.map((Id) => expect.objectContaining({ Id })));
});

test('of an object that was cut nothing is read', () => {
  expect(jsonOf(answered('{"Volumes":[{"Name":"one"},{"Na'))).toBeUndefined();
});
