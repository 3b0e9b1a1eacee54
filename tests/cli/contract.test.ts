import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { engineConformance } from './command.ts';

/** Runs `contract` with success and gives what it printed. */
async function contract(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await engineConformance(['contract', ...args]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A printed table without its last line. */
function rowsOf(table: string): string[] {
  return table.trimEnd().split('\n').slice(0, -1);
}

test('contract writes an OpenAPI document', async () => {
  const out = path.join(workplace, 'one');
  await contract('--api', '1.21', '--format', 'openapi', '--out', out);
  const { openapi, info } = JSON.parse(readFileSync(path.join(out, 'openapi.json'), 'utf8'));
  expect({ openapi, version: info.version }).toEqual({ openapi: '3.1.0', version: '1.21' });
});

test('contract writes one directory for each of several versions', async () => {
  const out = path.join(workplace, 'several');
  await contract('--format', 'openapi', '--out', out);
  expect(readdirSync(out).sort()).toEqual(['1.20', '1.21', '1.23']);
  expect(readdirSync(path.join(out, '1.23'))).toEqual(['openapi.json']);
});

test('contract writes pages to read, which are of all versions', async () => {
  const out = path.join(workplace, 'pages');
  await contract('--format', 'html', '--out', out);
  expect(readdirSync(out)).toContain('containers.stop.html');
  const { status, stderr } = await engineConformance(['contract', '--api', '1.23', '--format', 'html', '--out', out]);
  expect(status, stderr).toBe(2);
});

test('contract writes one file for each schema', async () => {
  const out = path.join(workplace, 'schemas');
  await contract('--api', '1.20', '--format', 'json-schema', '--out', out);
  const files = readdirSync(out);
  expect(files).toContain('ContainerInspect.json');
  expect(files).not.toContain('Volume.json');
  const { $schema, title } = JSON.parse(readFileSync(path.join(out, 'ContainerInspect.json'), 'utf8'));
  expect({ $schema, title }).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'ContainerInspect',
  });
});

test('contract writes the rules with all their data', async () => {
  const out = path.join(workplace, 'rules');
  await contract('--api', '1.20', '--format', 'rules', '--out', out);
  const { rules, interpretations } = JSON.parse(readFileSync(path.join(out, 'rules.json'), 'utf8'));
  expect(interpretations['newer-client']).toEqual({ place: expect.any(String), reading: expect.any(String) });
  const rule = rules.find(({ id }: { id: string }) => id === 'containers.inspect.field.HostConfig.LxcConf');
  expect(rule).toMatchObject({
    until: '1.21',
    apis: ['1.20', '1.21'],
    field: 'HostConfig.LxcConf',
    endpoint: 'GET /containers/{id}/json',
    source: { document: 1, section: 'HostConfig' },
  });
  expect(rule.rows).toContainEqual({ document: 1, section: 'HostConfig', key: 'LxcConf' });
});

test('contract writes the page of one version, or of all', async () => {
  const out = path.join(workplace, 'page');
  await contract('--api', '1.20', '--format', 'markdown', '--out', out);
  const page = readFileSync(path.join(out, 'rules.md'), 'utf8');
  expect(page).toMatch(/^# Rules of API 1\.20\n/);
  expect(page).not.toContain('`containers.list.field.State`');
  await contract('--format', 'markdown', '--out', out);
  expect(readFileSync(path.join(out, 'rules.md'), 'utf8')).toContain('`containers.list.field.State`');
});

test('contract --diff prints what two versions do not have in common, whichever comes first', async () => {
  const table = await contract('--diff', '1.20', '1.23');
  expect(table).toMatch(/^\+ +endpoint +GET \/volumes +volumes\.list /m);
  expect(table).toMatch(/^- +answer field +GET \/containers\/\{id\}\/json +ExecDriver/m);
  expect(table).toMatch(/^~ +status +POST \/auth +200 .*no body -> .*JSON/m);
  expect(table).toMatch(/^\+ +filter +GET \/containers\/json +filters: ancestor/m);
  expect(table).toMatch(/^\+ +parameter +POST \/build +shmsize/m);
  expect(table).toMatch(/^\+ +body field +POST \/containers\/create +NetworkingConfig/m);
  expect(table).not.toMatch(/NetworkingConfig\./);
  expect(table).toMatch(/^- +rule +.* containers\.create\.host-config\.lxc-conf/m);
  expect(table).toMatch(/\d+ differences between 1\.20 and 1\.23\n$/);
  const reversed = await contract('--diff', '1.23', '1.20');

  expect(rowsOf(reversed)).toEqual(rowsOf(table));
});

test('contract --figures counts the contract', async () => {
  const figures = await contract('--figures');
  expect(figures).toMatch(/^rules: \d{4}$/m);
  expect(figures).toMatch(/^endpoints: 58 /m);
});

test.each([
  [[], 'one of --format, --diff and --figures'],
  [['--format', 'openapi'], '--format needs --out'],
  [['--format', 'openapi', '--figures', '--out', 'x'], 'one of --format, --diff and --figures'],
  [['--diff', '1.20', '1.56'], '--diff takes two of the versions 1.20, 1.21, 1.23; carried: 1.24 to 1.55'],
])('contract %j is wrong usage', async (args, message) => {
  const { status, stderr } = await engineConformance(['contract', ...args]);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});
