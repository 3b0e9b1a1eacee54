import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBaseline } from '../../harness/baseline/baseline.ts';
import { fingerprintOf } from '../../harness/baseline/fingerprint.ts';
import type { Result } from '../../harness/events.ts';
import { workplace } from '../workplace.ts';
import { engineConformance } from './command.ts';
import { rightPing, smallEngine, wrongPing } from './small-engine.ts';

const run = ['run', '--only', 'system.ping.*'];

function baselineOf(name: string, ...entries: object[]): string {
  const file = path.join(workplace, `${name}.yaml`);
  writeFileSync(file, entries.map((entry) => `- ${JSON.stringify(entry)}\n`).join(''));
  return file;
}

const known = { rule: 'system.ping.body-OK', does: 'answers another text', reason: 'older than the contract' };

test('a known deviation is waived, with its reason, and the status is 0', async () => {
  const { address } = await smallEngine(wrongPing);
  const args = [
    ...run,
    '--target',
    address,
    '--baseline',
    baselineOf('known', { ...known, kind: 'intended' }),
    '--format',
    'ndjson',
  ];
  const { status, stdout, stderr } = await engineConformance(args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const waived = stdout
    .split('\n')
    .filter((line) => line.includes('"waived"'))
    .map((line) => JSON.parse(line).result);
  expect(waived.map(({ api }) => api).toSorted()).toEqual(['1.20', '1.21', '1.23']);
  expect(waived[0].reason).toBe('answers another text (older than the contract)');
  expect(waived[0].knownAs).toBe('intended');
});

test('an entry for one version leaves the others failing', async () => {
  const { address } = await smallEngine(wrongPing);
  const baseline = baselineOf('one-version', { ...known, apis: ['1.21'] });
  const { status, stdout } = await engineConformance([...run, '--target', address, '--baseline', baseline]);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^system +1\.20 +2 +1 .* 0$/m);
  expect(stdout).toMatch(/^system +1\.21 +2 +0 .* 1$/m);
});

test('an entry whose rule is kept now: status 1, and what to do', async () => {
  const { address } = await smallEngine(rightPing);
  const baseline = baselineOf('stale', known);
  const { status, stderr } = await engineConformance([...run, '--target', address, '--baseline', baseline]);
  expect(stderr).toBe(`${baseline}:1: system.ping.body-OK is now kept in API 1.20, 1.21, 1.23: remove the entry\n`);
  expect(status).toBe(1);
});

test('a fingerprint excuses only the deviation it was taken of', async () => {
  const { address } = await smallEngine(wrongPing);
  const plain = await engineConformance([...run, '--target', address]);
  const [, fingerprint] = /fingerprint ([0-9a-f]{12})/.exec(plain.stdout) ?? [];
  const withIt = baselineOf('fingerprint', { ...known, fingerprint });
  expect((await engineConformance([...run, '--target', address, '--baseline', withIt])).status).toBe(0);

  const other = await smallEngine((answer) => answer.writeHead(200, { 'content-type': 'text/plain' }).end('no'));
  const { status, stderr } = await engineConformance([...run, '--target', other.address, '--baseline', withIt]);
  expect(status).toBe(1);
  expect(stderr).toContain('deviates differently from what the entry says');
});

