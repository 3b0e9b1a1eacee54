import fc from 'fast-check';
import { type Settings, settingsOf, type Values } from '../../../harness/generators/settings.ts';
import {
  addresses,
  directories,
  distinct,
  domains,
  environments,
  hostnames,
  labelMaps,
  texts,
  words,
} from '../../../harness/generators/texts.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { containerConfig } from '../../../specs/resources/container-config.ts';
import { hostConfig } from '../../../specs/resources/host-config.ts';
import { type ApiVersion, atLeast } from '../../../specs/versions.ts';

const mebibyte = 1024 * 1024;

/** A map whose values are empty objects, which stands for a set. */
function setOf(members: fc.Arbitrary<string>): fc.Arbitrary<Record<string, Record<string, never>>> {
  return distinct(members).map((names) => Object.fromEntries(names.map((name) => [name, {}])));
}

/** Ports in the form `<port>/<tcp or udp>`. */
const ports: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom(1, 80, 65_535)), fc.constantFrom('tcp', 'udp'))
  .map((parts) => parts.join('/'));

/** A command of one word may be a string. */
const commands = fc.oneof(
  words,
  fc.tuple(words, fc.array(texts, { maxLength: 3 })).map(([first, others]) => [first, ...others]),
);

const configValues: Values = {
  Hostname: hostnames,
  Domainname: domains,
  User: fc.constantFrom('probe', 'root', '0', '1000', '1000:2000', 'probe:extra'),
  Env: environments(),
  Labels: labelMaps,
  Cmd: commands,
  Entrypoint: commands,
  Image: 'it is the probe image',
  Volumes: setOf(directories('volume')),
  WorkingDir: directories('work'),
  MacAddress: fc
    .array(fc.integer({ min: 0, max: 255 }), { minLength: 5, maxLength: 5 })
    .map((bytes) => ['02', ...bytes.map((byte) => byte.toString(16).padStart(2, '0'))].join(':')),
  ExposedPorts: setOf(ports),
  // Signal numbers have a rule of their own, as engines differ in them.
  StopSignal: fc.constantFrom('SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGKILL'),
};

/** Members of the container configuration without HostConfig (Document 1, Container configuration). */
export function configsIn(api: ApiVersion): fc.Arbitrary<Settings> {
  return settingsOf(containerConfig, api, configValues).map((config) => {
    // Closing stdin after the first client only makes sense where it is open.
    const { StdinOnce, ...others } = config;
    const closed = config.OpenStdin === true && StdinOnce !== undefined ? config : others;
    // From 1.44 on the address belongs to an endpoint, and without a network there is none (Document 4, Containers).
    const { MacAddress: _, ...unaddressed } = closed;
    return atLeast(api, '1.44') && config.NetworkDisabled === true ? unaddressed : closed;
  });
}

const upToHost = 'it is up to the host, see hostLimitsIn';
const ofAnother = 'it names another container, which has to be made first';

export function hostConfigValues(api: ApiVersion): Values {
  const policies = ['', 'always', ...(atLeast(api, '1.21') ? ['unless-stopped'] : [])];
  // Capabilities that engines grant by default, and others: adding a default one or dropping one of the others would
  // change nothing.
  const [usual, more] = [
    ['CHOWN', 'KILL', 'SETUID', 'SETGID', 'FOWNER', 'SYS_CHROOT'],
    ['NET_ADMIN', 'SYS_TIME', 'SYS_PTRACE', 'SYS_NICE'],
  ];
  return {
    Binds: distinct(directories('bind')).map((places) =>
      places.map((place, number) => `/tmp:${place}${number % 2 === 0 ? ':ro' : ''}`),
    ),
    Tmpfs: fc.dictionary(directories('tmpfs'), fc.constantFrom('rw', 'size=65536k', 'rw,noexec,size=65536k'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    Links: ofAnother,
    LxcConf: fc.dictionary(fc.constantFrom('lxc.utsname', 'lxc.aa_profile', 'lxc.cgroup.cpuset.cpus'), words, {
      minKeys: 1,
      noNullPrototype: true,
    }),
    // Engines require at least a few MiB.
    Memory: fc.integer({ min: 16, max: 1_024 }).map((size) => size * mebibyte),
    MemorySwap: fc.oneof(
      fc.constant(-1),
      fc.integer({ min: 1_025, max: 2_048 }).map((size) => size * mebibyte),
    ),
    MemoryReservation: fc.integer({ min: 8, max: 16 }).map((size) => size * mebibyte),
    KernelMemory: upToHost,
    CpuShares: fc.integer({ min: 2, max: 262_144 }),
    CpuPeriod: fc.integer({ min: 1_000, max: 1_000_000 }),
    CpuQuota: fc.integer({ min: 1_000, max: 1_000_000 }),
    CpusetCpus: fc.constantFrom('0', '0-0', '0,0'),
    CpusetMems: fc.constantFrom('0', '0-0'),
    BlkioWeightDevice: upToHost,
    BlkioDeviceReadBps: upToHost,
    BlkioDeviceWriteBps: upToHost,
    BlkioDeviceReadIOps: upToHost,
    BlkioDeviceWriteIOps: upToHost,
    OomScoreAdj: fc.integer({ min: -1_000, max: 1_000 }),
    PidMode: fc.constantFrom('', 'host'),
    PidsLimit: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 100_000 })),
    PortBindings: bindings,
    Dns: distinct(addresses),
    DnsOptions: distinct(fc.constantFrom('timeout:3', 'attempts:2', 'rotate', 'ndots:1')),
    DnsSearch: distinct(domains),
    ExtraHosts: distinct(fc.tuple(hostnames, addresses).map((parts) => parts.join(':'))),
    VolumesFrom: ofAnother,
    CapAdd: fc.subarray(more),
    CapDrop: fc.subarray(usual),
    GroupAdd: distinct(fc.constantFrom('extra', '2000', '3000')),
    RestartPolicy: fc.oneof(
      fc.constantFrom(...policies).map((Name) => ({ Name })),
      fc.record({ Name: fc.constant('on-failure'), MaximumRetryCount: fc.integer({ min: 0, max: 100 }) }),
    ),
    UsernsMode: fc.constantFrom('', 'host'),
    // Most of what is generated needs a network.
    NetworkMode: fc.oneof({ weight: 5, arbitrary: fc.constant('bridge') }, fc.constantFrom('host', 'none')),
    Devices: distinct(
      fc.record({
        PathOnHost: fc.constantFrom('/dev/null', '/dev/zero', '/dev/full'),
        PathInContainer: words.map((word) => `/dev/ec-${word}`),
        CgroupPermissions: fc.constantFrom('m', 'r', 'rw', 'mrw'),
      }),
      ({ PathInContainer }) => PathInContainer,
    ),
    Ulimits: distinct(
      fc
        .tuple(fc.constantFrom('nofile', 'nproc', 'core', 'stack'), fc.nat(512), fc.nat(512))
        .map(([Name, Soft, more]) => ({ Name, Soft, Hard: Soft + more })),
      ({ Name }) => Name,
    ),
    SecurityOpt: fc.subarray(['label:disable']),
    LogConfig: fc.record({
      Type: fc.constant('json-file'),
      Config: fc.record(
        { 'max-size': fc.constantFrom('1m', '10k'), 'max-file': fc.constantFrom('2', '5') },
        { requiredKeys: [], noNullPrototype: true },
      ),
    }),
    CgroupParent: fc.constantFrom('ec-parent', '/ec-parent'),
    VolumeDriver: fc.constant('local'),
    ShmSize: fc.integer({ min: 1, max: 256 }).map((size) => size * mebibyte),
  };
}

