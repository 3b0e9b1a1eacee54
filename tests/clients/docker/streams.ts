import { describe, expect, test } from 'vitest';
import type { Docker, RunningCommand } from './command.ts';

/** Settles once a command that goes on has written this. */
function written({ child }: RunningCommand, text: string): Promise<void> {
  let seen = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(text)) resolve();
    });
    child.once('close', () => reject(new Error(`the command ended without ${JSON.stringify(text)}`)));
  });
}

/** Standard streams: attach, exec, logs. */
export function streams(docker: Docker): void {
  describe('streams', () => {
    test('run -i: standard input until its end', async () => {
      const { status, stdout } = await docker.runWith('typed\n', 'run -i --rm day/app:1 echo exit 3');
      expect({ status, stdout }).toEqual({ status: 3, stdout: 'typed\n' });
    });

    test('attach: input, output and exit code of a container that runs already', async () => {
      await docker.ok('create -i --name attached day/app:1 echo-line echo exit 4');
      await docker.ok('start attached');
      const attached = await docker.start('attach attached');
      attached.child.stdin.write('first\n');
      await written(attached, 'first\n');
      attached.child.stdin.end('second\n');
      expect(await attached.ended).toMatchObject({ status: 4, stdout: 'first\nsecond\n' });
      const again = await docker.runWith('third\nfourth\n', 'start -a -i attached');
      expect(again).toMatchObject({ status: 4, stdout: 'third\nfourth\n' });
      await docker.ok('rm attached');
    });

    test('exec: output, input, exit code, environment and user; in the background; what is not there', async () => {
      await docker.ok('run -d --name host day/app:1 forever');
      const both = await docker.run('exec host /probe out', 'o\\n', 'err', 'e\\n', 'exit', '5');
      expect(both).toEqual({ status: 5, stdout: 'o\n', stderr: 'e\n' });
      expect(await docker.runWith('in\n', 'exec -i host /probe echo')).toMatchObject({
        status: 0,
        stdout: 'in\n',
      });
      expect(await docker.ok('exec -u 1000:1000 host /probe id')).toMatch(/^uid=1000 gid=1000/);
      await docker.ok('exec -d host /probe write /data/left behind');
      await expect.poll(() => docker.run('exec host /probe read /data/left')).toMatchObject({ stdout: 'behind' });
      expect((await docker.run('exec host /nothing')).status).toBe(127);
      expect(await docker.run('exec nobody /probe')).toMatchObject({
        status: 1,
        stderr: 'Error: No such container: nobody\n',
      });
      await docker.ok('rm -f host');
    });

    test('logs: all, the tail, with timestamps, since a time, and followed to the end', async () => {
      const steps = ['out', 'one\\n', 'err', 'two\\n', 'echo-line', 'out', 'three\\n'];
      await docker.ok('create -i --name teller day/app:1', ...steps);
      await docker.ok('start teller');
      const followed = await docker.start('logs -f teller');
      await written(followed, 'one\n');
      expect(await docker.run('logs --tail 1 teller')).toMatchObject({
        status: 0,
        stdout: '',
        stderr: 'two\n',
      });
      await docker.runWith('typed\n', 'attach teller');
      expect(await followed.ended).toMatchObject({ status: 0, stdout: 'one\ntyped\nthree\n', stderr: 'two\n' });
      const stamped = await docker.ok('logs --timestamps teller');
      expect(stamped).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z one\n\S+Z typed\n\S+Z three$/);
      expect(await docker.ok('logs --since 2h teller')).toBe('one\ntyped\nthree');
      await docker.ok('rm teller');
    });
  });
}
