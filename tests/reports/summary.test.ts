import { describe, expect, test } from 'vitest';
import type { RunEvent, Verdict } from '../../harness/events.ts';
import { type RunRecord, whenEnded } from '../../reports/run-record.ts';
import { overall } from '../../reports/summary.ts';
import { sampleRules } from './sample-rules.ts';
import { play, type SampleOptions, sampleRun } from './sample-run.ts';

async function recordOf(events: readonly RunEvent[]): Promise<RunRecord | undefined> {
  let record: RunRecord | undefined;
  const keep = whenEnded(async (ended) => {
    record = ended;
  });
  await play(events, keep);
  return record;
}

async function overallOf(options: SampleOptions): Promise<string> {
  const record = await recordOf(sampleRun(options));
  if (!record) throw new Error('the run did not end');
  return overall(record).verdict;
}

/** All rules pass but the first, in all versions. */
const allBut = (verdict: Verdict) => ({ verdictOf: (_: unknown, place: number) => (place === 0 ? verdict : 'pass') });

describe('the verdict on the target', () => {
  test.each([
    ['conforms', allBut('pass')],
    ['conforms', allBut('observed')],
    ['waived', allBut('waived')],
    ['undecided', allBut('blocked')],
    ['deviates', allBut('fail')],
    ['failed', allBut('error')],
    ['inconclusive', { verdictOf: () => 'skip' as const }],
    ['incomplete', { ...allBut('pass'), missing: 1 }],
    ['incomplete', { ...allBut('pass'), end: 'interrupted' as const }],
    ['incomplete', { ...allBut('fail'), end: 'lost' as const }],
    ['failed', { ...allBut('pass'), end: 'failed' as const }],
  ])('%s (%o)', async (verdict, options) => {
    expect(await overallOf(options)).toBe(verdict);
  });
});

test('of a run that never started nothing is reported', async () => {
  expect(await recordOf(sampleRun().slice(-1))).toBeUndefined();
});

test('the last verdict on a rule counts', async () => {
  const [started, first, ...rest] = sampleRun({ rules: sampleRules.slice(0, 1), verdictOf: () => 'pass' });
  if (!started || first?.type !== 'verdict') throw new Error('the sample run has no verdict');
  const again: RunEvent = { type: 'verdict', result: { ...first.result, verdict: 'blocked' } };
  const record = await recordOf([started, first, ...rest.slice(0, -1), again, ...rest.slice(-1)]);
  expect(record?.results.map(({ verdict }) => verdict)).toEqual(['blocked', 'pass', 'pass']);
});
