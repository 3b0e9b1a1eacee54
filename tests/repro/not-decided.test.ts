import { expect, test } from 'vitest';
import { scriptsOf } from '../../reports/repro/files.ts';
import { recordOfSample } from '../reports/sample-record.ts';

test.each(['the target is gone: connect ECONNREFUSED', 'the run ended before this check'])(
  'there is no script of a rule that was not decided, as %s',
  async (reason) => {
    const record = await recordOfSample();
    const { make } = await scriptsOf(record);
    const [failed] = record.results.filter(({ verdict }) => verdict === 'fail');
    if (!failed) throw new Error('nothing failed in the sample run');
    expect(make(failed)).toHaveProperty('script');
    expect(make({ ...failed, verdict: 'blocked', reason })).toEqual({
      reason: `nothing deviated, as the rule was not decided: ${reason}`,
    });
  },
);
