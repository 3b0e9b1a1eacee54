import type { MadeFiles } from '../process/kernel-files.ts';
import type { Container } from './container.ts';

const unlimited = 9_223_372_036_854_771_712n;

/** The files of /sys/fs/cgroup (the first version of control groups) that show a container's limits. */
export function cgroupFiles(container: Container): MadeFiles {
  const { hostConfig: of } = container;
  const number = (value: number, otherwise: bigint | number): string => `${value === 0 ? otherwise : value}\n`;
  const bytes = (value: number): string => (value < 0 ? `${unlimited}\n` : number(value, unlimited));
  const used = (): string => `${((container.process?.allocatedMib ?? 0) + 1) * 1_048_576}\n`;
  return {
    'memory/memory.limit_in_bytes': () => bytes(of.Memory),
    'memory/memory.memsw.limit_in_bytes': () => bytes(of.MemorySwap || of.Memory * 2),
    'memory/memory.soft_limit_in_bytes': () => bytes(of.MemoryReservation),
    'memory/memory.kmem.limit_in_bytes': () => bytes(of.KernelMemory),
    'memory/memory.swappiness': () => `${of.MemorySwappiness ?? 60}\n`,
    'memory/memory.usage_in_bytes': used,
    'memory/memory.oom_control': () => `oom_kill_disable ${of.OomKillDisable ? 1 : 0}\nunder_oom 0\n`,
    'cpu/cpu.shares': () => number(of.CpuShares, 1024),
    'cpu/cpu.cfs_period_us': () => number(of.CpuPeriod, 100_000),
    'cpu/cpu.cfs_quota_us': () => number(of.CpuQuota, -1),
    'cpuset/cpuset.cpus': () => `${of.CpusetCpus || '0-3'}\n`,
    'cpuset/cpuset.mems': () => `${of.CpusetMems || '0'}\n`,
    'blkio/blkio.weight': () => number(of.BlkioWeight, 500),
    'pids/pids.max': () => (of.PidsLimit > 0 ? `${of.PidsLimit}\n` : 'max\n'),
  };
}

/** The path of a container's control group. */
export function cgroupPath({ hostConfig: { CgroupParent }, id }: Container): string {
  return CgroupParent ? `/${CgroupParent.replace(/^\/+|\/+$/g, '')}/${id}` : `/engine/${id}`;
}
