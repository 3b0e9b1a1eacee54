import { isIP } from 'node:net';
import type { ApiVersion, Span } from '../../../specs/versions.ts';
import { atLeast, holdsIn, isDocumented } from '../../../specs/versions.ts';
import type { Words } from '../../../specs/words.ts';
import type { Dialect } from '../../dialect.ts';
import { badParameter } from '../../errors.ts';
import { Fields, isObject } from '../../http/fields.ts';
import { isCapability } from '../../process/capabilities.ts';
import { parseBind } from '../mounts/binds.ts';
import { readTmpfsOptions } from '../mounts/tmpfs-options.ts';
import { portForm } from './config.ts';
import { type Resources, readResources } from './resources.ts';

export interface PortBinding {
  readonly HostIp?: string;
  readonly HostPort: string;
}

interface Ulimit {
  readonly Name: string;
  readonly Soft: number;
  readonly Hard: number;
}

interface Device {
  readonly PathOnHost: string;
  readonly PathInContainer: string;
  readonly CgroupPermissions: string;
}

/** A HostConfig (Document 1) as it is kept, with the members of every version. */
export interface HostConfig extends Resources {
  readonly Binds: readonly string[];
  readonly Tmpfs: Readonly<Record<string, string>>;
  readonly Links: readonly string[];
  readonly LxcConf: readonly object[];
  readonly BlkioWeightDevice: readonly object[];
  readonly BlkioDeviceReadBps: readonly object[];
  readonly BlkioDeviceWriteBps: readonly object[];
  readonly BlkioDeviceReadIOps: readonly object[];
  readonly BlkioDeviceWriteIOps: readonly object[];
  readonly MemorySwappiness: number | null;
  readonly OomKillDisable: boolean;
  readonly OomScoreAdj: number;
  readonly PidMode: string;
  readonly PidsLimit: number;
  readonly PortBindings: Readonly<Record<string, readonly PortBinding[]>>;
  readonly PublishAllPorts: boolean;
  readonly Privileged: boolean;
  readonly ReadonlyRootfs: boolean;
  readonly Dns: readonly string[];
  readonly DnsOptions: readonly string[];
  readonly DnsSearch: readonly string[];
  readonly ExtraHosts: readonly string[];
  readonly VolumesFrom: readonly string[];
  readonly CapAdd: readonly string[];
  readonly CapDrop: readonly string[];
  readonly GroupAdd: readonly string[];
  readonly UsernsMode: string;
  readonly NetworkMode: string;
  readonly Devices: readonly Device[];
  readonly Ulimits: readonly Ulimit[];
  readonly SecurityOpt: readonly string[];
  readonly LogConfig: { readonly Type: string; readonly Config: Readonly<Record<string, string>> };
  readonly CgroupParent: string;
  readonly VolumeDriver: string;
  readonly ShmSize: number;
  readonly ContainerIDFile: string;
  readonly IpcMode: string;
  readonly AutoRemove: boolean;
}

const limitNames = new Set(
  'core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime sigpending stack'.split(' '),
);

const pairForm = (text: string): boolean => /^\/?[^:]+:[^:]+$/.test(text);
const hostForm = (text: string): boolean => /^[^:\s]+:/.test(text) && isIP(text.slice(text.indexOf(':') + 1)) !== 0;
const sourceForm = (text: string): boolean => /^[^:]+(:(ro|rw)(,[zZ])?)?$/.test(text);

