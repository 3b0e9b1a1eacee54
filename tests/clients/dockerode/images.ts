import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type Dockerode from 'dockerode';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Registry } from '../../../harness/registry/registry.ts';
import { contextFiles } from '../build-context.ts';
import { progressOf } from './client.ts';

/** Images, and registries. @param context directory of the build context */
export function images(api: () => Dockerode, context: () => string): void {
  describe('images', () => {
    test('build, inspect, history, list', async () => {
      const source = { context: context(), src: ['Dockerfile', ...contextFiles] };
      const stream = await api().buildImage(source, {
        t: 'day/built:1',
        buildargs: { COLOUR: 'red' },
        labels: { by: 'day' },
      });
      expect(await progressOf(api(), stream)).toContainEqual({ stream: expect.stringMatching(/^Successfully built /) });
      const image = api().getImage('day/built:1');
      const { Id, Config } = await image.inspect();
      expect(Config).toMatchObject({ Env: ['COLOUR=red'], Labels: { by: 'day', stage: 'day' } });
      expect((await image.history())[0]).toMatchObject({ Id, Tags: ['day/built:1'] });
      expect(await api().listImages({ filters: { label: ['by=day'] } })).toMatchObject([
        { Id, RepoTags: ['day/built:1'] },
      ]);
      await image.remove();
    });

    test('a build that fails', async () => {
      const stream = await api().buildImage({ context: context(), src: ['Dockerfile'] }, { t: 'day/failed' });
      await expect(progressOf(api(), stream)).rejects.toThrow('probe is not in the context');
    });

    test('tag, save, remove, load', async () => {
      await api().getImage('day/app:1').tag({ repo: 'day/kept', tag: '2' });
      const image = api().getImage('day/kept:2');
      const tar = await buffer(await image.get());
      expect(await image.remove()).toEqual([{ Untagged: expect.stringMatching(/^sha256:/) }]);
      await expect(image.inspect()).rejects.toMatchObject({ statusCode: 404, reason: 'no such image' });
      const loaded = await progressOf(api(), await api().loadImage(Readable.from([tar])));
      expect(loaded).toContainEqual({ stream: 'Loaded image: day/kept:2\n' });
      await image.remove();
    });

    test('commit and import', async () => {
      const container = await api().createContainer({ name: 'base', Image: 'day/app:1', Cmd: ['out', 'x\\n'] });
      await container.commit({ repo: 'day/committed', comment: 'of a container', changes: 'ENV TIME=noon' });
      const committed = api().getImage('day/committed');
      expect(await committed.inspect()).toMatchObject({
        Comment: 'of a container',
        Config: { Env: ['COLOUR=grey', 'TIME=noon'] },
      });
      const tree = await container.export();
      await progressOf(api(), await api().importImage(tree, { repo: 'day/imported', changes: 'CMD ["/probe"]' }));
      const imported = api().getImage('day/imported');
      expect((await imported.inspect()).Config.Cmd).toEqual(['/probe']);
      await Promise.all([container.remove(), committed.remove(), imported.remove()]);
    });
  });

  describe('a registry', () => {
    let registry: Registry;
    beforeAll(async () => {
      registry = await Registry.start({ access: 'bearer' });
    });
    afterAll(() => registry?.close());

    test('checkAuth, push, pull', async () => {
      const { username, password } = registry.access.user;
      const authconfig = { username, password, serveraddress: registry.host };
      expect(await api().checkAuth(authconfig)).toMatchObject({ Status: 'Login Succeeded' });
      await expect(api().checkAuth({ ...authconfig, password: 'wrong' })).rejects.toMatchObject({ statusCode: 500 });
      const name = `${registry.host}/day/app`;
      await api().getImage('day/app:1').tag({ repo: name, tag: '1' });
      const image = api().getImage(`${name}:1`);
      await expect(image.push({ tag: '1' }).then((stream) => progressOf(api(), stream))).rejects.toThrow();
      await progressOf(api(), await api().getImage(name).push({ tag: '1', authconfig }));
      await image.remove();
      await progressOf(api(), await api().pull(`${name}:1`, { authconfig }));
      expect((await image.inspect()).RepoTags).toContain(`${name}:1`);
      await image.remove();
    });

    test('searchImages', async () => {
      const found = { name: 'day/found', description: '', is_official: false, is_automated: false, star_count: 3 };
      const index = await Registry.start({ index: [found] });
      try {
        const images = await api().searchImages({ term: `${index.host}/found` });
        expect(images).toMatchObject([{ star_count: 3 }]);
      } finally {
        await index.close();
      }
    });
  });
}
