import type { MadeFiles } from '../../process/kernel-files.ts';
import type { Container } from '../container.ts';
import type { HostConfig } from '../settings/host-config.ts';

const unlimited = 9_223_372_036_854_771_712n;

/** The files of /sys/fs/cgroup (cgroup v1) that show a container's limits. */
export function cgroupFiles(container: Container): MadeFiles {
  // An update changes the limits while the files exist.
  const limit = (): HostConfig => container.hostConfig;
  const number = (value: number, otherwise: bigint | number): string => `${value === 0 ? otherwise : value}\n`;
  const bytes = (value: number): string => (value < 0 ? `${unlimited}\n` : number(value, unlimited));
  const used = (): string =>
    `${container.processes.reduce((sum, { allocatedMib }) => sum + allocatedMib, 1) * 1_048_576}\n`;
  return {
    'memory/memory.limit_in_bytes': () => bytes(limit().Memory),
    'memory/memory.memsw.limit_in_bytes': () => bytes(limit().MemorySwap || limit().Memory * 2),
    'memory/memory.soft_limit_in_bytes': () => bytes(limit().MemoryReservation),
    'memory/memory.kmem.limit_in_bytes': () => bytes(limit().KernelMemory),
    'memory/memory.swappiness': () => `${limit().MemorySwappiness ?? 60}\n`,
    'memory/memory.usage_in_bytes': used,
    'memory/memory.oom_control': () => `oom_kill_disable ${limit().OomKillDisable ? 1 : 0}\nunder_oom 0\n`,
    'cpu/cpu.shares': () => number(limit().CpuShares, 1024),
    'cpu/cpu.cfs_period_us': () => number(limit().CpuPeriod, 100_000),
    'cpu/cpu.cfs_quota_us': () => number(limit().CpuQuota, -1),
    'cpuset/cpuset.cpus': () => `${cpusOf(limit())}\n`,
    'cpuset/cpuset.mems': () => `${limit().CpusetMems || '0'}\n`,
    'blkio/blkio.weight': () => number(limit().BlkioWeight, 500),
    'pids/pids.max': () => (limit().PidsLimit > 0 ? `${limit().PidsLimit}\n` : 'max\n'),
  };
}

/** The CPUs that the processes of a container may run on. */
export function cpusOf({ CpusetCpus }: HostConfig): string {
  return CpusetCpus || '0-3';
}

/**
 * The path of a container's control group; a relative parent is relative to the root, the group of the host's process
 * 1.
 */
export function cgroupPath({ hostConfig: { CgroupParent }, id }: Container): string {
  return CgroupParent ? `/${CgroupParent.replace(/^\/+|\/+$/g, '')}/${id}` : `/engine/${id}`;
}