test('an entry for a rule that was not chosen is left alone', async () => {
  const { address } = await smallEngine(rightPing);
  const baseline = baselineOf('not-chosen', { ...known, rule: 'system.version.answers-200' });
  const { status, stderr } = await engineConformance([...run, '--target', address, '--baseline', baseline]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('an entry for a failure does not excuse a blocked rule, nor the other way round', async () => {
  const { address } = await smallEngine((answer, count) => {
    // The status is wrong, on which what the body and its type are judged rests.
    if (count > 3) answer.writeHead(500).end();
    else rightPing(answer);
  });
  const status = { rule: 'system.ping.answers-200', does: 'answers 500', reason: 'x' };
  const blocked = ['system.ping.body-OK', 'system.ping.text-plain'].map((rule) => ({ ...known, rule }));
  const asFail = baselineOf('as-fail', status, ...blocked);
  const refused = await engineConformance([...run, '--target', address, '--baseline', asFail]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`${asFail}:2: system.ping.body-OK is now blocked`);
  const asBlocked = baselineOf('as-blocked', status, ...blocked.map((entry) => ({ ...entry, verdict: 'blocked' })));
  const accepted = await engineConformance([...run, '--target', address, '--baseline', asBlocked]);
  expect(accepted.stderr).toBe('');
  expect(accepted.status).toBe(0);
});

test('an entry with link, owner and a day to come excuses until that day', async () => {
  const { address } = await smallEngine(wrongPing);
  const more = { link: 'https://example.test/1', owner: 'somebody' };
  const until = (expires: string) => baselineOf(`until-${expires}`, { ...known, ...more, expires });
  const kept = await engineConformance([...run, '--target', address, '--baseline', until('2999-12-31')]);
  expect(kept).toMatchObject({ status: 0, stderr: '' });
  const over = until('2020-01-31');
  const { status, stderr } = await engineConformance([...run, '--target', address, '--baseline', over]);
  expect(stderr).toBe(
    `${over}:1: system.ping.body-OK expired on 2020-01-31: review the deviation, then renew or remove the entry\n`,
  );
  expect(status).toBe(1);
});

test('an entry for an intermittent deviation holds when the rule fails and when it passes', async () => {
  const [wrong, right] = [await smallEngine(wrongPing), await smallEngine(rightPing)];
  const baseline = baselineOf('intermittent', { ...known, intermittent: true });
  for (const { address } of [wrong, right]) {
    const { status, stderr } = await engineConformance([...run, '--target', address, '--baseline', baseline]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
  await engineConformance([...run, '--target', right.address, '--baseline', baseline, '--update-baseline']);
  expect(readBaseline(baseline).entries).toHaveLength(1);
});

describe('--update-baseline', () => {
  const update = async (address: string, baseline: string) =>
    engineConformance([...run, '--target', address, '--baseline', baseline, '--update-baseline']);

  test('tells before the run that there is no directory to write it to', async () => {
    let asked = 0;
    const { address } = await smallEngine((answer) => {
      asked++;
      rightPing(answer);
    });
    const { status, stderr } = await update(address, path.join(workplace, 'nowhere', 'new.yaml'));
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: cannot write .*new\.yaml: there is no directory .*nowhere; make it first\n$/);
    expect(asked).toBe(0);
  });

  test('writes a new baseline, with which the next run ends well', async () => {
    const { address } = await smallEngine(wrongPing);
    const file = path.join(workplace, 'new.yaml');
    const { status, stderr } = await update(address, file);
    expect(stderr).toBe(`${file}: entries 1 added, 0 removed, 0 narrowed; write a reason for each new entry\n`);
    expect(status).toBe(0);
    expect(readBaseline(file).entries).toMatchObject([
      {
        rule: 'system.ping.body-OK',
        apis: ['1.20', '1.21', '1.23'],
        reason: 'not reviewed yet',
        fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      },
    ]);
    const again = await engineConformance([...run, '--target', address, '--baseline', file]);
    expect(again).toMatchObject({
      status: 0,
      stderr: `${file}:4: system.ping.body-OK is not reviewed yet: write its reason\n`,
    });
  });

  test('writes one without entries too, which the next run can read', async () => {
    const { address } = await smallEngine(rightPing);
    const file = path.join(workplace, 'empty.yaml');
    expect((await update(address, file)).stderr).toBe(`${file}: entries 0 added, 0 removed, 0 narrowed\n`);
    expect(readFileSync(file, 'utf8')).toMatch(/^# Known deviations\..*\n\n?\[\]\n$/);
    const again = await engineConformance([...run, '--target', address, '--baseline', file]);
    expect(again).toMatchObject({ status: 0, stderr: '' });
    const wrong = await smallEngine(wrongPing);
    await update(wrong.address, file);
    expect(readBaseline(file).entries).toHaveLength(1);
  });

  test('keeps the comments of a file without entries', async () => {
    const file = path.join(workplace, 'comments.yaml');
    writeFileSync(file, '# Of the release in May.\n# Kept by the storage team.\n');
    const { address } = await smallEngine(wrongPing);
    await update(address, file);
    expect(readFileSync(file, 'utf8')).toMatch(/^# Of the release in May\.\n# Kept by the storage team\.\n+- rule: /);
    expect(readBaseline(file).entries).toHaveLength(1);
  });

  test('keeps comments and what was not judged, narrows, removes and adds', async () => {
    const file = path.join(workplace, 'kept.yaml');
    const other = '# of another area\n- rule: system.version.answers-200\n  does: "x"\n  reason: y # why\n';
    const entry = '\n# an old one\n- rule: system.ping.answers-200\n  does: answers 500\n  reason: z\n';
    const partly = '\n- rule: system.ping.body-OK\n  does: another text\n  reason: z\n';
    writeFileSync(file, other + entry + partly);
    // The first three pings identify the target; 1.20 is judged first.
    const { address } = await smallEngine((answer, _count, api) => (api === '1.21' ? wrongPing : rightPing)(answer));
    const { stderr } = await update(address, file);
    expect(stderr).toBe(`${file}: entries 0 added, 1 removed, 1 narrowed\n`);
    expect(readFileSync(file, 'utf8')).toBe(`${other}${partly}  apis: [ '1.21' ]\n`);
  });

  test('leaves a baseline that holds as it is, to the byte', async () => {
    const { address } = await smallEngine(wrongPing);
    const file = path.join(workplace, 'holds.yaml');
    const content = "# odd   spaces\n-   {rule: system.ping.body-OK,   does: 'x', reason: y}\n";
    writeFileSync(file, content);
    expect((await update(address, file)).stderr).toBe(`${file}: entries 0 added, 0 removed, 0 narrowed\n`);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test('needs a file to write', async () => {
    const { status, stderr } = await engineConformance([...run, '--update-baseline']);
    expect(stderr).toContain('--update-baseline needs --baseline');
    expect(status).toBe(2);
  });
});

test.each([
  ['no YAML', '- {rule: [', 'not valid YAML'],
  ['no list', 'rule: system.ping.body-OK', 'must be a list of entries'],
  ['an entry that is a text', '- system.ping.body-OK', ':1: an entry must be a map'],
  ['an unknown rule in its second entry', text({}) + text({ rule: 'system.ping.body-KO' }), ':2: there is no rule'],
  ['an unknown member', text({ resaon: 'x' }), "did you mean 'reason'?"],
  ['no reason', '- {rule: system.ping.body-OK, does: x}', 'reason must be a string'],
  ['a version without quotes', text({ apis: '[1.20]' }), 'in quotes'],
  ['a version without the rule', text({ rule: 'containers.list.field.State', apis: "['1.20']" }), 'does not exist in'],
  ['another verdict', text({ verdict: 'pass' }), 'fail (the default) or blocked'],
  ['another kind', text({ kind: 'wontfix' }), 'kind must be bug (to be fixed), intended'],
  ['a fingerprint that is none', text({ fingerprint: 'abc' }), '12 hex digits'],
  ['a link that is none', text({ link: 'ftp' }), 'link must be an http or https URL'],
  ['an intermittent that is no flag', text({ intermittent: 'often' }), 'intermittent must be true or false'],
  ['a day that is none', text({ expires: 'soon' }), 'expires must be a date'],
])('a baseline with %s is refused with file and line', (name, content, hint) => {
  const file = path.join(workplace, `${name}.yaml`);
  writeFileSync(file, content);
  expect(() => readBaseline(file)).toThrow(hint);
  expect(() => readBaseline(file)).toThrow(file);
});

test('an empty baseline has no entries', () => {
  expect(readBaseline(baselineOf('empty')).entries).toEqual([]);
});

function text(changed: Record<string, string>): string {
  const members = Object.entries({ ...known, ...changed }).map(([name, value]) => `${name}: ${value}`);
  return `- {${members.join(', ')}}\n`;
}

describe('a fingerprint', () => {
  const of = (actual: string, expected = 'status 204'): string =>
    fingerprintOf({ rule: 'a.b', expected, actual, reason: '' } as Result);

  test.each([
    ['ids', 'container 45fe1d0580613b2d is there', 'container 9a84c0aa1be2f00d is there'],
    ['times', 'at 2026-11-21T05:18:02.327041515Z', 'at 2027-01-02T00:00:00Z'],
    ['names of the run', '/ec-mwpyigahca3k-7x', '/ec-mwpyiibsfeg5-9x2'],
    [
      'names in a text that was cut behind them',
      `no ec-mwpyigahca3k-7x: ${'x'.repeat(200)}abc…`,
      `no ec-mwpyigahca3k-17x: ${'x'.repeat(200)}ab…`,
    ],
    ['durations and sizes', 'nothing for 1034 ms, then 17 bytes', 'nothing for 998 ms, then 5 bytes'],
    ['addresses', '172.17.0.2 02:42:ac:11:00:02', '172.17.0.13 02:42:ac:11:00:0d'],
    ['large numbers', 'pid 48211', 'pid 1234'],
  ])('is the same for other %s', (_what, one, another) => {
    expect(of(one)).toBe(of(another));
  });

  test.each([
    ['status', 'status 304', 'status 500'],
    ['exit code', 'exit code 137', 'exit code 143'],
    ['word', 'a string', 'null'],
    ['hexadecimal word', 'defaced', 'faded'],
  ])('is another one for another %s', (_what, one, another) => {
    expect(of(one)).not.toBe(of(another));
  });
});
