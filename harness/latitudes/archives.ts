import { block, lengthIn, padded, paxRecord, tarHeader, textIn, withChecksum } from '../engine/tar-bytes.ts';
import { withBody } from '../faults/answers.ts';
import { heldBack } from '../faults/streams.ts';
import { headerOf, type WireHead, type WireRequest } from '../transport/wire.ts';
import type { Latitude } from './latitude.ts';

const blocksOfRecord = 20;
const hardLink = '1';

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
    ...rewrites((members) => filled(Buffer.concat([...members.map(bytesOf), theEnd]))),
  },
];

const theEnd = Buffer.alloc(2 * block);

interface Member {
  /** What extends its header, the header, and its content. */
  readonly bytes: Buffer;
  /** The type in its header. */
  readonly flag: string;
}

/** @param write makes an archive of the members of one */
function rewrites(write: (members: readonly Member[]) => Buffer): Pick<Latitude, 'answer' | 'incoming'> {
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
function membersOf(bytes: Buffer): Member[] | undefined {
  const members: Member[] = [];
  let begin = 0;
  for (let at = 0; at + block <= bytes.length; ) {
    // A name that is in a record may be missing in the header.
    if (isZero(bytes.subarray(at, at + block))) return members;
    const flag = flagOf(bytes.subarray(at));
    at += lengthIn(bytes.subarray(at));
    if (isExtension(flag)) continue;
    members.push({ bytes: bytes.subarray(begin, at), flag });
    begin = at;
  }
  return undefined;
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
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

function bytesOf({ bytes }: Member): Buffer {
  return bytes;
}

function withRecord({ bytes }: Member): Buffer {
  if (isExtension(flagOf(bytes))) return bytes;
  const time = Number.parseInt(textIn(bytes, 136, 12), 8) || 0;
  const said = [paxRecord('mtime', `${time}.25`), paxRecord('comment', 'of this member')];
  return Buffer.concat([record('x', Buffer.concat(said)), bytes]);
}

function record(flag: 'g' | 'x', content: Buffer): Buffer {
  const header = { name: 'PaxHeaders/0', flag, mode: 0o644, time: 0, size: content.length, target: '' };
  return Buffer.concat([tarHeader(header), padded(content)]);
}

/** A name that has no room for the dot, or that is in a record, is left alone. */
function fromDot({ bytes }: Member): Buffer {
  const name = textIn(bytes, 0, 100);
  const hasPrefix = textIn(bytes, 345, 100) !== '';
  if (isExtension(flagOf(bytes)) || name.length > 98 || /^\.?\//.test(name) || hasPrefix) return bytes;
  const header = Buffer.from(bytes.subarray(0, block));
  header.write(`./${name}`, 0, 'latin1');
  return Buffer.concat([withChecksum(header), bytes.subarray(block)]);
}

/** A hard link has to come after the file that it names. */
function reversed(members: readonly Member[]): Buffer[] {
  const isHardLinked = members.some(({ flag }) => flag === hardLink);
  return (isHardLinked ? members : members.toReversed()).map(bytesOf);
}

function filled(archive: Buffer): Buffer {
  const record = blocksOfRecord * block;
  return Buffer.concat([archive, Buffer.alloc(Math.ceil(archive.length / record) * record - archive.length)]);
}
