import { cpus, totalmem, uptime } from 'node:os';
import { now, timestamp } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import type { Container } from '../container.ts';

const interval = 1000;
const mib = 1_048_576;
/** A client is disconnected when this many bytes pile up for it. */
const largestBacklog = 16 * 1024 * 1024;

/** GET /containers/{id}/stats (Document 2): an object at once, then one each second until the container stops. */
export function containerStats(call: Call): void {
  const container = call.engine.containers.get(call.param('id'));
  const stream = call.query.flag('stream', true);
  const { res } = call;
  res.writeHead(200, { 'Content-Type': 'application/json' });
  let previous = cpuStats(undefined);
  const send = (): void => {
    const cpu = cpuStats(container);
    res.write(`${JSON.stringify(statsObject(container, call, cpu, previous))}\n`);
    previous = cpu;
    if (res.writableLength > largestBacklog) res.destroy();
  };
  send();
  if (!stream || !container.state.running) {
    res.end();
    return;
  }
  const timer = setInterval(send, interval);
  const finish = (): void => {
    clearInterval(timer);
    if (!res.writableEnded) res.end();
  };
  const offStop = container.onStop(finish);
  call.onGone(() => {
    offStop();
    finish();
  });
}

/** The reading of the processor; all zero without a container. */
function cpuStats(container: Container | undefined): object {
  const total = container ? Number(processorTime(container)) : 0;
  const cores = cpus().length || 1;
  const percpu = Array.from({ length: cores }, (_, core) => (core === 0 ? total : 0));
  const kernel = Math.floor(total / 4);
  return {
    cpu_usage: {
      total_usage: total,
      percpu_usage: percpu,
      usage_in_kernelmode: kernel,
      usage_in_usermode: total - kernel,
    },
    system_cpu_usage: container ? Math.floor(uptime() * 1e9) * cores : 0,
    throttling_data: { periods: 0, throttled_periods: 0, throttled_time: 0 },
  };
}

/** Nanoseconds that the processes of this run used, including those that have ended. */
function processorTime({ process, execs, state }: Container): bigint {
  if (!process) return 0n;
  const ofRun = execs.filter(({ startedAt }) => startedAt !== undefined && startedAt >= (state.startedAt ?? 0n));
  return ofRun.reduce((sum, exec) => sum + (exec.process?.processorTime ?? 0n), process.processorTime);
}

function statsObject(container: Container, call: Call, cpu: object, previous: object): object {
  const processes = container.processes.reduce((sum, { children }) => sum + 1 + children.length, 0);
  return {
    read: timestamp(now()),
    ...(call.since('1.23') ? { pids_stats: { current: processes } } : {}),
    ...(call.since('1.21') ? { networks: networks(container) } : { network: counters() }),
    memory_stats: memoryStats(container),
    blkio_stats: {},
    cpu_stats: cpu,
    precpu_stats: previous,
  };
}

/** The counters of an interface. The simulated network counts no packets. */
function counters(): object {
  return {
    rx_bytes: 0,
    rx_packets: 0,
    rx_errors: 0,
    rx_dropped: 0,
    tx_bytes: 0,
    tx_packets: 0,
    tx_errors: 0,
    tx_dropped: 0,
  };
}

function networks(container: Container): Record<string, object> {
  const interfaces = container.process?.options.network.interfaces ?? [];
  return Object.fromEntries(interfaces.filter(({ name }) => name !== 'lo').map(({ name }) => [name, counters()]));
}

const memoryCounters = (
  'cache mapped_file pgpgin pgpgout pgfault pgmajfault writeback unevictable rss rss_huge inactive_anon active_anon ' +
  'inactive_file active_file'
).split(' ');

function memoryStats({ processes, hostConfig }: Container): object {
  const rss = processes.reduce((sum, process) => sum + process.allocatedMib, 0) * mib;
  const usage = processes.length > 0 ? rss + mib : 0;
  const limit = hostConfig.Memory || totalmem();
  const pages = Math.floor(usage / 4096);
  const known: Readonly<Record<string, number>> = {
    cache: usage - rss,
    rss,
    active_anon: rss,
    active_file: usage - rss,
    pgfault: pages,
    pgpgin: pages,
  };
  const stats: Record<string, number> = { hierarchical_memory_limit: limit };
  for (const name of memoryCounters) {
    stats[name] = known[name] ?? 0;
    stats[`total_${name}`] = known[name] ?? 0;
  }
  return { usage, max_usage: usage, failcnt: 0, limit, stats };
}
