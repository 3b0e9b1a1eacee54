import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Registry } from '../../../harness/registry/registry.ts';
import { type DockerRegistry, startRegistry, user, whyNoRegistry } from '../../registry/docker-registry.ts';
import type { Docker } from './command.ts';

interface Account {
  readonly username: string;
  readonly password: string;
}

/** Registries: the suite's own, and Debian's. */
export function registries(docker: Docker): void {
  const comesBack = async (name: string) => {
    await docker.ok('tag day/app:1', name);
    const pushed = await docker.ok('push', name);
    const [, digest] = /: digest: (sha256:[0-9a-f]{64}) size: \d+$/m.exec(pushed) ?? [];
    expect(digest, pushed).toBeDefined();
    await docker.ok('rmi', name);
    await docker.ok('pull', name);
    expect(await docker.ok('image inspect -f {{.RepoDigests}}', name)).toContain(`@${digest}`);
    expect(await docker.ok('run --rm', name)).toBe('built');
    await docker.ok('rmi', name);
  };
  const loggedIn = ({ username, password }: Account, host: string) =>
    docker.runWith(`${password}\n`, 'login -u', username, '--password-stdin', host);

  describe("the suite's registry", () => {
    let open: Registry;
    let closed: Registry;
    beforeAll(async () => {
      const found = {
        name: 'day/found',
        description: 'a find',
        is_official: false,
        is_automated: false,
        star_count: 3,
      };
      [open, closed] = await Promise.all([Registry.start({ index: [found] }), Registry.start({ access: 'bearer' })]);
    });
    afterAll(() => Promise.all([open?.close(), closed?.close()]));

    test('push and pull', () => comesBack(`${open.host}/day/app:1`));

    test('run pulls what is missing', async () => {
      const name = `${open.host}/day/app:1`;
      const { status, stdout, stderr } = await docker.run('run --rm', name);
      expect({ status, stdout }).toEqual({ status: 0, stdout: 'built\n' });
      expect(stderr).toContain(`Unable to find image '${name}' locally`);
      await docker.ok('rmi', name);
    });

    test('search', async () => {
      const found = await docker.ok(
        'search --format',
        '{{.Name}} {{.Description}} {{.StarCount}}',
        `${open.host}/found`,
      );
      expect(found).toMatch(/day\/found a find 3$/);
    });

    test('login with a token server; push, pull, logout', async () => {
      const name = `${closed.host}/day/secret:1`;
      await docker.ok('tag day/app:1', name);
      expect((await docker.run('push', name)).status).toBe(1);
      expect((await loggedIn({ ...closed.access.user, password: 'wrong' }, closed.host)).status).toBe(1);
      expect(await loggedIn(closed.access.user, closed.host)).toMatchObject({ status: 0, stdout: 'Login Succeeded\n' });
      await comesBack(name);
      await docker.ok('logout', closed.host);
      expect((await docker.run('pull', name)).status).toBe(1);
    });
  });

  const missing = whyNoRegistry();
  const title = missing === undefined ? "Debian's docker-registry" : `Debian's docker-registry (skipped: ${missing})`;
  describe.skipIf(missing !== undefined)(title, () => {
    let registry: DockerRegistry;
    beforeAll(async () => {
      registry = await startRegistry({ withPassword: true });
    });
    afterAll(() => registry?.stop());

    test('login, push and pull', async () => {
      expect((await loggedIn(user, registry.host)).status).toBe(0);
      await comesBack(`${registry.host}/day/app:1`);
      await docker.ok('logout', registry.host);
    });
  });
}
