import { optionalLater, type Schema } from '../schema.ts';

const there = { presence: 'should' } as const satisfies Schema;
const count = { type: 'integer', presence: 'should', ...optionalLater } as const satisfies Schema;

const networkCounters = {
  title: 'NetworkCounters',
  type: 'object',
  properties: {
    rx_dropped: there,
    rx_bytes: there,
    rx_errors: there,
    tx_packets: there,
    tx_dropped: there,
    rx_packets: there,
    tx_errors: there,
    tx_bytes: there,
  },
} as const satisfies Schema;

const cpuStats = {
  title: 'CpuStats',
  type: 'object',
  properties: {
    cpu_usage: {
      type: 'object',
      presence: 'should',
      properties: {
        percpu_usage: { type: 'array', items: { type: 'integer' }, presence: 'should', ...optionalLater },
        usage_in_usermode: there,
        total_usage: there,
        usage_in_kernelmode: there,
      },
    },
    system_cpu_usage: { ...there, until: '1.23' },
    throttling_data: {
      type: 'object',
      presence: 'should',
      properties: { periods: there, throttled_periods: there, throttled_time: there },
    },
  },
} as const satisfies Schema;

/** One object of the stats stream (Document 1, Other container-related shapes). */
export const containerStats = {
  title: 'ContainerStats',
  type: 'object',
  properties: {
    read: { type: 'string', format: 'date-time', presence: 'must', interpretations: ['string-timestamp'] },
    pids_stats: { type: 'object', presence: 'should', since: '1.23', properties: { current: count } },
    network: { $ref: networkCounters, presence: 'should', until: '1.20' },
    networks: {
      type: 'object',
      presence: 'should',
      since: '1.21',
      says: 'interface names with the counters of each',
      additionalProperties: { $ref: networkCounters },
    },
    memory_stats: {
      type: 'object',
      presence: 'should',
      properties: {
        stats: {
          type: 'object',
          presence: 'should',
          properties: {
            total_pgmajfault: count,
            cache: count,
            mapped_file: count,
            total_inactive_file: count,
            pgpgout: count,
            rss: count,
            total_mapped_file: count,
            writeback: count,
            unevictable: count,
            pgpgin: count,
            total_unevictable: count,
            pgmajfault: count,
            total_rss: count,
            total_rss_huge: count,
            total_writeback: count,
            total_inactive_anon: count,
            rss_huge: count,
            hierarchical_memory_limit: count,
            total_pgfault: count,
            total_active_file: count,
            active_anon: count,
            total_active_anon: count,
            total_pgpgout: count,
            total_cache: count,
            inactive_anon: count,
            active_file: count,
            pgfault: count,
            inactive_file: count,
            total_pgpgin: count,
          },
        },
        max_usage: { ...there, until: '1.23' },
        usage: there,
        failcnt: { ...there, until: '1.23' },
        limit: there,
      },
    },
    blkio_stats: { type: 'object', presence: 'should' },
    cpu_stats: { $ref: cpuStats, presence: 'should' },
    precpu_stats: { $ref: cpuStats, presence: 'should', interpretations: ['precpu-first'] },
  },
} as const satisfies Schema;
