import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { untar } from '../../reference/archives.ts';
import { workplace } from '../../workplace.ts';
import type { Docker } from './command.ts';

/** Building, naming, keeping and removing images. @param context directory of the build context */
export function images(docker: Docker, context: () => string): void {
  describe('images', () => {
    test('build: with an argument and labels, then out of the cache', async () => {
      const built = await docker.ok('build -t day/built:1 --build-arg COLOUR=blue --label by=day', context());
      expect(built).toMatch(/^Step 1\/10 : FROM scratch$/m);
      expect(built).toMatch(/\nSuccessfully built [0-9a-f]{12}\nSuccessfully tagged day\/built:1$/);
      expect(await docker.ok('run --rm day/built:1 env')).toContain('COLOUR=blue');
      const again = await docker.ok('build -t day/built:2 --build-arg COLOUR=blue --label by=day', context());
      expect(again).toContain(' ---> Using cache');
      const id = await docker.ok('image inspect -f {{.Id}} day/built:1');
      expect(await docker.ok('build -q --build-arg COLOUR=blue --label by=day', context())).toBe(id);
      await docker.ok('rmi day/built:1 day/built:2');
    });

    test('build: from standard input, and one that fails', async () => {
      const good = await docker.runWith(
        'FROM day/app:1\nRUN ["/probe", "write", "/made", "x"]\n',
        'build -t day/small -',
      );
      expect(good).toMatchObject({ status: 0, stdout: expect.stringContaining(' ---> Running in ') });
      expect(await docker.ok('run --rm day/small read /made')).toBe('x');
      const bad = await docker.runWith('FROM day/app:1\nRUN ["/probe", "exit", "3"]\n', 'build --force-rm -');
      expect(bad).toMatchObject({ status: 3, stderr: expect.stringContaining('returned a non-zero code: 3') });
      await docker.ok('rmi day/small');
    });

    test('images, image inspect and history', async () => {
      const row = await docker.ok('images --format', '{{.Repository}} {{.Tag}} {{.ID}}', 'day/app');
      const [, id = ''] = /^day\/app 1 ([0-9a-f]{12})$/.exec(row) ?? [];
      expect(id).not.toBe('');
      const inspected = await docker.ok(
        'image inspect --format',
        '{{.Id}} {{.Os}} {{.Config.Labels.stage}}',
        'day/app:1',
      );
      expect(inspected).toMatch(new RegExp(`^sha256:${id}[0-9a-f]{52} linux day$`));
      const history = await docker.ok('history --no-trunc --format {{.CreatedBy}} day/app:1');
      expect(history.split('\n')).toEqual([
        'CMD ["out", "built\\\\n"]',
        'ENTRYPOINT ["/probe"]',
        'WORKDIR /work',
        'COPY notes /data',
        'COPY probe ps /',
        'ENV COLOUR=grey',
        'LABEL stage=day',
      ]);
      expect(await docker.ok('images -q --filter label=stage=night')).toBe('');
    });

    test('save, rmi, load: the names come back', async () => {
      await docker.ok('tag day/app:1 day/kept:1');
      const id = await docker.ok('images -q --no-trunc day/kept');
      await docker.ok('save -o kept.tar day/kept:1');
      expect(await docker.ok('rmi day/kept:1')).toContain('Untagged: ');
      expect(await docker.ok('images -q day/kept')).toBe('');
      expect(await docker.ok('load -i kept.tar')).toBe('Loaded image: day/kept:1');
      expect(await docker.ok('images -q --no-trunc day/kept')).toBe(id);
      expect(await docker.ok('run --rm day/kept:1')).toBe('built');
      await docker.ok('rmi day/kept:1');
      rmSync(path.join(workplace, 'kept.tar'));
    });

    test('export and import, with a command for the image', async () => {
      await docker.ok('create --name exported day/app:1');
      const { stdout } = await docker.run('export exported');
      const tree = Buffer.from(stdout, 'latin1');
      expect((await untar(tree)).map(({ name }) => name)).toEqual(expect.arrayContaining(['probe', 'data/one.txt']));
      const [change, message] = ['CMD ["/probe", "out", "imported\\\\n"]', 'from a tree'];
      const imported = await docker.runWith(
        tree,
        'import -c',
        change,
        '-c',
        'ENV A=b',
        '-m',
        message,
        '-',
        'day/imported',
      );
      expect(imported).toMatchObject({ status: 0, stdout: expect.stringMatching(/^sha256:[0-9a-f]{64}\n$/) });
      expect(await docker.ok('run --rm day/imported')).toBe('imported');
      expect(await docker.ok('history --format {{.Comment}} day/imported')).toBe(message);
      writeFileSync(path.join(workplace, 'tree.tar'), tree);
      expect(await docker.ok('import tree.tar')).toMatch(/^sha256:[0-9a-f]{64}$/);
      await docker.ok('rm exported');
      await docker.ok('rmi day/imported');
    });

    test('commit, with author, message and several changes', async () => {
      await docker.ok('run --name changed day/app:1 write /data/two.txt second');
      const changes = ['-c', 'ENV TIME=noon', '-c', 'CMD ["read", "/data/two.txt"]'];
      await docker.ok('commit -a someone -m', 'a second note', ...changes, 'changed', 'day/changed:2');
      expect(await docker.ok('run --rm day/changed:2')).toBe('second');
      expect(await docker.ok('run --rm day/changed:2 env')).toContain('TIME=noon');
      const described = await docker.ok('image inspect -f', '{{.Author}}, {{.Comment}}', 'day/changed:2');
      expect(described).toBe('someone, a second note');
      await docker.ok('rm changed');
      await docker.ok('rmi day/changed:2');
    });

    test('what is not there, and what is in use', async () => {
      expect(await docker.run('image inspect day/nothing')).toMatchObject({
        status: 1,
        stderr: 'Error: No such image: day/nothing\n',
      });
      await docker.ok('run -d --name user day/app:1 forever');
      expect(await docker.run('rmi -f', await docker.ok('images', '-q', 'day/app:1'))).toMatchObject({ status: 1 });
      await docker.ok('rm -f user');
    });
  });
}