/** Host ports are only recorded before a container starts. */
const bindings = fc.dictionary(
  ports,
  distinct(fc.integer({ min: 1_024, max: 65_535 }), (port) => port)
    .filter((list) => list.length > 0)
    .map((list) => list.map((port) => ({ HostPort: String(port) }))),
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);

/** Combinations of HostConfig members that are valid together (Document 1, HostConfig). */
export function hostConfigsIn(api: ApiVersion): fc.Arbitrary<Settings> {
  return settingsOf(hostConfig, api, hostConfigValues(api)).map((generated) => {
    const left = new Set<string>();
    const { Memory, NetworkMode } = generated;
    // These refine a limit that has to be set.
    if (Memory === undefined) for (const name of ['MemorySwap', 'MemoryReservation', 'OomKillDisable']) left.add(name);
    // A container on the host's network, or without a network, has no network of its own to configure.
    if (NetworkMode === 'host' || NetworkMode === 'none') {
      for (const name of ['PortBindings', 'PublishAllPorts', 'Dns', 'DnsSearch', 'DnsOptions', 'ExtraHosts']) {
        left.add(name);
      }
    }
    // A container that is removed when it ends cannot be started again.
    const { Name } = Object(generated.RestartPolicy);
    if (Name !== undefined && Name !== '') left.add('AutoRemove');
    // Capabilities that a privileged container has anyway.
    if (generated.Privileged === true) for (const name of ['CapAdd', 'CapDrop', 'SecurityOpt']) left.add(name);
    return Object.fromEntries(Object.entries(generated).filter(([name]) => !left.has(name)));
  });
}

/** Limits for devices that every Linux host has. */
const deviceLimits = (limit: 'Rate' | 'Weight', values: fc.Arbitrary<number>): fc.Arbitrary<JsonValue> =>
  fc
    .subarray(['/dev/zero', '/dev/null'], { minLength: 1 })
    .chain((paths) => fc.tuple(...paths.map((Path) => values.map((value) => ({ Path, [limit]: value })))));

const rates = deviceLimits('Rate', fc.integer({ min: 1, max: 2 ** 40 }));

const { KernelMemory, BlkioWeightDevice, BlkioDeviceReadBps, BlkioDeviceWriteBps } = hostConfig.properties;
const { BlkioDeviceReadIOps, BlkioDeviceWriteIOps } = hostConfig.properties;
const ofDevices = { BlkioDeviceReadBps, BlkioDeviceWriteBps, BlkioDeviceReadIOps, BlkioDeviceWriteIOps };

/** Limits in HostConfig that a daemon may refuse or discard where its host does not support them. */
export function hostLimitsIn(api: ApiVersion): fc.Arbitrary<Settings> {
  return settingsOf({ properties: { KernelMemory, BlkioWeightDevice, ...ofDevices } }, api, {
    // Never more than Memory.
    KernelMemory: fc.integer({ min: 8, max: 16 }).map((size) => size * mebibyte),
    BlkioWeightDevice: deviceLimits('Weight', fc.integer({ min: 10, max: 1_000 })),
    ...Object.fromEntries(Object.keys(ofDevices).map((name) => [name, rates])),
  });
}

/** A container configuration and a HostConfig that are valid together. */
export function bodiesIn(api: ApiVersion): fc.Arbitrary<{ readonly config: Settings; readonly hostConfig: Settings }> {
  return fc.record({ config: configsIn(api), hostConfig: hostConfigsIn(api) }).map(({ config, hostConfig }) => {
    const { MacAddress, ...others } = config;
    // Only a network of its own gives a container an address.
    const hasNetwork = (hostConfig.NetworkMode ?? 'bridge') === 'bridge';
    return { config: hasNetwork && MacAddress !== undefined ? config : others, hostConfig };
  });
}
