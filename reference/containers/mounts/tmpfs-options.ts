import { totalmem } from 'node:os';

/** The options of a tmpfs mount. */
export interface TmpfsOptions {
  readonly readOnly: boolean;
  /** Flags of the mount, without its access. */
  readonly flags: string;
  /** The options that the file system itself shows. */
  readonly own: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Its capacity in bytes; undefined for no limit of its own. */
  readonly size: number | undefined;
}

/** Pairs of a flag and the option that removes it. */
const switches: Readonly<Record<string, string>> = { suid: 'nosuid', dev: 'nodev', exec: 'noexec' };
const otherFlags = ['noatime', 'nodiratime', 'relatime', 'sync', 'dirsync', 'strictatime', 'mand'];
const ignored = new Set(['defaults', 'rw', 'async', 'atime', 'diratime', 'norelatime', 'nostrictatime', 'nomand']);
const binds = ['private', 'rprivate', 'shared', 'rshared', 'slave', 'rslave', 'unbindable', 'runbindable'];
const settings: Readonly<Record<string, RegExp>> = {
  size: /^\d+([kmg]b?|%)?$/i,
  mode: /^[0-7]{1,4}$/,
  uid: /^\d{1,9}$/,
  gid: /^\d{1,9}$/,
  nr_inodes: /^\d+[kmg]?$/i,
  nr_blocks: /^\d+[kmg]?$/i,
  mpol: /./,
};

/**
 * Reads the options of a tmpfs; undefined for an unknown option or a malformed value.
 * @param defaults flags that hold unless an option removes them
 */
export function readTmpfsOptions(
  text: string,
  defaults: readonly string[] = ['nosuid', 'nodev', 'noexec'],
): TmpfsOptions | undefined {
  const flags = new Set(defaults);
  const values = new Map<string, string>();
  let readOnly = false;
  for (const option of text.split(',').filter((part) => part !== '')) {
    const [name = '', value] = option.split('=');
    if (value !== undefined) {
      if (!(Object.hasOwn(settings, name) && settings[name]?.test(value))) return undefined;
      values.set(name, value);
    } else if (option === 'ro' || option === 'rw') readOnly = option === 'ro';
    else if (Object.hasOwn(switches, option)) flags.delete(switches[option] ?? '');
    else if (Object.values(switches).includes(option) || otherFlags.includes(option)) flags.add(option);
    else if (!ignored.has(option) && !binds.includes(option)) return undefined;
  }
  if (!flags.has('noatime') && !flags.has('strictatime')) flags.add('relatime');
  const size = sizeOf(values);
  const mode = Number.parseInt(values.get('mode') ?? '1777', 8);
  const [uid, gid] = [Number(values.get('uid') ?? 0), Number(values.get('gid') ?? 0)];
  // The kernel shows only what differs from its defaults.
  const own = [
    ...(size === undefined ? [] : [`size=${size / 1024}k`]),
    ...(values.has('nr_inodes') ? [`nr_inodes=${values.get('nr_inodes')}`] : []),
    ...(mode === 0o1777 ? [] : [`mode=${mode.toString(8).padStart(3, '0')}`]),
    ...(uid === 0 ? [] : [`uid=${uid}`]),
    ...(gid === 0 ? [] : [`gid=${gid}`]),
  ];
  return { readOnly, flags: [...flags].join(','), own: own.join(','), mode, uid, gid, size };
}

const page = 4096;

/** Whole pages; undefined for no limit, as with size=0. */
function sizeOf(values: ReadonlyMap<string, string>): number | undefined {
  const [, number, unit = ''] = /^(\d+)([kmg%]?)/i.exec(values.get('size') ?? '') ?? [];
  if (number === undefined || Number(number) === 0) return undefined;
  const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, '%': totalmem() / 100 };
  return Math.ceil((Number(number) * (units[unit.toLowerCase()] ?? 1)) / page) * page;
}
