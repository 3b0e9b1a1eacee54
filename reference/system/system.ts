import { arch, cpus, release, totalmem } from 'node:os';
import { now, timestamp } from '../clock.ts';
import type { Call } from '../http/call.ts';
import { newestOf } from '../http/versions.ts';
import { newId } from '../identifiers.ts';
import { engineVersion } from '../images/shapes.ts';

const daemonId = newId()
  .slice(0, 48)
  .toUpperCase()
  .replace(/(.{4})(?=.)/g, '$1:');
const processor = arch() === 'arm64' ? 'arm64' : 'amd64';

/** GET /_ping */
export function ping(call: Call): void {
  call.answerText(200, 'text/plain', 'OK');
}

/** GET /version (Document 1, Version information). */
export function version(call: Call): void {
  call.answer(200, {
    Version: engineVersion,
    Os: 'linux',
    KernelVersion: release(),
    GoVersion: 'go1.5.4',
    GitCommit: 'reference',
    Arch: processor,
    ApiVersion: newestOf(call.engine.serves),
    ...(call.since('1.25') ? { MinAPIVersion: call.engine.serves[0] } : {}),
    Experimental: false,
    ...(call.since('1.23') ? { BuildTime: '2016-04-13T00:00:00.000000000+00:00' } : {}),
  });
}

/** GET /info (Document 1, System information). */
export function info(call: Call): void {
  const { engine, words } = call;
  const containers = engine.containers.all();
  const count = (status: readonly string[]): number => containers.filter((one) => status.includes(one.status)).length;
  const running = count(['running', 'restarting']);
  const paused = count(['paused']);
  call.answer(200, {
    ID: daemonId,
    Containers: containers.length,
    Images: engine.images.size,
    Driver: 'memory',
    DriverStatus: [['Backing Filesystem', 'memory']],
    MemoryLimit: true,
    SwapLimit: true,
    CpuCfsPeriod: true,
    CpuCfsQuota: true,
    IPv4Forwarding: true,
    OomKillDisable: true,
    Debug: false,
    NFd: 20,
    NGoroutines: 30,
    NEventsListener: engine.events.listeners,
    SystemTime: timestamp(now()),
    ...(call.since('1.24') ? {} : { ExecutionDriver: 'simulated-0.1', InitPath: '', InitSha1: '' }),
    KernelVersion: release(),
    OperatingSystem: 'reference engine',
    IndexServerAddress: 'https://registry.invalid/v1/',
    RegistryConfig: {
      IndexConfigs: { 'registry.invalid': { Mirrors: [], Name: 'registry.invalid', Official: true, Secure: true } },
      InsecureRegistryCIDRs: ['127.0.0.0/8'],
    },
    NCPU: cpus().length || 1,
    MemTotal: totalmem(),
    [words.EngineRootDir]: '/var/lib/engine',
    HttpProxy: '',
    HttpsProxy: '',
    NoProxy: '',
    Name: 'engine',
    Labels: [],
    ExperimentalBuild: false,
    ...(call.since('1.21') ? { ServerVersion: engineVersion } : {}),
    ...(call.since('1.21') && !call.since('1.24') ? { ClusterStore: '' } : {}),
    ...(call.since('1.23')
      ? {
          Architecture: processor === 'arm64' ? 'aarch64' : 'x86_64',
          CgroupDriver: 'cgroupfs',
          ContainersRunning: running,
          ContainersPaused: paused,
          ContainersStopped: containers.length - running - paused,
          ...(call.since('1.42') ? {} : { KernelMemory: true }),
          OSType: 'linux',
          Plugins: { Volume: ['local'], Network: ['bridge', 'host', 'null'] },
          SystemStatus: [],
        }
      : {}),
    ...(call.since('1.25') ? { SecurityOptions: ['name=seccomp,profile=default'] } : {}),
  });
}
