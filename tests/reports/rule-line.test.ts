import { expect, test } from 'vitest';
import { causesOf } from '../../cli/explain/causes.ts';
import { ruleLine } from '../../reports/rule-line.ts';
import { overall } from '../../reports/summary.ts';
import { rulebook } from '../../specs/catalogue.ts';
import { recordOfSample } from './sample-record.ts';

const endpoint = 'POST /containers/{id}/stop';

test.each([
  [{ endpoint, area: 'containers' }, 'answers 204', `${endpoint} answers 204`],
  [{ endpoint, area: 'containers' }, 'what it answers to a body', `${endpoint}: what it answers to a body`],
  [{ endpoint, area: 'containers' }, 'an identifier is enough', `${endpoint}: an identifier is enough`],
  [
    { area: 'generated' },
    'a network keeps what it was created with',
    'generated: a network keeps what it was created with',
  ],
])('a rule in one line has a colon where its sentence begins anew: %j, %s', (of, says, line) => {
  expect(ruleLine(of, says)).toBe(line);
});

test('an interrupted run says so once', async () => {
  const of = (endReason: string) =>
    recordOfSample({ end: 'interrupted', endReason, missing: 2, verdictOf: () => 'pass' }).then(
      (record) => overall(record).says,
    );
  expect(await of('interrupted by the user')).toBe('The run was interrupted by the user: 2 verdicts missing.');
  expect(await of('--bail 1')).toBe('The run was interrupted: --bail 1; 2 verdicts missing.');
});

test('what makes a body where there should be none is not about texts', () => {
  expect(causesOf(rulebook['containers.stop.empty-body']).join()).toContain('where the handler returns nothing');
});
