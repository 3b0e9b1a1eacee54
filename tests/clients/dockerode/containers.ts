import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type Dockerode from 'dockerode';
import { describe, expect, test } from 'vitest';
import { archive } from '../../../harness/probe/archive.ts';
import { untar } from '../../reference/archives.ts';
import { outputsOf } from './client.ts';

const input = { OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true, AttachStderr: true };
const allStreams = { stream: true, stdin: true, stdout: true, stderr: true };

/** Containers, what runs in them, and their streams and files. */
export function containers(api: () => Dockerode): void {
  const made = (name: string, Cmd: string[], more: Partial<Dockerode.ContainerCreateOptions> = {}) =>
    api().createContainer({ name, Image: 'day/app:1', Cmd, ...more });

  describe('containers', () => {
    test('run', async () => {
      const output = new PassThrough();
      const said = text(output);
      const [{ StatusCode }] = await api().run('day/app:1', ['out', 'hello\\n', 'exit', '3'], output, { name: 'ran' });
      output.end();
      expect({ StatusCode, said: await said }).toEqual({ StatusCode: 3, said: 'hello\r\n' });
      await api().getContainer('ran').remove();
    });

    test('a life: create, start, inspect, list, update, pause, rename, restart, stop, kill, wait, remove', async () => {
      const container = await made('life', ['forever'], {
        Labels: { a: 'b' },
        HostConfig: { Memory: 64 * 1024 * 1024 },
      });
      await container.start();
      await expect(container.start()).rejects.toMatchObject({ statusCode: 304 });
      expect(await container.inspect()).toMatchObject({
        Name: '/life',
        State: { Running: true },
        Config: { Labels: { a: 'b' } },
      });
      const [listed] = await api().listContainers({ filters: { label: ['a=b'] } });
      expect(listed).toMatchObject({ Id: container.id, Names: ['/life'], State: 'running' });
      await container.update({ Memory: 96 * 1024 * 1024 });
      expect((await container.inspect()).HostConfig.Memory).toBe(96 * 1024 * 1024);
      expect((await container.top()).Processes).toHaveLength(1);
      expect((await container.stats({ stream: false })).pids_stats?.current).toBe(1);
      await container.pause();
      expect((await container.inspect()).State.Paused).toBe(true);
      await container.unpause();
      await container.rename({ name: 'other-life' });
      await container.restart({ t: 5 });
      await container.stop({ t: 5 });
      expect((await container.inspect()).State.ExitCode).toBe(143);
      await container.start();
      const waiting = container.wait();
      await container.kill({ signal: 'USR1' });
      expect(await waiting).toEqual({ StatusCode: 138 });
      await container.remove({ v: true });
      await expect(container.inspect()).rejects.toMatchObject({ statusCode: 404, reason: 'no such container' });
    });

    test.each([true, false])('attach, with an upgrade: %s', async (hijack) => {
      const container = await made('attached', ['echo-line', 'err', 'and\\n', 'exit', '4'], input);
      const stream = await container.attach({ ...allStreams, hijack });
      const outputs = outputsOf(api(), stream);
      await container.start();
      stream.write('typed\n');
      expect(await container.wait()).toEqual({ StatusCode: 4 });
      expect(await outputs).toEqual({ stdout: 'typed\n', stderr: 'and\n' });
      await container.remove();
    });

    test('a terminal: attach, and a size that holds from the next start', async () => {
      const container = await made('terminal', ['winsize', 'echo-line'], { ...input, Tty: true });
      const stream = await container.attach({ ...allStreams, hijack: true });
      await container.start();
      await container.resize({ h: 30, w: 100 });
      stream.write('typed\n');
      expect(await text(stream)).toBe('0 0\r\ntyped\r\ntyped\r\n');
      await container.start();
      await expect.poll(async () => String(await container.logs({ stdout: true }))).toContain('30 100\r\n');
      await container.remove({ force: true });
    });

    test.each([true, false])('exec with input, with an upgrade: %s', async (hijack) => {
      const container = await made('host', ['forever']);
      await container.start();
      const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true };
      const exec = await container.exec({ Cmd: ['/probe', 'echo-line', 'err', 'and\\n', 'exit', '5'], ...streams });
      const stream = await exec.start({ hijack, stdin: true });
      stream.write('typed\n');
      expect(await outputsOf(api(), stream)).toEqual({ stdout: 'typed\n', stderr: 'and\n' });
      expect(await exec.inspect()).toMatchObject({ Running: false, ExitCode: 5 });
      await container.remove({ force: true });
    });

    test('logs, as a whole and followed', async () => {
      const container = await made('teller', ['out', 'one\\n', 'err', 'two\\n', 'echo', 'out', 'three\\n'], input);
      await container.start();
      const followed = await container.logs({ stdout: true, stderr: true, follow: true });
      const outputs = outputsOf(api(), followed);
      const stream = await container.attach({ stream: true, stdin: true, hijack: true });
      stream.end();
      expect(await outputs).toEqual({ stdout: 'one\nthree\n', stderr: 'two\n' });
      const whole = await container.logs({ stdout: true, stderr: false, tail: 1, timestamps: true });
      expect(whole.toString('latin1', 8)).toMatch(/^\d{4}-\S+Z three\n$/);
      await container.remove();
    });

    test('archives in and out, changes, export', async () => {
      const container = await made('shelf', ['forever']);
      const tar = await archive([{ name: 'leaf', mode: 0o600, content: Buffer.from('green') }], new Date());
      await container.putArchive(tar, { path: '/data' });
      await container.putArchive(Readable.from([tar]), { path: '/' });
      const back = await untar(await buffer(await container.getArchive({ path: '/data/leaf' })));
      expect(back.map(({ name, data }) => [name, data.toString()])).toEqual([['leaf', 'green']]);
      const { headers }: { headers: Record<string, string> } = await container.infoArchive({ path: '/data/leaf' });
      const stat: unknown = JSON.parse(Buffer.from(headers['x-docker-container-path-stat'] ?? '', 'base64').toString());
      expect(stat).toMatchObject({ name: 'leaf', size: 5 });
      expect(await container.changes()).toContainEqual({ Path: '/data/leaf', Kind: 1 });
      const exported = await untar(await buffer(await container.export()));
      expect(exported.map(({ name }) => name)).toContain('leaf');
      await container.remove();
    });
  });
}
