import { expect, test } from 'vitest';
import { momentOf } from '../../suites/containers/support/logged-container.ts';

const moment = Date.UTC(2015, 11, 1, 12, 0, 0, 250);

test.each(['2015-12-01T12:00:00.25Z', '1448971200.25', '1448971200250', '1448971200250000', '1448971200250000000'])(
  'the time of a line in a log may be written as %s',
  (time) => {
    expect(momentOf(time)).toBeCloseTo(moment, 0);
  },
);

test.each(['early', '9'.repeat(400)])('%s is no time', (text) => {
  expect(momentOf(text)).toBeNaN();
});
