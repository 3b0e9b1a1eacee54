import { expect, test } from 'vitest';
import type { RecordedExchange } from '../../harness/events.ts';
import { Recorder } from '../../harness/recording/recorder.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import { parseAddress } from '../../harness/target/address.ts';

test('a stream is recorded once, as it was when its scope ended, though its connection closes later', () => {
  const records: RecordedExchange[] = [];
  const recorder = new Recorder('a test', {
    address: parseAddress('tcp://127.0.0.1:1'),
    redactor: new Redactor(),
    nextId: () => 'x1',
    sink: ({ record }) => records.push(record()),
  });
  const stream = recorder.begin({ method: 'GET', path: '/v1.23/events', headers: {} });
  stream.live({ status: 500, headers: [] });
  stream.streamed('received', Buffer.from('no'));
  recorder.finish();
  stream.finish({ failure: 'the connection was closed' });
  recorder.finish();
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ id: 'x1', answer: { status: 500 } });
  expect(records[0]?.failure).toBeUndefined();
});
