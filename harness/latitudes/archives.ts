import { block, padded, paxRecord, tarHeader, withChecksum } from '../engine/tar-bytes.ts';
import { withBody } from '../faults/answers.ts';
import { heldBack } from '../faults/streams.ts';
import { headerOf, type WireHead, type WireRequest } from '../transport/wire.ts';
import type { Latitude } from './latitude.ts';

const blocksOfRecord = 20;

/** How archives of files and of images are written. */
export const ofArchives: readonly Latitude[] = [
  {
    name: 'archives-with-records',
    says: 'writes a PAX record at the beginning of each archive, and one before each member',
    area: 'archives',
    ground: { notShown: 'the documents say that a body is a tar archive, but not in which of its formats' },
    ...rewrites((members) => Buffer.concat([globalRecord(), ...members.map(withRecord), theEnd])),
  },
  {
    name: 'archive-names-from-dot',
    says: 'begins the names in its archives with ./',
    area: 'archives',
    ground: { notShown: 'nothing says how a name in an archive is written, and ./a is the same file as a' },
    ...rewrites((members) => Buffer.concat([...members.map(fromDot), theEnd])),
  },
  {
    name: 'archive-members-reversed',
    says: 'writes the members of its archives in another order',
    area: 'archives',
    ground: { notShown: 'no order of the members of an archive is stated' },
    ...rewrites((members) => Buffer.concat([...reversed(members), theEnd])),
  },
  {
    name: 'archives-in-whole-records',
    says: 'ends its archives with zeros up to a multiple of 10,240 bytes',
    area: 'archives',
    ground: { notShown: 'nothing says how many blocks of zeros come after the two that end an archive' },
    // Last: the others write archives that end after two blocks.
    ...rewrites((members) => filled(Buffer.concat([...members, theEnd]))),
  },
];

const theEnd = Buffer.alloc(2 * block);

/** @param write makes an archive of the members of one; each is its header, what extends it, and its content */
function rewrites(write: (members: readonly Buffer[]) => Buffer): Pick<Latitude, 'answer' | 'incoming'> {
  const rewritten = (bytes: Buffer): Buffer => {
    const members = membersOf(bytes);
    return members ? write(members) : bytes;
  };
  return {
    answer: (answer, request) => (isArchive(answer, request) ? withBody(answer, rewritten(answer.body)) : answer),
    incoming: (head, request) => (isArchive(head, request) ? heldBack(rewritten) : undefined),
  };
}

function isArchive(head: WireHead, { path }: WireRequest): boolean {
  const type = headerOf(head.headers, 'content-type') ?? '';
  return head.status === 200 && /\/(?:export|copy|archive|get)(?:\?|$)/.test(path) && /tar|octet/i.test(type);
}

/** @returns undefined for what is no whole archive */
function membersOf(bytes: Buffer): Buffer[] | undefined {
  const members: Buffer[] = [];
  let begin = 0;
  for (let at = 0; at + block <= bytes.length; ) {
    if (bytes[at] === 0) return members;
    const flag = flagOf(bytes.subarray(at));
    at += block + Math.ceil(sizeOf(bytes.subarray(at)) / block) * block;
    if (isExtension(flag)) continue;
    members.push(bytes.subarray(begin, at));
    begin = at;
  }
  return undefined;
}

function sizeOf(header: Buffer): number {
  return Number.parseInt(header.toString('latin1', 124, 136), 8) || 0;
}

function flagOf(header: Buffer): string {
  return header.toString('latin1', 156, 157);
}

/** Whether a member says something of the next one, or of all. */
function isExtension(flag: string): boolean {
  return /[xgLK]/.test(flag);
}

function globalRecord(): Buffer {
  return record('g', paxRecord('comment', 'of this archive'));
}

function withRecord(member: Buffer): Buffer {
  if (isExtension(flagOf(member))) return member;
  const time = Number.parseInt(member.toString('latin1', 136, 148), 8) || 0;
  const said = [paxRecord('mtime', `${time}.25`), paxRecord('comment', 'of this member')];
  return Buffer.concat([record('x', Buffer.concat(said)), member]);
}

function record(flag: 'g' | 'x', content: Buffer): Buffer {
  const header = { name: 'PaxHeaders/0', flag, mode: 0o644, time: 0, size: content.length, target: '' };
  return Buffer.concat([tarHeader(header), padded(content)]);
}

/** A name that has no room for the dot, or that is in a record, is left alone. */
function fromDot(member: Buffer): Buffer {
  const name = textAt(member, 0);
  if (isExtension(flagOf(member)) || name.length > 98 || /^\.?\//.test(name) || textAt(member, 345) !== '')
    return member;
  const header = Buffer.from(member.subarray(0, block));
  header.write(`./${name}`, 0, 'latin1');
  return Buffer.concat([withChecksum(header), member.subarray(block)]);
}

/** A text of at most 100 bytes. */
function textAt(header: Buffer, at: number): string {
  return header.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
}

/** A hard link has to come after the file that it names. */
function reversed(members: readonly Buffer[]): readonly Buffer[] {
  return members.some((member) => isHardLink(member)) ? members : members.toReversed();
}

function isHardLink(member: Buffer): boolean {
  let at = 0;
  while (isExtension(flagOf(member.subarray(at)))) {
    at += block + Math.ceil(sizeOf(member.subarray(at)) / block) * block;
  }
  return flagOf(member.subarray(at)) === '1';
}

function filled(archive: Buffer): Buffer {
  const record = blocksOfRecord * block;
  return Buffer.concat([archive, Buffer.alloc(Math.ceil(archive.length / record) * record - archive.length)]);
}
