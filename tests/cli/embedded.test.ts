import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { engineConformance, start } from './command.ts';
import { validReport } from './report.ts';

const pings = ['--only', 'system.ping.*'];

test('without a target the embedded reference engine is judged', async () => {
  const { status, stdout } = await engineConformance(['run', ...pings, '--report', 'embedded']);
  expect(stdout).toMatch(/^system +1\.23 +3 +0 +0 +0 +1 +0 +0$/m);
  expect(status).toBe(0);
  expect(validReport('embedded').options).toMatchObject({ embedded: true });
  // Its address is gone after the run, so the command that judges a rule again names none.
  const page = readFileSync(path.join(workplace, 'embedded', 'index.html'), 'utf8');
  expect(page).toContain('"again":[]');
});

test.each(['engine', 'docker'])('serve: the reference engine in the dialect %s, until Ctrl-C', async (dialect) => {
  const socketPath = path.join(workplace, `${dialect}.sock`);
  const address = `unix://${socketPath}`;
  const { child, ended } = start(['serve', '--listen', address, '--dialect', dialect]);
  await expect.poll(() => existsSync(socketPath), { timeout: 10_000 }).toBe(true);
  const { status, stdout } = await engineConformance(['run', '--target', address, ...pings]);
  expect(stdout).toContain(`dialect ${dialect},`);
  expect(status).toBe(0);
  child.kill('SIGINT');
  const served = await ended;
  expect(served.stdout).toBe(`the reference engine listens on ${address}; press Ctrl-C to end\n`);
  expect(served.status).toBe(0);
});

test('serve: a socket that a killed process left is replaced, and one in use is not', async () => {
  const address = `unix://${path.join(workplace, 'left.sock')}`;
  const serve = () => start(['serve', '--listen', address]);
  const isUp = ({ child }: ReturnType<typeof serve>) => new Promise((resolve) => child.stdout?.once('data', resolve));
  const killed = serve();
  await isUp(killed);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const next = serve();
  await isUp(next);
  const other = await engineConformance(['serve', '--listen', address]);
  expect(other.stderr).toMatch(/^error: .*left\.sock is in use: something is listening there/);
  expect(other.status).toBe(2);
  next.child.kill('SIGINT');
  expect((await next.ended).status).toBe(0);
});

test('serve: an address where no one can listen', async () => {
  const address = 'unix:///proc/no-such-place/engine.sock';
  const { status, stderr } = await engineConformance(['serve', '--listen', address]);
  expect(stderr).toMatch(/^error: cannot listen on unix:\/\/\/proc\/.*choose another address with --listen\n$/);
  expect(status).toBe(2);
});

test('prove ends with the share of rules that are proven, and with the number of false alarms', async () => {
  const { status, stdout } = await engineConformance([
    'prove',
    '--only',
    'images.tag.*er-400',
    '--only',
    'images.tag.answers-201',
  ]);
  expect(stdout).toContain('not proven: images.tag.bad-parameter-400\n');
  expect(stdout).toMatch(/\nproven 1 of 2 rules \(50 %\)\nsound under \d+ latitudes: 0 false alarms\n$/);
  expect(status).toBe(0);
});
