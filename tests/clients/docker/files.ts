import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { archive } from '../../../harness/probe/archive.ts';
import { untar } from '../../reference/archives.ts';
import { workplace } from '../../workplace.ts';
import type { Docker } from './command.ts';

const at = (name: string) => path.join(workplace, name);

/** Files in and out of containers. */
export function files(docker: Docker): void {
  const reading = (file: string) => docker.ok('exec shelf /probe read', file);

  describe('files', () => {
    test('cp: a file and a directory in, and out again', async () => {
      await docker.ok('run -d --name shelf day/app:1 forever');
      mkdirSync(at('books'));
      writeFileSync(at('books/novel'), 'once upon');
      await docker.ok('cp books/novel shelf:/data/copied');
      expect(await reading('/data/copied')).toBe('once upon');
      await docker.ok('cp books shelf:/data');
      expect(await reading('/data/books/novel')).toBe('once upon');
      await docker.ok('cp shelf:/data/copied returned');
      expect(readFileSync(at('returned'), 'utf8')).toBe('once upon');
      await docker.ok('cp shelf:/data/books lent');
      expect(readdirSync(at('lent'))).toEqual(['novel']);
    });

    test('cp: archives by the standard streams', async () => {
      const tar = await archive([{ name: 'leaf', mode: 0o600, content: Buffer.from('green') }], new Date());
      expect((await docker.runWith(tar, 'cp - shelf:/data/books')).status).toBe(0);
      expect(await docker.ok('exec shelf /probe stat /data/books/leaf')).toBe('100600 0 0 5');
      const { stdout } = await docker.run('cp shelf:/data/books -');
      const entries = await untar(Buffer.from(stdout, 'latin1'));
      expect(entries.map(({ name }) => name).toSorted()).toEqual(['books/', 'books/leaf', 'books/novel']);
    });

    test('cp: what is not there', async () => {
      const { status, stderr } = await docker.run('cp shelf:/nothing .');
      expect({ status, stderr }).toEqual({ status: 1, stderr: 'Error: No such container:path: shelf:/nothing\n' });
    });

    test('diff', async () => {
      await docker.ok('exec shelf /probe remove /data/one.txt append /ps x');
      const changes = (await docker.ok('diff shelf')).split('\n');
      expect(changes).toEqual(expect.arrayContaining(['C /data', 'A /data/copied', 'D /data/one.txt', 'C /ps']));
      await docker.ok('rm -f shelf');
    });
  });
}
