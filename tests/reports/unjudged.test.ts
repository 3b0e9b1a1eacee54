import { expect, test } from 'vitest';
import type { RunEvent, TargetIdentity } from '../../harness/events.ts';
import { whenEnded } from '../../reports/run-record.ts';
import { overall } from '../../reports/summary.ts';
import type { Rule } from '../../specs/rule.ts';
import { sampleRules } from './sample-rules.ts';
import { play, sampleRun } from './sample-run.ts';

const must = sampleRules.filter(({ level }) => level === 'must');
const reason = 'the host mounts no freezer cgroup';

type Target = Partial<TargetIdentity>;

/** What is said of a run in which all rules but the last were skipped for one reason; of one rule, that too. */
async function saidOf(rules: readonly Rule[], target: Target): Promise<string> {
  const last = rules.length > 1 ? rules.length - 1 : undefined;
  const events = sampleRun({ rules, verdictOf: (_rule, place) => (place === last ? 'pass' : 'skip') });
  let says = '';
  const keep = whenEnded(async (record) => {
    says = overall(record).says;
  });
  const skippedAlike = (event: RunEvent): RunEvent => {
    if (event.type === 'run-started') return { ...event, target: { ...event.target, ...target } };
    const isSkipped = event.type === 'verdict' && event.result.verdict === 'skip';
    return isSkipped ? { ...event, result: { ...event.result, reason } } : event;
  };
  await play(events.map(skippedAlike), keep);
  return says;
}

test('a green run says how many rules it did not judge for one lack', async () => {
  expect(await saidOf(must.slice(0, 11), { lacks: { freezer: reason } })).toBe(
    'Conforms: every rule that was decided is kept; 10 must rules were not judged for lack of freezer.',
  );
});

test('of what has one reason the first is named', async () => {
  expect(await saidOf(must.slice(0, 41), { lacks: { 'containers-run': reason, freezer: reason } })).toContain(
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
  expect(await saidOf(rules, { lacks })).toBe('Conforms: every rule that was decided is kept.');
});

test('what was asked for in a version that the target does not serve is told, whether anything was decided or not', async () => {
  const serves = ['1.20'] as const;
  expect(await saidOf(must.slice(0, 5), { serves })).toBe(
    'Conforms: every rule that was decided is kept; the target does not serve API 1.21, 1.23.',
  );
  expect(await saidOf(must.slice(0, 1), { serves })).toBe(
    'Inconclusive: no rule was decided; the target does not serve API 1.21, 1.23.',
  );
});
