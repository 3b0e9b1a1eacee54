import { describe, expect, test } from 'vitest';
import type { RecordedExchange } from '../../harness/events.ts';
import { Identifiers } from '../../reports/repro/identifiers.ts';
import { Words } from '../../reports/repro/words.ts';
import { launch } from '../launcher.ts';

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

/** What a script sends whose text was recorded, where the daemon gave one identifier then and another one now. */
async function repeated(then: string, now: string, sent: string): Promise<string> {
  const answer = created(then);
  const words = new Words('z0z1z2z3z4z5', new Identifiers([answer]));
  words.answered(1, answer);
  const lines = [`text() { printf %s '${now}'; }`, ...words.carry(sent), `printf %s ${words.quote(sent)}`];
  const { status, stdout } = await launch('/bin/sh', ['-c', lines.join('\n')]);
  expect(status).toBe(0);
  return stdout;
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
])('a script that repeats an identifier sends that of its own: %s', async (_, sent, expected) => {
  expect(await repeated(was, is, sent)).toBe(expected);
});

describe.each([
  ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '936da01f-9abd-4d9d-80c7-02af85c822a8'],
  ['GHIJKLMNOPQRSTUV'.repeat(4), 'VUTSRQPONMLKJIHG'.repeat(4)],
  ['0123456789abcdef-container', 'fedcba9876543210-container'],
])('an identifier that is not hexadecimal: %s', (then, now) => {
  test.each([
    ['the whole of it', `/containers/${then}/json`, `/containers/${now}/json`],
    ['its beginning', `/containers/${then.slice(0, 12)}/json`, `/containers/${now.slice(0, 12)}/json`],
    ['a part of it', `{"id":["${then.slice(4, 18)}"]}`, `{"id":["${now.slice(4, 18)}"]}`],
    [
      'the whole, encoded',
      `?filters=%7B%22id%22%3A%5B%22${then}%22%5D%7D`,
      `?filters=%7B%22id%22%3A%5B%22${now}%22%5D%7D`,
    ],
    ['its beginning, encoded', `?filters=%22${then.slice(0, 13)}%22`, `?filters=%22${now.slice(0, 13)}%22`],
    ['after a colon', `{"NetworkMode":"container:${then}"}`, `{"NetworkMode":"container:${now}"}`],
    ['nothing of it', '/containers/no-such-container', '/containers/no-such-container'],
  ])('is sent as that of the script: %s', async (_, sent, expected) => {
    expect(await repeated(then, now, sent)).toBe(expected);
  });
});

test('a short identifier is known as a whole only', async () => {
  expect(await repeated('c-0017', 'c-0023', '/containers/c-0017/json?name=c-00171&c-001')).toBe(
    '/containers/c-0023/json?name=c-00171&c-001',
  );
});
