import { expect, test } from 'vitest';
import { standsOut, told, whatStandsOut } from './stands-out.ts';

const result = { api: '1.23', level: 'must', reason: '' };

test('what fails, is blocked, or has an entry in vain stands out, each rule once', () => {
  const report = {
    end: 'complete',
    left: [],
    results: [
      { ...result, rule: 'system.ping.answers-200', verdict: 'pass' },
      { ...result, rule: 'system.ping.body', verdict: 'fail' },
      { ...result, rule: 'system.ping.body', api: '1.21', verdict: 'fail' },
      { ...result, rule: 'system.version.answers-200', verdict: 'waived' },
      { ...result, rule: 'images.build.rm-spellings', verdict: 'blocked' },
      { ...result, rule: 'service.transitions', level: 'observe', verdict: 'blocked' },
    ],
  };
  const output = [
    'Deviates: 1 rule is not kept. 2 s.',
    'baselines/some.yaml:7: containers.stop.answers-204 is now kept in API 1.23: remove the entry',
    'baselines/others.yaml:7: containers.start.answers-204 is now kept in API 1.23: remove the entry',
  ].join('\n');
  expect(standsOut(report, output, 'baselines/some.yaml')).toEqual([
    'system.ping.body',
    'images.build.rm-spellings',
    'containers.stop.answers-204',
  ]);
});

test('of what a run wrote, its progress is left out', () => {
  const output =
    '4 verdicts in API 1.23\n1 of 4 verdicts, 1 waived, 5 s\n■ blocked system.ping.body [1.23]\nDeviates: 1 rule.\n';
  expect(told(output)).toBe('4 verdicts in API 1.23\n■ blocked system.ping.body [1.23]\nDeviates: 1 rule.\n');
});

test('what stands out comes before what the run wrote', () => {
  const failed = { ...result, rule: 'system.ping.body', reason: 'expected OK, actual KO', verdict: 'fail' };
  const report = {
    end: 'complete',
    left: [],
    results: [{ ...failed, rule: 'system.info.ID', verdict: 'pass' }, failed],
  };
  const stale = 'baselines/some.yaml:7: containers.stop.answers-204 is now kept in API 1.23: remove the entry';
  expect(whatStandsOut(report, `Deviates: 1 rule.\n${stale}`, 'baselines/some.yaml').split('\n')).toEqual([
    'fail system.ping.body [1.23] expected OK, actual KO',
    stale,
    'Deviates: 1 rule.',
    stale,
  ]);
});
