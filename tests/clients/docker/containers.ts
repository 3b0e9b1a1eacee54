import { describe, expect, test } from 'vitest';
import type { Docker } from './command.ts';

/** Running containers, and what is told of them. */
export function containers(docker: Docker): void {
  const inspected = (format: string, name: string) => docker.ok('inspect --format', format, name);

  describe('containers', () => {
    test('run in the foreground: both streams and the exit code', async () => {
      const options = '--name front -e A=b --label x=y -h house -w /data -u 1000 -m 64m --tmpfs /scratch --read-only';
      const steps = 'env hostname cwd id err to\\x20stderr\\n exit 7';
      const { status, stdout, stderr } = await docker.run(`run --rm ${options} day/app:1 ${steps}`);
      expect({ status, stderr }).toEqual({ status: 7, stderr: 'to stderr\n' });
      for (const line of ['A=b', 'COLOUR=grey', 'house', '/data', 'uid=1000 gid=0 groups=0']) {
        expect(stdout.split('\n')).toContain(line);
      }
      expect((await docker.run('inspect front')).status).toBe(1);
    });

    test('run on a terminal', async () => {
      expect(await docker.run('run --rm -t day/app:1 tty')).toMatchObject({
        status: 0,
        stdout: 'tty=111\r\n',
      });
    });

    test('run what cannot be run', async () => {
      const missing = await docker.run('run --name wrong --entrypoint /nothing day/app:1');
      expect(missing).toMatchObject({ status: 127, stderr: expect.stringContaining('no such file or directory') });
      const image = await docker.run('run day/nothing');
      expect(image.status).toBe(125);
      expect(image.stderr).toContain("Unable to find image 'day/nothing:latest' locally");
      await docker.ok('rm wrong');
      expect(await docker.ok('ps -aq')).toBe('');
    });

    test('run in the background: ps, port, top, inspect', async () => {
      const id = await docker.ok(
        'run -d --name back -p 127.0.0.1:18080:80 --label role=back --restart on-failure:2 day/app:1 out',
        'up\\n',
        'forever',
      );
      expect(id).toMatch(/^[0-9a-f]{64}$/);
      const row = await docker.ok('ps --filter label=role=back --format', '{{.ID}} {{.Names}} {{.Ports}} {{.Status}}');
      expect(row).toMatch(new RegExp(`^${id.slice(0, 12)} back 127\\.0\\.0\\.1:18080->80/tcp Up `));
      expect(await docker.ok('port back')).toBe('80/tcp -> 127.0.0.1:18080');
      expect(await docker.ok('top back')).toMatch(/^UID +PID .*\nroot +\d+ .*\/probe/);
      expect(await inspected('{{.State.Running}} {{.HostConfig.RestartPolicy.Name}} {{.Name}}', 'back')).toBe(
        'true on-failure /back',
      );
      expect(await docker.ok('stats --no-stream --format', '{{.Container}} {{.PIDs}}', 'back')).toBe('back 1');
    });

    test('rename, update, pause, unpause', async () => {
      await docker.ok('rename back renamed');
      await docker.ok('update -m 96m --restart no renamed');
      expect(await inspected('{{.HostConfig.Memory}} {{.HostConfig.RestartPolicy.Name}}', 'renamed')).toBe(
        '100663296 no',
      );
      await docker.ok('pause renamed');
      expect(await docker.ok('ps --filter status=paused --format {{.Status}}')).toMatch(/^Up .*\(Paused\)$/);
      await docker.ok('unpause renamed');
      expect(await inspected('{{.State.Paused}}', 'renamed')).toBe('false');
    });

    test('stop, start, restart, kill, wait', async () => {
      expect(await docker.ok('stop -t 5 renamed')).toBe('renamed');
      expect(await inspected('{{.State.Running}} {{.State.ExitCode}}', 'renamed')).toBe('false 143');
      expect(await docker.ok('start renamed')).toBe('renamed');
      expect(await docker.ok('restart -t 5 renamed')).toBe('renamed');
      const waiting = await docker.start('wait renamed');
      expect(await docker.ok('kill -s USR1 renamed')).toBe('renamed');
      expect(await waiting.ended).toMatchObject({ status: 0, stdout: '138\n' });
    });

    test('rm, and what it refuses', async () => {
      await docker.ok('start renamed');
      expect((await docker.run('rm renamed')).status).toBe(1);
      expect(await docker.ok('rm -f -v renamed')).toBe('renamed');
      expect(await docker.run('rm renamed')).toMatchObject({
        status: 1,
        stderr: 'Error: No such container: renamed\n',
      });
    });

    test('two of one name', async () => {
      await docker.ok('create --name one day/app:1');
      const second = await docker.run('create --name one day/app:1');
      expect(second).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Error response from daemon: .*one/) });
      await docker.ok('rm one');
    });
  });
}
