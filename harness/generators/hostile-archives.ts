import path from 'node:path';
import fc from 'fast-check';
import { memberBytes, paxRecord, type TarMember, tarHeader } from '../engine/tar-bytes.ts';

/** A place on the suite's own machine that no archive may reach. */
export interface Canary {
  /** The absolute path of a directory with one file, `secret`. */
  readonly directory: string;
}

/** A part of an archive that tries to escape, or is broken. */
export interface Trick {
  readonly words: string;
  readonly bytes: (canary: Canary) => Buffer;
}

const plain = { mode: 0o644, time: 1_700_000_000, long: 'pax' } as const;
const climb = '../'.repeat(16);
const loot = Buffer.from('written by an archive');

const file = (name: string, content = loot): TarMember => ({ ...plain, name, type: 'file', content });
const symlink = (name: string, target: string): TarMember => ({ ...plain, name, type: 'symlink', target });
const link = (name: string, target: string): TarMember => ({ ...plain, name, type: 'link', target });

const members = (words: string, made: (canary: string) => readonly TarMember[]): Trick => ({
  words,
  bytes: ({ directory }) => Buffer.concat(made(directory).map(memberBytes)),
});

/** A header with fields that no writer would write, optionally with something after it. */
const header = (words: string, change: Partial<Parameters<typeof tarHeader>[0]>, behind = Buffer.alloc(0)): Trick => ({
  words,
  bytes: () =>
    Buffer.concat([
      tarHeader({ name: 'ec-odd', flag: '0', mode: 0o644, time: 0, size: 0, target: '', ...change }),
      behind,
    ]),
});

const pax = (words: string, records: Buffer): Trick => ({
  words,
  bytes: () => {
    const fill = Buffer.alloc(512 - (records.length % 512));
    const before = tarHeader({ name: 'PaxHeader', flag: 'x', mode: 0o644, time: 0, size: records.length, target: '' });
    return Buffer.concat([before, records, fill, memberBytes(file('ec-after-pax'))]);
  },
});

const up = (canary: string) => climb + canary.slice(1);

/** Ways to escape from where the archive is unpacked. */
const escapes: readonly Trick[] = [
  members('a member that climbs', (canary) => [file(`${up(canary)}/climbed`)]),
  members('a member that climbs from a directory', (canary) => [
    { ...plain, name: 'a', type: 'directory' },
    file(`a/${up(canary)}/climbed-from-a`),
  ]),
  members('a member with an absolute name', (canary) => [file(`${canary}/absolute`)]),
  members('a member through a link to /', (canary) => [symlink('root', '/'), file(`root${canary}/through-root`)]),
  members('a member through a link that climbs', (canary) => [
    symlink('above', climb),
    file(`above${canary}/through-climb`),
  ]),
  members('a member through a link to the place', (canary) => [symlink('there', canary), file('there/through-link')]),
  members('a member through two links', (canary) => [
    symlink('one', canary),
    symlink('two', 'one'),
    file('two/through-two'),
  ]),
  members('a member in the place of a link to the file', (canary) => [
    symlink('shadow', `${canary}/secret`),
    file('shadow', Buffer.from('overwritten')),
  ]),
  members('a directory in the place of a link', (canary) => [
    symlink('dir', canary),
    { ...plain, name: 'dir', type: 'directory', mode: 0o777 },
    file('dir/through-dir'),
  ]),
  members('a hard link to a file outside', (canary) => [link('ec-leak', `${canary}/secret`)]),
  members('a hard link that climbs', (canary) => [link('ec-leak', `${up(canary)}/secret`)]),
  members('a hard link to what a link leads to', (canary) => [symlink('s', canary), link('ec-leak', 's/secret')]),
  members('a member in the place of a hard link to a file outside', (canary) => [
    link('hard', `${up(canary)}/secret`),
    file('hard', Buffer.from('overwritten')),
  ]),
];

