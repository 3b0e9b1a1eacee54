import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

const rule = 'containers.top.ps_args';

/** Has a ps that shows these columns, whatever it is asked for. */
function showsAlways(...titles: readonly string[]): void {
  around('GET /containers/{id}/top', async (call) => {
    call.answer(200, { Titles: titles, Processes: [titles.map(() => '1')] });
  });
}

test('a host may have a ps that knows few columns and no options', async () => {
  showsAlways('PID', 'USER', 'TIME', 'COMMAND');
  expect((await resultsOf([rule], '1.23')).get(rule)).toMatchObject({ verdict: 'fail', level: 'should' });
});

test('one that knows the columns of ps -ef knows its options', async () => {
  showsAlways('UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD');
  expect((await resultsOf([rule], '1.23')).get(rule)).toMatchObject({ verdict: 'fail', level: 'must' });
});
