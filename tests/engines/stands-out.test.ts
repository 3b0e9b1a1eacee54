import { expect, test } from 'vitest';
import { standsOut } from './stands-out.ts';

const result = { api: '1.23', reason: '' };

test('what fails and what an entry says in vain stands out, each rule once', () => {
  const report = {
    end: 'complete',
    left: [],
    results: [
      { ...result, rule: 'system.ping.answers-200', verdict: 'pass' },
      { ...result, rule: 'system.ping.body', verdict: 'fail' },
      { ...result, rule: 'system.ping.body', api: '1.21', verdict: 'fail' },
      { ...result, rule: 'system.version.answers-200', verdict: 'waived' },
    ],
  };
  const output = [
    'Deviates: 1 rule is not kept. 2 s.',
    'baselines/some.yaml:7: containers.stop.answers-204 passes now: remove the entry, or narrow its apis, in API 1.23',
    'baselines/others.yaml:7: containers.start.answers-204 passes now: remove the entry, or narrow its apis, in API 1.23',
  ].join('\n');
  expect(standsOut(report, output, 'baselines/some.yaml')).toEqual(['system.ping.body', 'containers.stop.answers-204']);
});
