import { expect, test } from 'vitest';
import { readTar } from '../../harness/engine/tar.ts';
import { type TarMember, tarBytes, tarHeader } from '../../harness/engine/tar-bytes.ts';
import { readTar as readTarOfEngine } from '../../reference/images/layers.ts';

const plain = { mode: 0o640, time: 1_700_000_000 } as const;
const long = `${'é'.repeat(80)}/${'x'.repeat(200)}`;

test.each(['pax', 'gnu'] as const)('an archive with long names (%s) is read as it was written', async (form) => {
  const members: TarMember[] = [
    { ...plain, name: 'file', type: 'file', content: Buffer.alloc(512, 'b'), long: form },
    {
      ...plain,
      name: long,
      type: 'file',
      content: Buffer.from('of a long name'),
      long: form,
      alwaysPax: form === 'pax',
    },
    { ...plain, name: 'link', type: 'symlink', target: long, long: form },
    { ...plain, name: 'hard', type: 'link', target: 'file', long: form },
    { ...plain, name: 'directory', type: 'directory', mode: 0, long: form },
  ];
  const entries = await readTar(tarBytes(members));
  expect(entries).toEqual(
    members.map(({ name, type, target = '', content = Buffer.alloc(0), mode, time }) => {
      return { name, type, target, content, mode, time };
    }),
  );
});

test('a member whose size cannot be read is waited for by nobody', async () => {
  const header = tarHeader({ name: 'odd', flag: '0', mode: 0o644, time: 0, size: '\xc2\x80', target: '' });
  const bytes = Buffer.concat([header, Buffer.alloc(2_048)]);
  await expect(readTar(bytes)).rejects.toThrow('whole tar archive');
  await expect(readTarOfEngine(bytes)).rejects.toThrow('size of odd');
});
