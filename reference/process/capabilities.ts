const names = (
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE ' +
  'NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN ' +
  'SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE ' +
  'MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE'
).split(' ');

const defaults =
  'CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE'.split(
    ' ',
  );

const all = (1n << BigInt(names.length)) - 1n;

function plain(name: string): string {
  return name.toUpperCase().replace(/^CAP_/, '');
}

/** Whether there is a kernel capability of this name, with or without CAP_; ALL stands for all of them. */
export function isCapability(name: string): boolean {
  return plain(name) === 'ALL' || names.includes(plain(name));
}

function mask(list: readonly string[]): bigint {
  if (list.some((name) => plain(name) === 'ALL')) return all;
  return list.reduce((bits, name) => bits | (1n << BigInt(names.indexOf(plain(name)))), 0n);
}

/** The bit mask of a container's capabilities. */
export function capabilityMask(options: {
  add: readonly string[];
  drop: readonly string[];
  privileged: boolean;
}): bigint {
  if (options.privileged) return all;
  const start = options.add.some((name) => plain(name) === 'ALL') ? all : mask(defaults);
  const dropsAll = options.drop.some((name) => plain(name) === 'ALL');
  const added = options.add.filter((name) => plain(name) !== 'ALL');
  return ((dropsAll ? 0n : start) & ~mask(options.drop)) | mask(added);
}
