import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HarValidator } from '@har-sdk/validator';
import { expect, test } from 'vitest';
import { harReport } from '../../reports/har.ts';
import { workplace } from '../workplace.ts';
import { sampleRules } from './sample-rules.ts';
import { sampleRun } from './sample-run.ts';

test('every exchange is in a valid archive, streams and answers that never came among them', async () => {
  const file = path.join(workplace, 'traffic.har');
  const report = harReport(file);
  for (const event of sampleRun({ rules: sampleRules.slice(0, 20) })) await report(event);
  const archive = JSON.parse(await readFile(file, 'utf8'));
  expect(await new HarValidator().verify(archive)).toEqual([]);
  const { entries } = archive.log;
  expect(entries.length).toBeGreaterThan(4);
  const statuses = new Set(entries.map(({ response }: { response: { status: number } }) => response.status));
  expect([...statuses].toSorted()).toEqual([0, 101, 200, 500]);
});
