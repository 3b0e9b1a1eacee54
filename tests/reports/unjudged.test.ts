import { expect, test } from 'vitest';
import type { RunEvent } from '../../harness/events.ts';
import { whenEnded } from '../../reports/run-record.ts';
import { overall } from '../../reports/summary.ts';
import type { Rule } from '../../specs/rule.ts';
import { sampleRules } from './sample-rules.ts';
import { play, sampleRun } from './sample-run.ts';

const must = sampleRules.filter(({ level }) => level === 'must');
const reason = 'the host mounts no freezer cgroup';

/** What is said of a run in which all rules but the last were skipped as the target lacks a capability. */
async function saidOf(rules: readonly Rule[], lacks: Readonly<Record<string, string>>): Promise<string> {
  const last = rules.length - 1;
  const events = sampleRun({ rules, verdictOf: (_rule, place) => (place === last ? 'pass' : 'skip') });
  let says = '';
  const keep = whenEnded(async (record) => {
    says = overall(record).says;
  });
  const skippedAlike = (event: RunEvent): RunEvent => {
    if (event.type === 'run-started') return { ...event, target: { ...event.target, lacks } };
    const isSkipped = event.type === 'verdict' && event.result.verdict === 'skip';
    return isSkipped ? { ...event, result: { ...event.result, reason } } : event;
  };
  await play(events.map(skippedAlike), keep);
  return says;
}

test('a green run says how many rules it did not judge for one lack', async () => {
  expect(await saidOf(must.slice(0, 11), { freezer: reason })).toBe(
    'Conforms: every rule that was decided is kept; 10 must rules were not judged for lack of freezer.',
  );
});

test('of what has one reason the first is named', async () => {
  expect(await saidOf(must.slice(0, 41), { 'containers-run': reason, freezer: reason })).toContain(
    '; 40 must rules were not judged for lack of containers-run.',
  );
});

test.each([
  ['a few', must.slice(0, 10), { freezer: reason }],
  ['another reason', must.slice(0, 30), { freezer: 'there is none' }],
  ['what the user did not ask for', must.slice(0, 30), { hostile: reason }],
  ['a token server that was not named', must.slice(0, 30), { 'token-user': reason }],
  ['rules of another level', sampleRules.filter(({ level }) => level === 'should').slice(0, 30), { freezer: reason }],
])('%s is no matter for the headline', async (_what, rules, lacks) => {
  expect(await saidOf(rules, lacks)).toBe('Conforms: every rule that was decided is kept.');
});
