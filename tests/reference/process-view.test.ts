import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;
let directory: string;

beforeAll(async () => {
  engine = await startEngine();
  directory = await mkdtemp(join(tmpdir(), 'bound-'));
});

afterAll(async () => {
  await engine.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs the steps and answers the exit code with what they wrote. */
async function ran(steps: readonly string[], more: object = {}): Promise<[code: unknown, text: string]> {
  const id = await engine.run(steps, { ...more, Tty: true });
  const code = await engine.wait(id);
  const { text } = await engine.send('GET', `/v1.23/containers/${id}/logs?stdout=1`);
  await engine.send('DELETE', `/v1.23/containers/${id}?force=1`);
  return [code, text.replaceAll('\r\n', '\n')];
}

describe('mounts', () => {
  it('are shown as the kernel shows them', async () => {
    const HostConfig = {
      Tmpfs: { '/ec-tmpfs': 'size=8m', '/more': 'ro,exec,size=1024,mode=700,uid=5', '/plain': '' },
      ShmSize: 33_554_432,
      Binds: ['shown:/vol', `${directory}:/bound:ro`],
    };
    const mounts = await engine.output(['read', '/proc/self/mounts'], { HostConfig });
    expect(mounts).toContain('tmpfs /ec-tmpfs tmpfs rw,nosuid,nodev,noexec,relatime,size=8192k 0 0\n');
    expect(mounts).toContain('tmpfs /more tmpfs ro,nosuid,nodev,relatime,size=4k,mode=700,uid=5 0 0\n');
    expect(mounts).toContain('tmpfs /plain tmpfs rw,nosuid,nodev,noexec,relatime 0 0\n');
    expect(mounts).toContain('shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=32768k 0 0\n');
    const info = await engine.output(['read', '/proc/self/mountinfo'], { HostConfig });
    expect(info).toMatch(/^\d+ \d+ 0:\d+ \/ \/ec-tmpfs rw,nosuid,nodev,noexec,relatime - tmpfs tmpfs rw,size=8192k$/m);
    expect(info).toMatch(/^\d+ \d+ 0:\d+ \/\S*\/shown\/_data \/vol rw,relatime - ext4 /m);
    expect(info).toContain(` ${directory} /bound ro,relatime - ext4 `);
    const refused = { Image: 'probe', HostConfig: { Tmpfs: { '/t': 'frob' } } };
    expect((await engine.send('POST', '/v1.23/containers/create', refused)).status).toBe(400);
    const fits = ['write', '/ec-tmpfs/a', 'x', 'try', 'write', '/more/a', 'x'];
    expect(await ran(fits, { HostConfig })).toEqual([0, 'error 30\n']);
    const small = { HostConfig: { Tmpfs: { '/t': 'size=4k' } } };
    const text = 'x'.repeat(3000);
    expect(await ran(['write', '/t/a', text, 'try', 'write', '/t/b', text], small)).toEqual([0, 'error 28\n']);
  });

  it('of host paths pass through to the machine', async () => {
    await writeFile(join(directory, 'file'), 'here');
    await symlink('file', join(directory, 'link'));
    const HostConfig = { Binds: [`${directory}:/b`, `${directory}:/r:ro`, `${directory}/file:/one`] };
    const steps = ['read', '/b/link', 'try', 'write', '/r/new', 'x', 'write', '/b/new', 'made', 'mkdir', '/b/sub'];
    const more = ['symlink', 'new', '/b/sym', 'append', '/one', '!', 'remove', '/b/link', 'list', '/r'];
    const [code, text] = await ran([...steps, ...more], { HostConfig });
    expect([code, text.split('\n').sort()]).toEqual([0, ['', 'file', 'hereerror 30', 'new', 'sub', 'sym']]);
    expect(await readFile(join(directory, 'sym'), 'utf8')).toBe('made');
    expect(await readFile(join(directory, 'file'), 'utf8')).toBe('here!');
    expect(await ran(['stat', '/b/file', 'remove', '/b/sub'], { HostConfig })).toEqual([
      0,
      expect.stringMatching(/^100644 /),
    ]);
    expect(await ran(['remove', '/b'], { HostConfig })).toEqual([125, 'probe: remove: error 16\n']);
  });

  it('of missing host paths make a directory where one can be', async () => {
    const made = { HostConfig: { Binds: [`${directory}/made:/b`] } };
    expect(await ran(['write', '/b/file', 'x'], made)).toEqual([0, '']);
    expect(await readFile(join(directory, 'made', 'file'), 'utf8')).toBe('x');
    const id = await engine.create([], { HostConfig: { Binds: [`${directory}/no/way:/b`] } });
    expect((await engine.send('POST', `/v1.23/containers/${id}/start`)).status).toBe(500);
    const { text } = await engine.send('GET', `/v1.23/containers/${id}/json`);
    expect(text).toContain('cannot bind');
  });

  it('and devices have the modes of the host', async () => {
    const device = (PathOnHost: string, PathInContainer: string) => ({ PathOnHost, PathInContainer });
    const Devices = [device('/dev/null', '/dev/ec'), device('/dev/zero', '/ec-zero')];
    const steps = ['stat', '/dev/ec', 'stat', '/ec-zero', 'stat', '/dev/urandom', 'stat', '/tmp'];
    const modes = '20666 0 0 0\n20666 0 0 0\n20666 0 0 0\n';
    expect(await ran(['mkdir', '/tmp', ...steps], { HostConfig: { Devices } })).toEqual([
      0,
      expect.stringContaining(modes),
    ]);
    const id = await engine.create([], { HostConfig: { Devices: [device('/dev/no-such', '/dev/x')] } });
    expect((await engine.send('POST', `/v1.23/containers/${id}/start`)).status).toBe(500);
  });
});

describe('the twin of the probe', () => {
  it.each([
    ['a code above 255', ['exit', '256'], 'exit'],
    ['no number', ['sleep', 'x'], 'sleep'],
    ['a number out of range after try', ['try', 'burn', '1073741825'], 'burn'],
    ['a port above 65535', ['connect', '127.0.0.1', '65536'], 'connect'],
    ['an address that is none', ['try', 'connect', '127.0.0.256', '1'], 'connect'],
    ['a signal above 64', ['ignore', '65'], 'ignore'],
    ['an unknown verb', ['try', 'frob'], 'frob'],
    ['a missing argument', ['write', '/x'], 'write'],
    ['nothing to try', ['try'], 'try'],
  ])('refuses %s when it gets there', async (_what, steps, verb) => {
    expect(await ran(['out', 'first ', ...steps])).toEqual([124, `first probe: usage: ${verb}\n`]);
  });

  it('keeps unknown escapes', async () => {
    expect(await ran(['out', 'a\\q\\x4g\\x41\\\\\\n'])).toEqual([0, 'a\\q\\x4gA\\\n']);
  });

  it('does not wait for the size of no terminal', async () => {
    const id = await engine.run(['wait-winsize', 'tty']);
    expect(await engine.wait(id)).toBe(0);
    expect((await engine.send('GET', `/v1.23/containers/${id}/logs?stdout=1`)).text).toContain('none\n');
  });

  it('writes unchanged output in raw mode', async () => {
    const id = await engine.run(['out', '1\\n', 'raw', 'out', '2\\n'], { Tty: true });
    await engine.wait(id);
    expect((await engine.send('GET', `/v1.23/containers/${id}/logs?stdout=1`)).text).toBe('1\r\n2\n');
  });

  it('follows no link in stat and exists', async () => {
    const steps = ['symlink', '/nowhere', '/link', 'exists', '/link', 'stat', '/link', 'try', 'read', '/link'];
    expect(await ran([...steps, 'mkdir', '/dir', 'stat', '/dir', 'exists', '/nowhere'])).toEqual([
      0,
      expect.stringMatching(/^yes\n120777 0 0 8\nerror 2\n40755 0 0 \d+\nno\n$/),
    ]);
  });

  it('enters only directories that its user may', async () => {
    const HostConfig = { Tmpfs: { '/closed': 'mode=700' } };
    const steps = ['try', 'list', '/closed', 'try', 'read', '/closed/file', 'try', 'exists', '/closed/file'];
    expect(await ran(steps, { HostConfig, User: '7' })).toEqual([0, 'error 13\nerror 13\nerror 13\n']);
    expect(await ran(['try', 'write', '/file', 'x', 'exists', '/probe/x'], { User: '7' })).toEqual([
      0,
      'error 13\nno\n',
    ]);
  });

  it('ignores, catches and keeps signals as the kernel does', async () => {
    const [, text] = await ran(['try', 'ignore', '9', 'ignore', '15', 'catch', 'read', '/proc/self/status']);
    expect(text).toMatch(/^error 22\n/);
    expect(text).toMatch(/^SigIgn:\t0{16}$/m);
    const id = await engine.run(['ignore', '10', 'catch', 'wait-signal', 'exit', '3']);
    await engine.send('POST', `/v1.23/containers/${id}/kill?signal=USR1`);
    expect(await engine.wait(id)).toBe(3);
    const [, start] = await ran(['read', '/proc/self/status']);
    expect(start).toMatch(/^SigIgn:\t0{12}1000$/m);
  });
});
