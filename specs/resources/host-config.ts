import type { Schema } from '../schema.ts';

const strings = { type: 'array', items: { type: 'string' }, presence: 'echo' } as const satisfies Schema;
const stringMap = {
  type: 'object',
  additionalProperties: { type: 'string' },
  presence: 'echo',
} as const satisfies Schema;
const text = { type: 'string', presence: 'echo' } as const satisfies Schema;
const flag = { type: 'boolean', presence: 'echo' } as const satisfies Schema;
const number = { type: 'integer', presence: 'echo' } as const satisfies Schema;

const throttle = {
  type: 'array',
  presence: 'echo',
  since: '1.23',
  items: {
    type: 'object',
    properties: {
      Path: text,
      Rate: { type: ['string', 'integer'], presence: 'echo', interpretations: ['blkio-rate'] },
    },
  },
} as const satisfies Schema;

/** What the host gives a container (Document 1, HostConfig). */
export const hostConfig = {
  title: 'HostConfig',
  type: 'object',
  properties: {
    Binds: { ...strings, says: 'host paths, and since 1.21 volume names, with the place in the container' },
    Tmpfs: { ...stringMap, since: '1.23', says: 'directories with the mount options of a tmpfs on each' },
    Links: { ...strings, says: 'other containers in the form name:alias' },
    LxcConf: {
      anyOf: [{ type: 'object' }, { type: 'array' }],
      presence: 'echo',
      until: '1.21',
      says: 'settings of the lxc execution driver',
      interpretations: ['lxc-conf'],
    },
    Memory: { ...number, says: 'the memory limit in bytes' },
    MemorySwap: { ...number, says: 'memory plus swap in bytes, -1 for no limit of swap' },
    MemoryReservation: { ...number, since: '1.21', says: 'the soft memory limit in bytes' },
    KernelMemory: { ...number, since: '1.21', until: '1.41', says: 'the kernel memory limit in bytes' },
    CpuShares: { ...number, says: 'the relative weight for the CPU' },
    CpuPeriod: { ...number, says: 'the CPU period in microseconds' },
    CpuQuota: { ...number, says: 'CPU time per period in microseconds' },
    CpusetCpus: { ...text, says: 'the CPUs allowed' },
    CpusetMems: { ...text, says: 'the memory nodes allowed' },
    BlkioWeight: {
      ...number,
      minimum: 10,
      maximum: 1000,
      says: 'the weight for block IO',
      interpretations: ['blkio-host'],
    },
    BlkioWeightDevice: {
      type: 'array',
      presence: 'echo',
      since: '1.23',
      interpretations: ['blkio-host'],
      items: { type: 'object', properties: { Path: text, Weight: number } },
    },
    BlkioDeviceReadBps: { ...throttle, says: 'devices with a limit of bytes read per second' },
    BlkioDeviceWriteBps: { ...throttle, says: 'devices with a limit of bytes written per second' },
    BlkioDeviceReadIOps: { ...throttle, says: 'devices with a limit of reads per second' },
    BlkioDeviceWriteIOps: { ...throttle, says: 'devices with a limit of writes per second' },
    MemorySwappiness: { ...number, minimum: 0, maximum: 100, interpretations: ['null-for-integer'] },
    OomKillDisable: flag,
    OomScoreAdj: { ...number, since: '1.23', says: 'the preference of the kernel when it kills for lack of memory' },
    PidMode: { ...text, says: 'empty, host, or the container whose process ids are shared' },
    PidsLimit: {
      ...number,
      since: '1.23',
      says: 'the maximum number of processes, -1 for no limit',
      interpretations: ['null-for-integer'],
    },
    PortBindings: {
      type: 'object',
      presence: 'echo',
      says: 'container ports with their ports on the host',
      additionalProperties: { type: 'array', items: { type: 'object', properties: { HostPort: text } } },
    },
    PublishAllPorts: { ...flag, says: 'every exposed port gets a random port of the host' },
    Privileged: { ...flag, says: 'full access to the host' },
    ReadonlyRootfs: { ...flag, says: 'the root file system is read-only' },
    Dns: { ...strings, says: 'name servers' },
    DnsOptions: { ...strings, since: '1.21', says: 'resolver options' },
    DnsSearch: { ...strings, says: 'search domains' },
    ExtraHosts: { ...strings, says: 'further hosts in the form hostname:IP' },
    VolumesFrom: { ...strings, says: 'containers whose volumes are shared' },
    CapAdd: { ...strings, says: 'kernel capabilities added' },
    CapDrop: { ...strings, says: 'kernel capabilities dropped' },
    GroupAdd: { ...strings, says: 'additional groups' },
    AutoRemove: { ...flag, since: '1.25', source: [4, 'Containers'], says: 'the container is removed when it exits' },
    RestartPolicy: {
      type: 'object',
      presence: 'echo',
      properties: {
        Name: { ...text, says: 'what to do when the container exits' },
        MaximumRetryCount: { ...number, says: 'the maximum number of restarts with on-failure' },
      },
    },
    UsernsMode: { ...text, since: '1.23', says: 'host, where user namespaces are remapped' },
    NetworkMode: { ...text, says: 'bridge, host, none, another container, or since 1.21 a network' },
    Devices: {
      type: 'array',
      presence: 'echo',
      items: { type: 'object', properties: { PathOnHost: text, PathInContainer: text, CgroupPermissions: text } },
    },
    Ulimits: {
      type: 'array',
      presence: 'echo',
      items: { type: 'object', properties: { Name: text, Soft: number, Hard: number } },
    },
    SecurityOpt: { ...strings, says: 'labels for security systems' },
    LogConfig: {
      type: 'object',
      presence: 'echo',
      properties: { Type: text, Config: stringMap },
    },
    CgroupParent: { ...text, says: 'the parent cgroup' },
    VolumeDriver: { ...text, since: '1.21', says: 'the driver that mounts volumes' },
    ShmSize: { ...number, since: '1.23', says: 'the size of /dev/shm in bytes', interpretations: ['shmsize-zero'] },
  },
} as const satisfies Schema;