/** Reads a HostConfig; every member has a default. Throws 400. */
export function readHostConfig(
  value: unknown,
  api: ApiVersion,
  { words, dialect }: { readonly words: Words; readonly dialect: Dialect },
): HostConfig {
  const body = new Fields(value ?? {}, 'HostConfig').only((name) => holdsIn(spans[name] ?? {}, api));
  const config = {
    Binds: body.strings('Binds', (text) => parseBind(text, api) !== undefined),
    Tmpfs: body.map('Tmpfs', tmpfsOptions, (path) => path.startsWith('/')),
    Links: body.strings('Links', pairForm),
    LxcConf: readLxcConf(body),
    BlkioWeightDevice: body.list('BlkioWeightDevice', (item, what) => {
      const device = new Fields(item, what);
      return { Path: device.string('Path'), Weight: device.integer('Weight', 0, { min: 0, max: 1000 }) };
    }),
    BlkioDeviceReadBps: body.list('BlkioDeviceReadBps', rate),
    BlkioDeviceWriteBps: body.list('BlkioDeviceWriteBps', rate),
    BlkioDeviceReadIOps: body.list('BlkioDeviceReadIOps', rate),
    BlkioDeviceWriteIOps: body.list('BlkioDeviceWriteIOps', rate),
    MemorySwappiness: readSwappiness(body, dialect),
    OomKillDisable: body.boolean('OomKillDisable'),
    OomScoreAdj: body.integer('OomScoreAdj'),
    PidMode: body.string('PidMode'),
    PidsLimit: body.integer('PidsLimit'),
    PortBindings: body.map('PortBindings', portBindings, portForm),
    PublishAllPorts: body.boolean('PublishAllPorts'),
    Privileged: body.boolean('Privileged'),
    ReadonlyRootfs: body.boolean('ReadonlyRootfs'),
    Dns: body.strings('Dns'),
    DnsOptions: body.strings('DnsOptions'),
    DnsSearch: body.strings('DnsSearch'),
    ExtraHosts: body.strings('ExtraHosts', hostForm),
    VolumesFrom: body.strings('VolumesFrom', sourceForm),
    CapAdd: body.strings('CapAdd', isCapability),
    CapDrop: body.strings('CapDrop', isCapability),
    GroupAdd: body.strings('GroupAdd'),
    UsernsMode: body.string('UsernsMode'),
    NetworkMode: body.string('NetworkMode') || 'bridge',
    Devices: body.list('Devices', device),
    Ulimits: body.list('Ulimits', ulimit),
    SecurityOpt: body.strings('SecurityOpt'),
    LogConfig: readLogConfig(body, api, words),
    CgroupParent: body.string('CgroupParent'),
    VolumeDriver: body.string('VolumeDriver'),
    ShmSize: body.integer('ShmSize', 0, { min: 0 }) || 67_108_864,
    ContainerIDFile: body.string('ContainerIDFile'),
    IpcMode: body.string('IpcMode') || defaultIpcMode(api),
    AutoRemove: body.boolean('AutoRemove'),
    ...readResources(body, api),
  };
  checkModes(config, api);
  return config;
}

/** The default for sharing IPC: carried versions have a word for it (Document 4, Containers). */
function defaultIpcMode(api: ApiVersion): string {
  if (isDocumented(api)) return '';
  return atLeast(api, '1.40') ? 'private' : 'shareable';
}

function checkModes({ PidMode, UsernsMode, NetworkMode, Binds }: HostConfig, api: ApiVersion): void {
  if (PidMode !== '' && PidMode !== 'host' && !/^container:.+/.test(PidMode)) {
    throw badParameter(`HostConfig.PidMode: ${JSON.stringify(PidMode)} has the wrong form`);
  }
  if (UsernsMode !== '' && UsernsMode !== 'host') throw badParameter('HostConfig.UsernsMode: only host is supported');
  const isKnown = ['default', 'bridge', 'host', 'none'].includes(NetworkMode) || /^container:.+/.test(NetworkMode);
  if (!isKnown && (!atLeast(api, '1.21') || NetworkMode.startsWith('container:'))) {
    throw badParameter(`HostConfig.NetworkMode: ${JSON.stringify(NetworkMode)} is no network`);
  }
  const destinations = Binds.map((text) => parseBind(text, api)?.destination);
  if (new Set(destinations).size < destinations.length)
    throw badParameter('HostConfig.Binds: a destination occurs twice');
}

/** 0 to 100; in the docker dialect also -1, which that dialect's command line sends for unset. */
function readSwappiness(body: Fields, dialect: Dialect): number | null {
  if (dialect === 'docker' && body.raw('MemorySwappiness') === -1) return null;
  return body.has('MemorySwappiness') ? body.integer('MemorySwappiness', 0, { min: 0, max: 100 }) : null;
}

function tmpfsOptions(value: unknown, what: string): string {
  if (typeof value !== 'string') throw badParameter(`${what}: not a string`);
  if (!readTmpfsOptions(value)) throw badParameter(`${what}: ${JSON.stringify(value)} has an invalid option`);
  return value;
}