/** Other unusual or broken members. */
const oddities: readonly Trick[] = [
  members('whiteouts that climb', (canary) => [file(`${up(canary)}/.wh.secret`), file('.wh...'), file('.wh..')]),
  members('a link to itself, and a member through it', () => [symlink('loop', 'loop'), file('loop/in')]),
  members('a hard link to itself', () => [link('self', 'self')]),
  members('a hard link to nothing', () => [link('none', 'nowhere')]),
  members('a member that is its own directory', () => [file('same'), file('same/below')]),
  members('a pipe', () => [{ ...plain, name: 'pipe', type: 'fifo' }]),
  members('a directory 300 deep', () => [file(`${'d/'.repeat(300)}end`)]),
  members('a name of 5,000 characters', () => [file('n'.repeat(5_000))]),
  members('a name with an empty part and dots', () => [file('a//.//./../b')]),
  members('names that every JavaScript object has', () => [
    file('__proto__/x'),
    file('constructor'),
    file('toString/y'),
  ]),
  header('a size of 8 GiB and no bytes', { size: 8 * 2 ** 30 - 1 }),
  header('a size that is not a number', { size: 'zzzzzzzzzzz' }),
  header('a negative size', { size: '-1' }),
  header('a size in base 256 that is too large', { size: `\x80${'\x7f'.repeat(11)}` }),
  header('a size with an invalid first byte', { size: '\xc2\x80\x7f\x7f' }),
  header('no name', { name: '' }),
  header('a name of slashes', { name: '////' }),
  header('an unknown type of member', { flag: 'Q' }),
  header('a long name of 8 GiB', { name: '././@LongLink', flag: 'L', size: 8 * 2 ** 30 - 1, gnu: true }),
  header('bytes after the member that are not a header', {}, Buffer.alloc(512, 'x')),
  header('a sparse file', { flag: 'S', gnu: true, size: 10 }, Buffer.alloc(512, '9')),
  pax('a PAX record shorter than its length says', Buffer.from('99999 path=a\n')),
  pax('a PAX record with the length 0', Buffer.from('0 path=a\n')),
  pax('a PAX record that does not end', Buffer.from('12 path=abcd')),
  pax('a PAX record with a NUL in the name', paxRecord('path', 'a\0b')),
  pax('a PAX record with an empty name', paxRecord('path', '')),
  pax('a PAX record with a negative size', paxRecord('size', '-5')),
  pax('a PAX record with a time that is not a number', paxRecord('mtime', 'NaN')),
  pax('a PAX record with a time that is too large', paxRecord('mtime', '1e300')),
];

const noise: fc.Arbitrary<Trick> = fc
  .uint8Array({ minLength: 512, maxLength: 1_024 })
  .map((bytes) => ({ words: `${bytes.length} bytes of noise`, bytes: () => Buffer.from(bytes) }));

/** An archive: its members, and how many thousandths of it are sent. An escape comes last, as it may be refused. */
export const hostileArchives = fc.record({
  tricks: fc
    .tuple(
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...oddities) },
          { weight: 2, arbitrary: fc.constantFrom(...escapes) },
          { weight: 1, arbitrary: noise },
        ),
        { maxLength: 3 },
      ),
      fc.constantFrom(...escapes),
    )
    .map(([others, last]) => [...others, last]),
  sent: fc.oneof(
    { weight: 9, arbitrary: fc.constant(1_000) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 999 }) },
  ),
});

/** The bytes of an archive that begins with a flawless file. */
export function hostileBytes(tricks: readonly Trick[], sent: number, canary: Canary): Buffer {
  if (!path.isAbsolute(canary.directory)) throw new Error('the canary has to be named from the root');
  const parts = [memberBytes(file('ec-plain')), ...tricks.map(({ bytes }) => bytes(canary)), Buffer.alloc(1_024)];
  const whole = Buffer.concat(parts);
  return whole.subarray(0, Math.ceil((whole.length * sent) / 1_000));
}
