import { block, lengthIn, padded, sizeIn, textIn, withChecksum } from '../engine/tar-bytes.ts';
import type { Fault } from './fault.ts';
import { changesStream } from './streams.ts';

/** Leaves one entry out of a tar archive. */
export function dropsTarEntry(name: string): Fault {
  return changesEntry(`leaves ${name} out of the archive`, name, () => Buffer.alloc(0));
}

/** Changes the content of one entry of a tar archive, keeping its size. */
export function emptiesTarEntry(name: string): Fault {
  return changesEntry(`has zeros for the content of ${name}`, name, (entry) =>
    Buffer.concat([entry.subarray(0, block), Buffer.alloc(entry.length - block)]),
  );
}

/** Points one symbolic link of a tar archive elsewhere. */
export function retargetsTarLink(name: string): Fault {
  return changesEntry(`points ${name} elsewhere`, name, (entry) => {
    const header = Buffer.from(entry.subarray(0, block));
    header.fill(0, 157, 257).write('/ec-elsewhere', 157);
    return Buffer.concat([withChecksum(header), entry.subarray(block)]);
  });
}

/** Answers with a file where there is none at a path of a container. */
export function findsFile(path: string, content: string): Fault {
  const body = archiveOf([entry(path.split('/').at(-1) ?? '', content)]);
  return {
    name: `finds ${path} where there is none`,
    answer: (answer, request) => {
      const isAsked = new URLSearchParams(request.path.split('?')[1]).get('path') === path;
      return isAsked && answer.status === 404 ? { ...answer, status: 200, body } : answer;
    },
  };
}

/** One entry of an archive whose names are shorter than 100 bytes, as those of the suite are. */
interface Entry {
  /** Without a trailing slash, and without a leading slash or `./`. */
  readonly name: string;
  readonly header: Buffer;
  readonly content: Buffer;
}

/** Leaves every layer with this file out of an image archive. */
export function dropsLayersWith(file: string): Fault {
  return changesEntries(`has no layer with ${file}`, (entries) => {
    const without = entries.filter((entry) => isLayer(entry) && filesOf(entry).includes(file)).map(directoryOf);
    return entries.filter((entry) => !without.includes(directoryOf(entry)));
  });
}

/** Adds a layer with this file to an image archive. */
export function addsLayerWith(file: string): Fault {
  const id = 'ec'.repeat(32);
  const members = [
    entry(`${id}/VERSION`, '1.0'),
    entry(`${id}/json`, '{"id":"another"}'),
    entry(`${id}/layer.tar`, archiveOf([entry(file, 'of another image')])),
  ];
  return changesEntries(`has a layer with ${file}`, (entries) => [...members, ...entries]);
}

/** Changes the content of each entry of a tar archive whose path ends like this. */
export function setsTarEntries(end: string, content: string): Fault {
  return changesEntries(`has ${JSON.stringify(content)} for the content of each ${end}`, (entries) =>
    entries.map((one) => (one.name.endsWith(end) ? { ...one, content: Buffer.from(content) } : one)),
  );
}

/** Leaves files with these names out of the layers of an image archive. */
export function dropsFromLayers(...names: readonly string[]): Fault {
  return changesEntries(`has no ${names.join(' and ')} in a layer`, (entries) =>
    entries.map((one) => {
      if (!isLayer(one)) return one;
      return { ...one, content: archiveOf(entriesOf(one.content).filter(({ name }) => !names.includes(name))) };
    }),
  );
}

/** Marks a file as deleted, as aufs does, in each layer that does not have it. */
export function deletesInLayers(file: string): Fault {
  return changesEntries(`marks ${file} as deleted in layers`, (entries) =>
    entries.map((one) => {
      if (!isLayer(one) || filesOf(one).includes(file)) return one;
      return { ...one, content: archiveOf([...entriesOf(one.content), entry(`.wh.${file}`, '')]) };
    }),
  );
}

/** Puts an empty file with this name before everything else. */
export function addsEmptyEntry(name: string): Fault {
  return changesEntries(`has a file ${name}`, (entries) => [entry(name, ''), ...entries]);
}

function changesEntries(what: string, change: (entries: readonly Entry[]) => readonly Entry[]): Fault {
  return changesStream(what, (bytes) => archiveOf(change(entriesOf(bytes))));
}

function entriesOf(bytes: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + block);
    const name = textIn(header, 0, 100).replace(/^(\.?\/)+|\/+$/g, '');
    entries.push({ name, header, content: bytes.subarray(at + block, at + block + sizeIn(header)) });
    at += lengthIn(header);
  }
  return entries;
}

function archiveOf(entries: readonly Entry[]): Buffer {
  return Buffer.concat([...entries.map(written), Buffer.alloc(2 * block)]);
}

/** An entry with size and checksum updated to its current content and header. */
function written({ header, content }: Entry): Buffer {
  const head = Buffer.from(header);
  head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  return Buffer.concat([withChecksum(head), padded(content)]);
}

/** A plain file. */
function entry(name: string, content: string | Buffer): Entry {
  const header = Buffer.alloc(block);
  header.write(name, 0);
  header.write(`0000644\0${'0000000\0'.repeat(2)}${' '.repeat(12)}00000000000\0${' '.repeat(8)}0`, 100);
  header.write('ustar\x0000', 257);
  return { name, header, content: Buffer.from(content) };
}

function isLayer({ name }: Entry): boolean {
  return name.endsWith('/layer.tar');
}

function filesOf({ content }: Entry): string[] {
  return entriesOf(content).map(({ name }) => name);
}

function directoryOf({ name }: Entry): string {
  return name.split('/')[0] ?? '';
}

/** Changes the blocks of one entry of an archive whose names are shorter than 100 bytes, as those of the suite are. */
function changesEntry(what: string, name: string, change: (entry: Buffer) => Buffer): Fault {
  return changesStream(what, (bytes) => {
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + lengthIn(bytes.subarray(at));
      const entry = bytes.subarray(at, end);
      parts.push(textIn(entry, 0, 100).replace(/^\.?\//, '') === name ? change(entry) : entry);
      at = end;
    }
    return Buffer.concat(parts);
  });
}