/** A map or a list of {Key, Value}; kept as the list that inspect shows. */
function readLxcConf(body: Fields): object[] {
  if (isObject(body.raw('LxcConf'))) {
    return Object.entries(body.stringMap('LxcConf')).map(([Key, Value]) => ({ Key, Value }));
  }
  return body.list('LxcConf', (item, what) => {
    const pair = new Fields(item, what);
    return { Key: pair.string('Key'), Value: pair.string('Value') };
  });
}

function rate(item: unknown, what: string): object {
  const body = new Fields(item, what);
  const value = body.raw('Rate');
  const isNumber = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  if (!isNumber && !(typeof value === 'string' && /^\d+$/.test(value))) throw body.refuse('Rate', 'not a rate');
  return { Path: body.string('Path'), Rate: value };
}

function portBindings(value: unknown, what: string): PortBinding[] {
  if (value === null) return [];
  return new Fields({ list: value }, what).list('list', (item) => {
    const body = new Fields(item, what);
    const port = body.string('HostPort');
    const isPort = port === '' || port.split('-').every((part) => /^\d{1,5}$/.test(part) && Number(part) <= 65_535);
    if (!isPort) throw body.refuse('HostPort', `${JSON.stringify(port)} is not a port`);
    return { ...(body.has('HostIp') ? { HostIp: body.string('HostIp') } : {}), HostPort: port };
  });
}

function device(item: unknown, what: string): Device {
  const body = new Fields(item, what);
  const permissions = body.string('CgroupPermissions');
  if (!/^[rwm]*$/.test(permissions)) throw body.refuse('CgroupPermissions', 'has other letters than r, w and m');
  return {
    PathOnHost: body.string('PathOnHost'),
    PathInContainer: body.string('PathInContainer'),
    CgroupPermissions: permissions,
  };
}

function ulimit(item: unknown, what: string): Ulimit {
  const body = new Fields(item, what);
  const name = body.string('Name');
  if (!limitNames.has(name)) throw body.refuse('Name', `there is no limit ${JSON.stringify(name)}`);
  const hard = body.integer('Hard');
  const soft = body.integer('Soft');
  if (hard !== -1 && (soft === -1 || soft > hard)) throw body.refuse('Soft', 'exceeds Hard');
  return { Name: name, Soft: soft, Hard: hard };
}

function readLogConfig(body: Fields, api: ApiVersion, words: Words): HostConfig['LogConfig'] {
  const config = body.object('LogConfig');
  const type = config?.string('Type') || 'json-file';
  const known = ['json-file', 'syslog', 'journald', 'gelf', 'none'];
  if (atLeast(api, '1.21')) known.push(words.cloudlogs);
  if (atLeast(api, '1.23')) known.push('fluentd', words.searchlogs, 'etwlogs');
  if (!known.includes(type))
    throw badParameter(`HostConfig.LogConfig.Type: there is no log driver ${JSON.stringify(type)}`);
  return { Type: type, Config: config?.stringMap('Config') ?? {} };
}

/** The members that not every version has. */
const spans: Readonly<Record<string, Span>> = {
  LxcConf: { until: '1.21' },
  MemoryReservation: { since: '1.21' },
  KernelMemory: { since: '1.21' },
  DnsOptions: { since: '1.21' },
  VolumeDriver: { since: '1.21' },
  Tmpfs: { since: '1.23' },
  BlkioWeightDevice: { since: '1.23' },
  BlkioDeviceReadBps: { since: '1.23' },
  BlkioDeviceWriteBps: { since: '1.23' },
  BlkioDeviceReadIOps: { since: '1.23' },
  BlkioDeviceWriteIOps: { since: '1.23' },
  OomScoreAdj: { since: '1.23' },
  PidsLimit: { since: '1.23' },
  UsernsMode: { since: '1.23' },
  ShmSize: { since: '1.23' },
  AutoRemove: { since: '1.25' },
};

/** Create accepts KernelMemory even in versions whose inspect no longer shows it. */
const shownUntil: Readonly<Record<string, Span>> = { KernelMemory: { until: '1.41' } };

/** The HostConfig of inspect in a version. */
export function shapeHostConfig(config: HostConfig, api: ApiVersion): object {
  const isShown = (name: string) => holdsIn(spans[name] ?? {}, api) && holdsIn(shownUntil[name] ?? {}, api);
  return Object.fromEntries(Object.entries(config).filter(([name]) => isShown(name)));
}
