/** One member of an archive that is written byte by byte. */
export interface TarMember {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'link' | 'fifo' | 'character-device';
  readonly mode: number;
  /** Unix seconds. */
  readonly time: number;
  readonly content?: Buffer;
  /** The target of a link. */
  readonly target?: string;
  /** How to write what does not fit into the header: in a PAX record, or in a preceding member as GNU tar does. */
  readonly long: 'pax' | 'gnu';
  /** Sizes, times and names get a PAX record even where they fit into the header. */
  readonly alwaysPax?: boolean;
}

/** The size of a block of an archive, in bytes. */
export const block = 512;
const flags: Readonly<Record<TarMember['type'], string>> = {
  file: '0',
  link: '1',
  symlink: '2',
  'character-device': '3',
  directory: '5',
  fifo: '6',
};

/** A whole tar archive. tar-stream writes only PAX, and decides itself what needs a record. */
export function tarBytes(members: readonly TarMember[]): Buffer {
  return Buffer.concat([...members.map(memberBytes), Buffer.alloc(2 * block)]);
}

/** The blocks of one member. */
export function memberBytes(member: TarMember): Buffer {
  const { type, mode, time, content = Buffer.alloc(0), target = '' } = member;
  const name = type === 'directory' ? `${member.name}/` : member.name;
  const header = { name, flag: flags[type], mode, time, size: content.length, target, gnu: member.long === 'gnu' };
  return Buffer.concat([...longNames(member, name, target), tarHeader(header), padded(content)]);
}

function longNames({ long, alwaysPax, time, content }: TarMember, name: string, target: string): Buffer[] {
  const [longName, longTarget] = [name, target].map((text) => Buffer.byteLength(text) > 100);
  const isPlain = /^[ -~]*$/.test(name + target);
  if (long === 'gnu') {
    return [...(longTarget ? [gnuMember('K', target)] : []), ...(longName ? [gnuMember('L', name)] : [])];
  }
  if (!longName && !longTarget && isPlain && !alwaysPax) return [];
  const records = [
    ...(longName || !isPlain || alwaysPax ? [paxRecord('path', name)] : []),
    ...(target !== '' && (longTarget || !isPlain) ? [paxRecord('linkpath', target)] : []),
    ...(alwaysPax ? [paxRecord('mtime', `${time}.25`)] : []),
    ...(alwaysPax && content ? [paxRecord('size', `${content.length}`)] : []),
  ];
  const body = Buffer.concat(records);
  return [
    tarHeader({ name: 'PaxHeader', flag: 'x', mode: 0o644, time: 0, size: body.length, target: '' }),
    padded(body),
  ];
}

function gnuMember(flag: 'K' | 'L', text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const header = { name: '././@LongLink', flag, mode: 0, time: 0, size: body.length, target: '', gnu: true };
  return Buffer.concat([tarHeader(header), padded(body)]);
}

/** A PAX record begins with its own length, including its digits. */
export function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

/**
 * The header block of a member. A value longer than its field is cut off: a PAX record or a GNU member has it complete.
 */
export function tarHeader(member: {
  name: string;
  flag: string;
  mode: number;
  time: number;
  /** A text is written to the field unchanged. */
  size: number | string;
  target: string;
  gnu?: boolean;
}): Buffer {
  const header = Buffer.alloc(block);
  const put = (text: string, at: number, length: number) => Buffer.from(text).copy(header, at, 0, length);
  const octal = (value: number, at: number, length: number) =>
    put(value.toString(8).padStart(length - 1, '0'), at, length);
  put(member.name, 0, 100);
  octal(member.mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (typeof member.size === 'string') Buffer.from(member.size, 'latin1').copy(header, 124, 0, 12);
  else octal(member.size, 124, 12);
  octal(member.time, 136, 12);
  put(member.flag, 156, 1);
  put(member.target, 157, 100);
  put(member.gnu ? 'ustar  \0' : 'ustar\x0000', 257, 8);
  return withChecksum(header);
}

/** A text in a header. @param at where its field begins */
export function textIn(header: Buffer, at: number, length: number): string {
  return header.toString('latin1', at, at + length).replace(/\0.*$/s, '');
}

/** How much content a member has by its header, in bytes. */
export function sizeIn(header: Buffer): number {
  return Number.parseInt(textIn(header, 124, 12), 8) || 0;
}

/** How many bytes a member takes by its header: the header itself, and its content in whole blocks. */
export function lengthIn(header: Buffer): number {
  return block + Math.ceil(sizeIn(header) / block) * block;
}

/** The header block with the checksum of what is in it now. */
export function withChecksum(header: Buffer): Buffer {
  const summed = Buffer.from(header).fill(' ', 148, 156);
  const sum = summed.reduce((total, byte) => total + byte, 0);
  summed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
  return summed;
}

/** Content, filled with zeros to whole blocks. */
export function padded(content: Buffer): Buffer {
  const over = content.length % block;
  return over === 0 ? content : Buffer.concat([content, Buffer.alloc(block - over)]);
}
