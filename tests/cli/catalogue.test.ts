import { expect, test } from 'vitest';
import { apiVersions } from '../../specs/versions.ts';
import { engineConformance } from './command.ts';

interface Listed {
  rules: {
    id: string;
    says: string;
    level: string;
    apis: string[];
    source: string;
    checked: boolean;
    faults: string[];
  }[];
}

async function listed(...args: string[]): Promise<Listed['rules']> {
  const { status, stdout, stderr } = await engineConformance(['list', '--format', 'json', ...args]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { rules }: Listed = JSON.parse(stdout);
  return rules;
}

test('list prints rules as JSON', async () => {
  const rules = await listed('--only', 'system.ping.body-OK');
  expect(rules).toHaveLength(1);
  expect(rules[0]).toMatchObject({
    id: 'system.ping.body-OK',
    level: 'must',
    apis: [...apiVersions],
    source: expect.stringMatching(/^Document \d, /),
    checked: true,
    faults: [expect.any(String)],
  });
});

test('list takes several patterns, with * for any characters', async () => {
  const ids = (await listed('--only', 'system.ping.*', '--only', 'system.*.answers-200')).map(({ id }) => id);
  expect(ids).toContain('system.ping.body-OK');
  expect(ids).toContain('system.version.answers-200');
  expect(new Set(ids).size).toBe(ids.length);
});

test('list leaves out rules that do not hold in the versions asked for', async () => {
  const inNewest = await listed('--api', '1.23', '--only', 'containers.list.*');
  const inOldest = await listed('--api', '1.20', '--only', 'containers.list.*');
  expect(inNewest.map(({ id }) => id)).toContain('containers.list.field.State');
  expect(inOldest.map(({ id }) => id)).not.toContain('containers.list.field.State');
});

test('list --untested has only rules without a check', async () => {
  const rules = await listed('--untested');
  expect(rules.map(({ id }) => id)).toContain('images.tag.bad-parameter-400');
  expect(rules.filter(({ checked }) => checked)).toEqual([]);
});

test('list prints text, and takes a reader that goes away', async () => {
  const { status, stdout } = await engineConformance(['list', '--only', 'system.ping.*']);
  expect(status).toBe(0);
  expect(stdout).toContain('system.ping.body-OK  1.20, 1.21, 1.23; carried: 1.24 to 1.55, must\n  GET /_ping ');
  expect(stdout).toMatch(/\d+ rules, 0 of them without a check\n$/);
});

test('explain tells sentence, source, versions and the faults that prove the check', async () => {
  const [rule] = await listed('--only', 'system.ping.body-OK');
  const { status, stdout } = await engineConformance(['explain', 'system.ping.body-OK']);
  expect(status).toBe(0);
  expect(stdout).toContain(`GET /_ping ${rule?.says}\n`);
  expect(stdout).toMatch(/^source: +Document \d, /m);
  expect(stdout).toMatch(/^versions: +1\.20, 1\.21, 1\.23; carried: 1\.24 to 1\.55$/m);
  expect(stdout).toMatch(new RegExp(`^proven by: +${rule?.faults[0]}$`, 'm'));
});

test('explain tells how a loose place is read', async () => {
  const { stdout } = await engineConformance(['explain', 'containers.list.status-exited']);
  expect(stdout).toMatch(/^interpretation: +status-text: /m);
  expect(stdout).toMatch(/^ +reading: /m);
});

test('explain tells why a rule has no check', async () => {
  const { stdout } = await engineConformance(['explain', 'images.tag.bad-parameter-400']);
  expect(stdout).toMatch(/^check: +untested: no value of its parameters/m);
});
