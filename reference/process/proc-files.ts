import { type MadeFiles, mountInfo, mountTable } from './kernel-files.ts';
import type { NetworkInterface, NetworkStack } from './network-stack.ts';
import type { Process } from './process.ts';

/** Soft and hard value of a resource limit. */
export type LimitPair = readonly [soft: number, hard: number];

/** What /proc shows about a process besides what the process itself knows. */
export interface ProcFacts {
  /** The process that reads; undefined until it exists. */
  readonly process: () => Process | undefined;
  readonly limits: ReadonlyMap<string, LimitPair>;
  /** Bit mask of its capabilities. */
  readonly capabilities: bigint;
  /** The CPUs that it may run on, as `0-3`. */
  readonly cpus: string;
  /** The path of its control group. */
  readonly cgroup: string;
  /** Whether process 1 in its view is its container's, and not the host's, whose group is the root. */
  readonly isFirst: boolean;
  readonly oomScoreAdj: number;
}

const limitRows: readonly (readonly [name: string, title: string, unit: string, soft: number, hard: number])[] = [
  ['cpu', 'Max cpu time', 'seconds', -1, -1],
  ['fsize', 'Max file size', 'bytes', -1, -1],
  ['data', 'Max data size', 'bytes', -1, -1],
  ['stack', 'Max stack size', 'bytes', 8_388_608, -1],
  ['core', 'Max core file size', 'bytes', -1, -1],
  ['rss', 'Max resident set', 'bytes', -1, -1],
  ['nproc', 'Max processes', 'processes', -1, -1],
  ['nofile', 'Max open files', 'files', 1_048_576, 1_048_576],
  ['memlock', 'Max locked memory', 'bytes', 65_536, 65_536],
  ['locks', 'Max file locks', 'locks', -1, -1],
  ['sigpending', 'Max pending signals', 'signals', 31_000, 31_000],
  ['msgqueue', 'Max msgqueue size', 'bytes', 819_200, 819_200],
  ['nice', 'Max nice priority', '', 0, 0],
  ['rtprio', 'Max realtime priority', '', 0, 0],
  ['rttime', 'Max realtime timeout', 'us', -1, -1],
];

function limitsText(limits: ReadonlyMap<string, LimitPair>): string {
  const value = (number: number): string => (number < 0 ? 'unlimited' : String(number)).padEnd(21);
  const lines = limitRows.map(([name, title, unit, soft, hard]) => {
    const [ownSoft, ownHard] = limits.get(name) ?? [soft, hard];
    return `${title.padEnd(26)}${value(ownSoft)}${value(ownHard)}${unit.padEnd(10)}\n`;
  });
  return `${'Limit'.padEnd(26)}${'Soft Limit'.padEnd(21)}${'Hard Limit'.padEnd(21)}${'Units'.padEnd(10)}\n${lines.join('')}`;
}

