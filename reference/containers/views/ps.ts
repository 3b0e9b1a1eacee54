import { serverError } from '../../errors.ts';

/** What ps can show about a process. */
export interface PsRow {
  readonly uid: number;
  readonly pid: number;
  readonly ppid: number;
  /** Seconds since the epoch. */
  readonly startedAt: number;
  readonly hasTerminal: boolean;
  readonly frozen: boolean;
  readonly processorSeconds: number;
  /** KiB. */
  readonly memory: number;
  readonly name: string;
  readonly command: string;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function clockTime({ startedAt }: PsRow): string {
  const date = new Date(startedAt * 1000);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function userName({ uid }: PsRow): string {
  return uid === 0 ? 'root' : String(uid);
}

function usedTime({ processorSeconds: used }: PsRow): string {
  return `${two(Math.floor(used / 3600))}:${two(Math.floor(used / 60) % 60)}:${two(used % 60)}`;
}

function shortTime({ processorSeconds: used }: PsRow): string {
  return `${Math.floor(used / 60)}:${two(used % 60)}`;
}

function terminalName({ hasTerminal }: PsRow): string {
  return hasTerminal ? 'pts/0' : '?';
}

function column(title: string, value: (row: PsRow) => string | number) {
  return { title, value: (row: PsRow): string => String(value(row)) };
}

/** The columns of ps, by their format names. */
export const psColumns = {
  uid: column('UID', ({ uid }) => uid),
  uidname: column('UID', userName),
  user: column('USER', userName),
  pid: column('PID', ({ pid }) => pid),
  ppid: column('PPID', ({ ppid }) => ppid),
  pgid: column('PGID', ({ pid }) => pid),
  sid: column('SID', ({ pid }) => pid),
  c: column('C', () => 0),
  pcpu: column('%CPU', () => '0.0'),
  pmem: column('%MEM', () => '0.0'),
  vsz: column('VSZ', ({ memory }) => memory),
  rss: column('RSS', ({ memory }) => memory),
  sz: column('SZ', ({ memory }) => Math.floor(memory / 4)),
  tty: column('TTY', terminalName),
  stat: column('STAT', ({ frozen }) => (frozen ? 'D' : 'Ss')),
  s: column('S', ({ frozen }) => (frozen ? 'D' : 'S')),
  f: column('F', () => 4),
  pri: column('PRI', () => 80),
  nice: column('NI', () => 0),
  wchan: column('WCHAN', () => '-'),
  addr: column('ADDR', () => '-'),
  stime: column('STIME', clockTime),
  start: column('START', clockTime),
  time: column('TIME', usedTime),
  bsdtime: column('TIME', shortTime),
  comm: column('COMMAND', ({ name }) => name),
  cmd: column('CMD', ({ command }) => command),
  ucmd: column('CMD', ({ name }) => name),
  args: column('COMMAND', ({ command }) => command),
} as const;

type Column = keyof typeof psColumns;

const formats = {
  short: ['pid', 'tty', 'time', 'ucmd'],
  full: ['uidname', 'pid', 'ppid', 'c', 'stime', 'tty', 'time', 'cmd'],
  long: ['f', 's', 'uid', 'pid', 'ppid', 'c', 'pri', 'nice', 'addr', 'sz', 'wchan', 'tty', 'time', 'ucmd'],
  bsd: ['pid', 'tty', 'stat', 'bsdtime', 'args'],
  user: ['user', 'pid', 'pcpu', 'pmem', 'vsz', 'rss', 'tty', 'stat', 'start', 'bsdtime', 'args'],
} as const satisfies Record<string, readonly Column[]>;

const otherNames: Readonly<Record<string, Column>> = {
  euser: 'user',
  euid: 'uid',
  '%cpu': 'pcpu',
  '%mem': 'pmem',
  vsize: 'vsz',
  rssize: 'rss',
  tt: 'tty',
  tname: 'tty',
  state: 's',
  ni: 'nice',
  start_time: 'stime',
  cputime: 'time',
  ucomm: 'comm',
  command: 'args',
  pgrp: 'pgid',
  sess: 'sid',
};

function isColumn(name: string): name is Column {
  return Object.hasOwn(psColumns, name) && name !== 'uidname' && name !== 'ucmd' && name !== 'bsdtime';
}

function columnOf(text: string): Column {
  const name = text.split('=')[0] ?? '';
  const known = isColumn(name) ? name : Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  if (!known) throw serverError(`ps: there is no column ${JSON.stringify(name)}`);
  return known;
}

/** The columns selected by arguments of ps; which processes it shows is up to the engine. Throws 500. */
export function readPsArguments(text: string): readonly Column[] {
  const chosen: Column[] = [];
  let format: readonly Column[] = formats.short;
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const match = /^(-?)([AaefFlHNwjuxTdrg]*)(o?)(.*)$/.exec(word);
    const [, dash, letters = '', own, rest = ''] = match ?? [];
    if (!match || (own === '' && (rest !== '' || letters === ''))) {
      throw serverError(`ps: unsupported argument ${JSON.stringify(word)}`);
    }
    if (letters !== '') format = formatOf(letters, dash === '', format);
    if (own === '') continue;
    const list = rest || words.shift() || '';
    chosen.push(...list.split(',').map(columnOf));
  }
  return chosen.length > 0 ? chosen : format;
}

function formatOf(letters: string, isBsd: boolean, before: readonly Column[]): readonly Column[] {
  if (isBsd) return letters.includes('u') ? formats.user : letters.includes('l') ? formats.long : formats.bsd;
  if (letters.includes('l')) return formats.long;
  return /[fF]/.test(letters) ? formats.full : before;
}
