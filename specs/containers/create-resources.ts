import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

/** What fields of HostConfig about memory, processors and processes do, besides being accepted (Document 1, HostConfig). */
export function createResourceRules(endpoint: Endpoint) {
  return rules(
    'containers.create.host-config',
    { endpoint, source: [1, 'HostConfig'] },
    {
      memory: {
        kind: 'field',
        says: 'limits the memory of the container to Memory',
        row: 'Memory',
        interpretations: ['host-limits'],
        needs: running,
      },
      'memory-swap': {
        kind: 'field',
        says: 'limits memory plus swap of the container to MemorySwap',
        row: 'MemorySwap',
        interpretations: ['host-limits'],
        needs: running,
      },
      'memory-swap-unlimited': {
        kind: 'field',
        says: 'sets no limit for swap with a MemorySwap of -1 and Memory',
        row: 'MemorySwap',
        interpretations: ['host-limits'],
        needs: running,
      },
      'memory-reservation': {
        kind: 'field',
        says: 'sets the soft memory limit of the container to MemoryReservation',
        row: 'MemoryReservation',
        level: 'should',
        interpretations: ['soft-limit', 'host-limits'],
        since: '1.21',
        needs: running,
      },
      'cpu-shares': {
        kind: 'field',
        says: 'gives the container with more CpuShares more weight for the CPU',
        row: 'CpuShares',
        interpretations: ['host-limits'],
        needs: running,
      },
      'cpu-period': {
        kind: 'field',
        says: 'measures the CPU time of the container by CpuPeriod',
        row: 'CpuPeriod',
        interpretations: ['host-limits'],
        needs: running,
      },
      'cpu-quota': {
        kind: 'field',
        says: 'limits the CPU time of the container to CpuQuota',
        row: 'CpuQuota',
        interpretations: ['host-limits'],
        needs: running,
      },
      'cpuset-cpus': {
        kind: 'field',
        says: 'keeps the container to the CPUs in CpusetCpus',
        row: 'CpusetCpus',
        interpretations: ['host-limits'],
        needs: running,
      },
      'cpuset-range': {
        kind: 'field',
        says: 'accepts a range of CPUs in CpusetCpus',
        row: 'CpusetCpus',
        interpretations: ['host-limits'],
      },
      'cpuset-list': {
        kind: 'field',
        says: 'accepts a list of CPUs in CpusetCpus',
        row: 'CpusetCpus',
        interpretations: ['host-limits'],
      },
      'oom-score-adj': {
        kind: 'field',
        says: 'gives the process the OOM score adjustment in OomScoreAdj',
        row: 'OomScoreAdj',
        since: '1.23',
        needs: running,
      },
      'pids-limit': {
        kind: 'field',
        says: 'limits the processes of the container to PidsLimit',
        row: 'PidsLimit',
        interpretations: ['host-limits'],
        since: '1.23',
        needs: running,
      },
      'pids-limit-unlimited': {
        kind: 'field',
        says: 'sets no limit for the processes of the container with a PidsLimit of -1',
        row: 'PidsLimit',
        interpretations: ['host-limits'],
        since: '1.23',
        needs: running,
      },
    },
  );
}
