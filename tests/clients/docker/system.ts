import { describe, expect, test } from 'vitest';
import type { Docker } from './command.ts';

/** The engine as a whole, and events. */
export function system(docker: Docker): void {
  describe('system', () => {
    test('version and info', async () => {
      expect(await docker.ok('version --format', '{{.Client.APIVersion}} {{.Server.APIVersion}} {{.Server.Os}}')).toBe(
        '1.23 1.23 linux',
      );
      const { status, stdout } = await docker.run('info');
      expect(status).toBe(0);
      expect(stdout).toMatch(/^ Containers: \d+$/m);
      expect(stdout).toMatch(/^ Operating System: reference engine$/m);
      expect(stdout).toMatch(/^ {2}127\.0\.0\.0\/8$/m);
    });

    test('events: what was, filtered', async () => {
      await docker.run('run --rm --name eventful --label day=events day/app:1 exit 2');
      const until = `${Math.floor(Date.now() / 1000) + 1}`; // The client drops fractions of a second.
      const format = '{{.Type}} {{.Action}} {{.Actor.Attributes.exitCode}}';
      const before = ['--since', '1h', '--until', until, '--format', format];
      const all = await docker.ok('events', ...before, '--filter', 'label=day=events');
      expect(all.split('\n').map((line) => line.replace(' <no value>', ''))).toEqual([
        'container create',
        'container attach',
        'container start',
        'container die 2',
        'container destroy',
      ]);
      const deaths = await docker.ok('events', ...before, '--filter', 'container=eventful', '--filter', 'event=die');
      expect(deaths).toBe('container die 2');
    });

    test('events: as they come, until the client has had enough', async () => {
      const listening = await docker.start('events --filter type=volume --format', '{{.Action}} {{.Actor.ID}}');
      let heard = '';
      listening.child.stdout.on('data', (chunk: Buffer) => {
        heard += chunk.toString();
      });
      await expect
        .poll(async () => {
          await docker.ok('volume create noise');
          await docker.ok('volume rm noise');
          return heard;
        })
        .toContain('create noise\ndestroy noise\n');
      listening.child.kill('SIGINT');
      await listening.ended;
    });

    test.each(['system df', 'container prune', 'service ls', 'plugin ls'])(
      '%s: the client itself says that 1.23 has no such thing',
      async (name) => {
        const { status, stderr } = await docker.run(name);
        expect(stderr).toMatch(
          new RegExp(`^docker ${name} requires API version 1\\.\\d+, but the Docker daemon API version is 1\\.23\\n$`),
        );
        expect(status).toBe(1);
      },
    );
  });
}