function statusText(process: Process, { capabilities, cpus }: ProcFacts): string {
  const { credentials, pid, parentPid } = process.options;
  const { ignored, caught } = process.signalMasks();
  const mask = (bits: bigint): string => bits.toString(16).padStart(16, '0');
  const held = credentials.uid === 0 ? capabilities : 0n;
  const four = (id: number): string => Array<number>(4).fill(id).join('\t');
  const lines = [
    `Name:\t${process.name}`,
    'State:\tR (running)',
    `Tgid:\t${pid}`,
    `Pid:\t${pid}`,
    `PPid:\t${parentPid}`,
    `Uid:\t${four(credentials.uid)}`,
    `Gid:\t${four(credentials.gid)}`,
    `Groups:\t${credentials.groups.join(' ')} `,
    `VmRSS:\t${process.allocatedMib * 1024 + 4} kB`,
    `SigIgn:\t${mask(ignored)}`,
    `SigCgt:\t${mask(caught)}`,
    `CapInh:\t${mask(0n)}`,
    `CapPrm:\t${mask(held)}`,
    `CapEff:\t${mask(held)}`,
    `CapBnd:\t${mask(capabilities)}`,
    `CapAmb:\t${mask(0n)}`,
    'NoNewPrivs:\t0',
    'Seccomp:\t2',
    `Cpus_allowed_list:\t${cpus}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The text of /proc/PID/cgroup for a process in this group of each hierarchy. */
function cgroupText(path: string): string {
  return ['memory', 'cpu', 'cpuset', 'blkio', 'pids'].map((name, index) => `${index + 2}:${name}:${path}\n`).join('');
}

/** The text of /proc/net/dev. */
function interfaceTable(interfaces: readonly NetworkInterface[]): string {
  const titles = 'bytes    packets errs drop fifo';
  const head = [
    'Inter-|   Receive                                                |  Transmit',
    ` face |${titles} frame compressed multicast|${titles} colls carrier compressed`,
  ];
  const widths = [8, 8, 5, 5, 5, 6, 11, 10, 9, 8, 5, 5, 5, 6, 8, 11];
  const counters = widths.map((width) => '0'.padStart(width)).join('');
  return [...head, ...interfaces.map(({ name }) => `${name.padStart(6)}:${counters}`), ''].join('\n');
}

/** The text of /proc/net/route: the default route only. */
function routeTable({ defaultRoute }: NetworkStack): string {
  const titles = [
    'Iface',
    'Destination',
    'Gateway',
    'Flags',
    'RefCnt',
    'Use',
    'Metric',
    'Mask',
    'MTU',
    'Window',
    'IRTT',
  ];
  const head = `${titles.join('\t')}\n`;
  if (!defaultRoute) return head;
  const { name, gateway } = defaultRoute;
  const bytes = Buffer.from(gateway.split('.').map(Number)).reverse().toString('hex').toUpperCase();
  return `${head}${[name, '00000000', bytes, '0003', 0, 0, 0, '00000000', 0, 0, 0].join('\t')}\n`;
}

/** The files of /sys/class/net. */
export function networkFiles(interfaces: readonly NetworkInterface[]): MadeFiles {
  const files = interfaces.map(({ name, mac }) => [`${name}/address`, () => `${mac}\n`] as const);
  return Object.fromEntries(files);
}

/** The files of /proc that a process can read. */
export function procFiles(facts: ProcFacts): MadeFiles {
  const read = (make: (process: Process) => string) => (): string => {
    const process = facts.process();
    return process ? make(process) : '';
  };
  const own: MadeFiles = {
    status: read((process) => statusText(process, facts)),
    limits: () => limitsText(facts.limits),
    mountinfo: read(({ options }) => mountInfo(options.view.mounts)),
    mounts: read(({ options }) => mountTable(options.view.mounts)),
    'net/dev': read(({ options }) => interfaceTable(options.network.interfaces)),
    'net/route': read(({ options }) => routeTable(options.network)),
    cgroup: () => cgroupText(facts.cgroup),
    cmdline: read(({ options }) => `${options.argv.join('\0')}\0`),
    comm: read((process) => `${process.name}\n`),
    environ: read(({ options }) => options.environment.map((line) => `${line}\0`).join('')),
    oom_score_adj: () => `${facts.oomScoreAdj}\n`,
  };
  const files: Record<string, () => string> = {
    mounts: own.mounts ?? (() => ''),
    'net/dev': own['net/dev'] ?? (() => ''),
    'net/route': own['net/route'] ?? (() => ''),
    'sys/kernel/hostname': read(({ options }) => `${options.hostname}\n`),
    'sys/kernel/domainname': read(({ options }) => `${options.domainname}\n`),
  };
  for (const [name, make] of Object.entries(own)) {
    files[`self/${name}`] = make;
    if (facts.isFirst) files[`1/${name}`] = make;
  }
  if (!facts.isFirst) files['1/cgroup'] = () => cgroupText('/');
  for (const { options } of facts.process()?.options.peers ?? []) {
    // Where the host's processes are visible, process 1 does not belong to a container.
    if (options.pid === 1 && !facts.isFirst) continue;
    files[`${options.pid}/cmdline`] = () => `${options.argv.join('\0')}\0`;
  }
  return files;
}
