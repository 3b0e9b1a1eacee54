import { optionalLater, type Schema } from '../schema.ts';

const there = { presence: 'should' } as const satisfies Schema;
const since21 = { presence: 'should', since: '1.21' } as const satisfies Schema;
const since23 = { presence: 'should', since: '1.23' } as const satisfies Schema;
const strings = { type: 'array', items: { type: 'string' } } as const satisfies Schema;
const stringLists = { type: 'array', items: strings } as const satisfies Schema;

/** The answer of GET /info (Document 1, System information). */
export const systemInformation = {
  title: 'SystemInformation',
  type: 'object',
  properties: {
    Containers: there,
    CpuCfsPeriod: there,
    CpuCfsQuota: there,
    Debug: there,
    EngineRootDir: there,
    Driver: there,
    DriverStatus: { ...stringLists, presence: 'should' },
    ExecutionDriver: { ...there, until: '1.23' },
    ExperimentalBuild: there,
    HttpProxy: there,
    HttpsProxy: there,
    ID: there,
    IPv4Forwarding: there,
    Images: there,
    IndexServerAddress: there,
    InitPath: { ...there, until: '1.23' },
    InitSha1: { ...there, until: '1.23' },
    KernelVersion: there,
    Labels: { ...strings, presence: 'should', interpretations: ['null-for-empty'] },
    MemTotal: there,
    MemoryLimit: there,
    NCPU: there,
    NEventsListener: there,
    NFd: there,
    NGoroutines: there,
    Name: there,
    NoProxy: there,
    OomKillDisable: there,
    OperatingSystem: there,
    RegistryConfig: {
      type: 'object',
      presence: 'should',
      properties: {
        IndexConfigs: {
          type: 'object',
          presence: 'should',
          additionalProperties: {
            type: 'object',
            properties: {
              Mirrors: { presence: 'optional', interpretations: ['null-for-empty'] },
              Name: there,
              Official: { type: 'boolean', presence: 'should' },
              Secure: { type: 'boolean', presence: 'should' },
            },
          },
        },
        InsecureRegistryCIDRs: { ...strings, presence: 'should' },
      },
    },
    SwapLimit: there,
    SystemTime: { type: 'string', format: 'date-time', presence: 'should', interpretations: ['string-timestamp'] },
    ClusterStore: { ...since21, until: '1.23' },
    ServerVersion: since21,
    Architecture: since23,
    CgroupDriver: since23,
    ContainersRunning: since23,
    ContainersStopped: since23,
    ContainersPaused: since23,
    KernelMemory: { ...since23, until: '1.41' },
    OSType: since23,
    Plugins: {
      type: 'object',
      presence: 'should',
      since: '1.23',
      properties: {
        Volume: { ...strings, presence: 'should', ...optionalLater },
        Network: { ...strings, presence: 'should', ...optionalLater },
      },
    },
    SystemStatus: {
      ...stringLists,
      presence: 'should',
      ...optionalLater,
      since: '1.23',
      interpretations: ['null-for-empty'],
    },
    SecurityOptions: {
      type: 'array',
      items: { type: 'string', pattern: '^name=[^,]+(,[^,=]+=.*)?$' },
      presence: 'should',
      since: '1.25',
      source: [4, 'System and events'],
      says: 'each a name, as in name=seccomp, with keys and values behind it',
    },
  },
} as const satisfies Schema;

/** The answer of GET /version (Document 1, Version information). */
export const versionInformation = {
  title: 'VersionInformation',
  type: 'object',
  properties: {
    Version: there,
    Os: there,
    KernelVersion: there,
    GoVersion: there,
    GitCommit: there,
    Arch: there,
    ApiVersion: { type: 'string', presence: 'must', says: 'the API version' },
    Experimental: { type: 'boolean', presence: 'should', ...optionalLater, interpretations: ['absent-when-empty'] },
    BuildTime: { type: 'string', presence: 'should', since: '1.23' },
  },
} as const satisfies Schema;
