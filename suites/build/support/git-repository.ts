import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Offered } from '../../../harness/suite-server/server.ts';

/**
 * The files of a Git repository with one commit on branch `master`, as a plain file server offers them (Git's dumb
 * protocol).
 */
export function gitRepository(files: Readonly<Record<string, string>>): Offered[] {
  const objects: Offered[] = [];
  const add = (type: string, content: Buffer): string => {
    const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const id = createHash('sha1').update(object).digest('hex');
    const name = `objects/${id.slice(0, 2)}/${id.slice(2)}`;
    objects.push({ name, contentType: 'application/x-git-loose-object', content: deflateSync(object) });
    return id;
  };
  const entries = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, content]) => [
      Buffer.from(`100644 ${name}\0`),
      Buffer.from(add('blob', Buffer.from(content)), 'hex'),
    ]);
  const tree = add('tree', Buffer.concat(entries));
  const who = 'Engine Conformance <suite@example.test> 1704067200 +0000';
  const commit = add('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nA build context\n`));
  const contentType = 'text/plain';
  return [
    ...objects,
    { name: 'HEAD', contentType, content: 'ref: refs/heads/master\n' },
    { name: 'info/refs', contentType, content: `${commit}\trefs/heads/master\n` },
  ];
}
