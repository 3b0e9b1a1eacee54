import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { workplace } from '../../workplace.ts';
import type { Docker } from './command.ts';

/** Volumes and networks. */
export function places(docker: Docker): void {
  describe('volumes', () => {
    test('create, ls, inspect, use by two containers, rm', async () => {
      expect(await docker.ok('volume create --label a=b box')).toBe('box');
      expect(await docker.ok('volume ls -q')).toBe('box');
      expect(await docker.ok('volume inspect -f', '{{.Driver}} {{.Labels.a}}', 'box')).toBe('local b');
      await docker.ok('run --name filler -v box:/inside day/app:1 write /inside/thing kept');
      expect(await docker.ok('run --rm -v box:/other:ro day/app:1 read /other/thing')).toBe('kept');
      expect(await docker.ok('run --rm --volumes-from filler day/app:1 read /inside/thing')).toBe('kept');
      expect(await docker.ok('volume ls -q --filter dangling=true')).toBe('');
      expect((await docker.run('volume rm box')).status).toBe(1);
      await docker.ok('rm filler');
      expect(await docker.ok('volume rm box')).toBe('box');
      expect(await docker.run('volume inspect box')).toMatchObject({
        status: 1,
        stderr: 'Error: No such volume: box\n',
      });
    });

    test('a directory of the host', async () => {
      writeFileSync(path.join(workplace, 'shared'), 'by the host');
      expect(await docker.ok('run --rm -v', `${workplace}:/host:ro`, 'day/app:1', 'read', '/host/shared')).toBe(
        'by the host',
      );
    });
  });

  describe('networks', () => {
    test('create, ls, inspect, run in one, connect, disconnect, rm', async () => {
      const id = await docker.ok('network create --subnet 10.77.0.0/24 --label n=1 street');
      expect(id).toMatch(/^[0-9a-f]{64}$/);
      expect(await docker.ok('network ls --filter name=street --format', '{{.Name}} {{.Driver}}')).toBe(
        'street bridge',
      );
      await docker.ok('run -d --name server --network street --network-alias shop day/app:1 listen 80');
      const address = await docker.ok('inspect -f {{.NetworkSettings.Networks.street.IPAddress}} server');
      expect(address).toMatch(/^10\.77\.0\.\d+$/);
      expect(await docker.ok('run --rm --network street day/app:1 connect', address, '80')).toBe('probe');
      await docker.ok('run -d --name guest day/app:1 forever');
      await docker.ok('network connect --ip 10.77.0.77 street guest');
      const guests = await docker.ok(
        'network inspect -f',
        '{{range .Containers}}{{.Name}} {{.IPv4Address}},{{end}}',
        'street',
      );
      expect(guests.split(',').toSorted()).toEqual(['', 'guest 10.77.0.77/24', `server ${address}/24`]);
      expect((await docker.run('network rm street')).status).toBe(1);
      await docker.ok('network disconnect street guest');
      await docker.ok('rm -f server guest');
      expect(await docker.ok('network rm street')).toBe('street');
      expect(await docker.ok('network ls --format {{.Name}}')).toBe('bridge\nhost\nnone');
    });

    test('what is refused', async () => {
      expect(await docker.run('network rm bridge')).toMatchObject({ status: 1 });
      expect(await docker.run('network inspect nowhere')).toMatchObject({
        status: 1,
        stderr: 'Error: No such network: nowhere\n',
      });
    });
  });
}
