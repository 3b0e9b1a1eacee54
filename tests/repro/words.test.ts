import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { RecordedExchange } from '../../harness/events.ts';
import { Words } from '../../reports/repro/words.ts';

const was = '9376ced1958469507042d752db6000ba75c0dbe7c19617bfd69bff0eb2e99a92';
const is = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

function created(id: string): RecordedExchange {
  const body = (text: string) => ({ size: text.length, text, truncated: false });
  return {
    id: 'x1',
    madeFor: 'networks.list.filters-id',
    startedAt: '2026-01-02T03:04:05.000Z',
    durationMs: 1,
    request: { method: 'POST', path: '/v1.41/networks/create', headers: [], body: body('') },
    answer: { status: 201, headers: [], body: body(JSON.stringify({ Id: id })) },
    curl: 'curl -i http://localhost/v1.41/networks/create',
  };
}

test.each([
  ['the whole of it', `/networks/${was}`, `/networks/${is}`],
  ['its beginning', `/networks/${was.slice(0, 12)}/connect`, `/networks/${is.slice(0, 12)}/connect`],
  ['a part of it', `{"id":["${was.slice(20, 36)}"]}`, `{"id":["${is.slice(20, 36)}"]}`],
  ['the whole, encoded', `?filters=%7B%22id%22%3A%5B%22${was}%22%5D%7D`, `?filters=%7B%22id%22%3A%5B%22${is}%22%5D%7D`],
  ['its beginning, encoded', `?filters=%22${was.slice(0, 12)}%22`, `?filters=%22${is.slice(0, 12)}%22`],
  ['a part, encoded', `?filters=%22${was.slice(20, 36)}%22`, `?filters=%22${is.slice(20, 36)}%22`],
  ['after sha256:', `sha256:${was}`, `sha256:${is}`],
  ['nothing of it', '?filters=%22fedcba9876543210%22', '?filters=%22fedcba9876543210%22'],
])('a script that repeats an identifier sends that of its own: %s', (_, sent, expected) => {
  const words = new Words('z0z1z2z3z4z5');
  words.answered(1, created(was));
  const lines = [`text() { printf %s '${is}'; }`, ...words.carry(sent), `printf %s ${words.quote(sent)}`];
  expect(execFileSync('/bin/sh', ['-c', lines.join('\n')], { encoding: 'utf8' })).toBe(expected);
});
