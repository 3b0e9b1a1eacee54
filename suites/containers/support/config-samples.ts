import type { JsonValue } from '../../../harness/streams/json.ts';

const mebibyte = 1024 * 1024;
const throttle = [{ Path: '/dev/zero', Rate: mebibyte }];

/**
 * A value for each field of the create body that needs nothing else on the daemon. None of these containers is started,
 * so nothing on the host is used.
 */
export const configSamples: Readonly<Record<string, JsonValue>> = {
  Hostname: 'probe-host',
  Domainname: 'example.test',
  User: 'probe',
  AttachStdin: true,
  AttachStdout: true,
  AttachStderr: true,
  Tty: true,
  OpenStdin: true,
  StdinOnce: true,
  Env: ['EC_ONE=1', 'EC_TWO=a=b c'],
  Labels: { 'ec.one': '1', 'ec.two': 'a=b' },
  Cmd: ['out', 'hello', 'exit', '3'],
  Entrypoint: ['/probe', 'args'],
  Volumes: { '/ec-volume': {} },
  WorkingDir: '/work',
  NetworkDisabled: true,
  MacAddress: '02:42:ac:11:00:99',
  ExposedPorts: { '8080/tcp': {}, '8081/udp': {} },
  StopSignal: 'SIGUSR1',
  'HostConfig.Binds': ['/tmp:/ec-bind:ro'],
  'HostConfig.Tmpfs': { '/ec-tmpfs': 'rw,size=65536k' },
  'HostConfig.Memory': 64 * mebibyte,
  'HostConfig.MemorySwap': -1,
  'HostConfig.MemoryReservation': 32 * mebibyte,
  'HostConfig.KernelMemory': 64 * mebibyte,
  'HostConfig.CpuShares': 512,
  'HostConfig.CpuPeriod': 50_000,
  'HostConfig.CpuQuota': 25_000,
  'HostConfig.CpusetCpus': '0',
  'HostConfig.CpusetMems': '0',
  'HostConfig.BlkioWeight': 300,
  'HostConfig.BlkioWeightDevice': [{ Path: '/dev/zero', Weight: 200 }],
  'HostConfig.BlkioDeviceReadBps': throttle,
  'HostConfig.BlkioDeviceWriteBps': throttle,
  'HostConfig.BlkioDeviceReadIOps': throttle,
  'HostConfig.BlkioDeviceWriteIOps': throttle,
  'HostConfig.MemorySwappiness': 50,
  'HostConfig.OomKillDisable': true,
  'HostConfig.OomScoreAdj': 500,
  'HostConfig.PidMode': 'host',
  'HostConfig.PidsLimit': 100,
  'HostConfig.PortBindings': { '8080/tcp': [{ HostPort: '28080' }] },
  'HostConfig.PublishAllPorts': true,
  'HostConfig.Privileged': true,
  'HostConfig.ReadonlyRootfs': true,
  'HostConfig.Dns': ['192.0.2.1'],
  'HostConfig.DnsOptions': ['timeout:3'],
  'HostConfig.DnsSearch': ['example.test'],
  'HostConfig.ExtraHosts': ['ec-host:192.0.2.2'],
  'HostConfig.CapAdd': ['NET_ADMIN'],
  'HostConfig.CapDrop': ['MKNOD'],
  'HostConfig.GroupAdd': ['extra'],
  'HostConfig.AutoRemove': true,
  'HostConfig.RestartPolicy': { Name: 'on-failure', MaximumRetryCount: 3 },
  'HostConfig.UsernsMode': 'host',
  'HostConfig.NetworkMode': 'none',
  'HostConfig.Devices': [{ PathOnHost: '/dev/null', PathInContainer: '/dev/ec-null', CgroupPermissions: 'mrw' }],
  'HostConfig.Ulimits': [{ Name: 'nofile', Soft: 512, Hard: 1024 }],
  'HostConfig.SecurityOpt': ['label:disable'],
  'HostConfig.LogConfig': { Type: 'json-file', Config: { 'max-size': '1m' } },
  'HostConfig.CgroupParent': 'ec-parent',
  'HostConfig.VolumeDriver': 'local',
  'HostConfig.ShmSize': 32 * mebibyte,
};

/** What has to be sent along with a field that cannot stand alone. */
export const companions: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  StdinOnce: { OpenStdin: true },
  'HostConfig.MemorySwap': { 'HostConfig.Memory': 64 * mebibyte },
  'HostConfig.OomKillDisable': { 'HostConfig.Memory': 64 * mebibyte },
  'HostConfig.MemoryReservation': { 'HostConfig.Memory': 64 * mebibyte },
  'HostConfig.KernelMemory': { 'HostConfig.Memory': 128 * mebibyte },
  'HostConfig.PublishAllPorts': { ExposedPorts: { '8080/tcp': {} } },
  'HostConfig.PortBindings': { ExposedPorts: { '8080/tcp': {} } },
};

const hostConfig = (...names: readonly string[]) => names.map((name) => `HostConfig.${name}`);

/** Fields that do not affect one another, and that inspect shows separately. */
export const fieldsTogether: readonly (readonly string[])[] = [
  [
    ...[
      'Hostname',
      'Domainname',
      'User',
      'Env',
      'Labels',
      'Cmd',
      'Entrypoint',
      'Volumes',
      'WorkingDir',
      'ExposedPorts',
    ],
    ...['StopSignal', 'AttachStdin', 'AttachStdout', 'AttachStderr', 'Tty', 'OpenStdin', 'StdinOnce'],
  ],
  hostConfig(
    ...['Binds', 'Tmpfs', 'OomScoreAdj', 'PortBindings', 'PublishAllPorts', 'ReadonlyRootfs', 'Dns', 'DnsOptions'],
    ...[
      'DnsSearch',
      'ExtraHosts',
      'CapAdd',
      'CapDrop',
      'GroupAdd',
      'RestartPolicy',
      'UsernsMode',
      'Devices',
      'Ulimits',
    ],
    ...['SecurityOpt', 'LogConfig', 'CgroupParent', 'VolumeDriver', 'ShmSize', 'PidsLimit'],
  ),
  hostConfig(
    ...['Memory', 'MemorySwap', 'MemoryReservation', 'MemorySwappiness', 'OomKillDisable'],
    ...['CpuShares', 'CpuPeriod', 'CpuQuota', 'CpusetCpus', 'CpusetMems'],
  ),
  hostConfig(
    ...['BlkioWeight', 'BlkioWeightDevice', 'BlkioDeviceReadBps', 'BlkioDeviceWriteBps', 'BlkioDeviceReadIOps'],
    'BlkioDeviceWriteIOps',
  ),
];
