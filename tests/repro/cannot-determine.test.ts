import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { judgedAgain } from '../../reports/repro/judged-again.ts';

const result: Result = {
  ...{ rule: 'system.ping.body-OK', api: '1.23', verdict: 'fail', level: 'must', kind: 'format', area: 'system' },
  ...{ reason: '', expected: '', actual: '', evidence: [], assertions: 1, durationMs: 1 },
};

function shell(script: string) {
  const { status, stderr } = spawnSync('/bin/sh', ['-c', `ENGINE_HOST=unix:///nowhere/x.sock\n${script}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ENGINE_CONFORMANCE_COMMAND: 'no-such-command --flag' },
  });
  return { status, stderr };
}

test('a script that needs the suite says so where it is missing', () => {
  expect(shell(`D=/nowhere\n${judgedAgain(result)}\njudge_again`)).toEqual({
    status: 2,
    stderr:
      'Cannot be determined: there is no command no-such-command, which judges the rule; install it, or name it with ENGINE_CONFORMANCE_COMMAND\n',
  });
});

test.each(['send 1 200 GET /_ping', 'begin 1 5 GET /events; finish 1 200 10 5'])(
  'a script says where the daemon cannot be reached: %s',
  (commands) => {
    const library = readFileSync(new URL('../../reports/repro/library.sh', import.meta.url), 'utf8');
    expect(shell(`${library}\n${commands}`)).toEqual({
      status: 2,
      stderr: 'Cannot be determined: ENGINE_HOST=unix:///nowhere/x.sock cannot be reached\n',
    });
  },
);
