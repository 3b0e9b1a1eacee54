import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RecordedExchange } from '../../harness/events.ts';
import { readSpilled, SpillIndex, SpillWriter } from '../../harness/runner/spill.ts';
import { text } from '../reports/sample-exchanges.ts';
import { workplace } from '../workplace.ts';

function ping(id: string, madeFor: string): RecordedExchange {
  return {
    id,
    madeFor,
    startedAt: '2026-03-14T09:27:00.000Z',
    durationMs: 12.5,
    request: { method: 'GET', path: '/_ping', headers: [], body: text('') },
    curl: `curl -i --unix-socket /run/engine.sock 'http://localhost/_ping'`,
    answer: { status: 200, headers: [['Content-Type', 'text/plain']], body: text(`OK of ${id}`) },
  };
}

async function allOf(read: AsyncIterable<RecordedExchange>): Promise<RecordedExchange[]> {
  const all: RecordedExchange[] = [];
  for await (const exchange of read) all.push(exchange);
  return all;
}

const [first, second] = [ping('x1', 'system.ping.answers-200'), ping('x2', 'system.ping.text-plain')];

test('exchanges are read back as they were, all of them, those of a rule, or one', async () => {
  const file = path.join(workplace, 'exchanges');
  const writer = new SpillWriter(file);
  for (const exchange of [first, second]) writer.write(() => exchange);
  expect(await new SpillIndex(file).read('x2')).toEqual(second);
  expect(await allOf(readSpilled(file))).toEqual([first, second]);
  const ofPing = readSpilled(file, ({ madeFor }) => madeFor === first.madeFor);
  expect(await allOf(ofPing)).toEqual([first]);
  writer.close();
  writer.write(() => first);
  expect(await allOf(readSpilled(file))).toHaveLength(2);
});

test('what nobody reads back is not made into a record, and no file is written', () => {
  const before = readdirSync(workplace);
  const writer = new SpillWriter(undefined);
  writer.write(() => {
    throw new Error('a record was made');
  });
  writer.close();
  expect(readdirSync(workplace)).toEqual(before);
});
