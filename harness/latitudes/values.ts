import ipaddr from 'ipaddr.js';
import type { JsonValue } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import { endpointOf, inDescribedObjects } from './described-objects.ts';
import type { Ground, Latitude } from './latitude.ts';

const notShown = (what: string): Ground => ({ notShown: what });

/** Values that the engine may choose. */
export const ofValues: readonly Latitude[] = [
  inAnswersOf('other-version-texts', 'GET /version', notShown('nothing says what these texts are'), {
    says: 'has other names for its kernel, compiler and build',
    change: (object) =>
      replaced(object, { KernelVersion: 'other', GitCommit: '', GoVersion: 'none', BuildTime: 'once' }),
  }),
  inAnswersOf('other-info-texts', 'GET /info', notShown('nothing says what these texts and counters are'), {
    says: 'has other names for its host, storage driver and system',
    change: (object) =>
      replaced(object, {
        ...{ Name: 'other host', Driver: 'other', OperatingSystem: 'an "other" system — 1', KernelVersion: 'x' },
        ...{ ID: 'x', NFd: 0, NGoroutines: 1, NEventsListener: 9, DriverStatus: [] },
      }),
  }),
  inAnswersOf('other-paths', 'GET /containers/{id}/json', notShown('nothing says where an engine keeps its files'), {
    says: 'keeps the files of containers elsewhere',
    // A mount has a Driver, too, which is that of its volume.
    change: (object) =>
      'LogPath' in object
        ? replaced(object, {
            ...{ ResolvConfPath: '/elsewhere/resolv', HostnamePath: '/elsewhere/name', HostsPath: '/elsewhere/hosts' },
            ...{ LogPath: '', Driver: 'other', ExecDriver: 'other', MountLabel: 'label', ProcessLabel: 'label' },
          })
        : object,
  }),
  inAnswersOf(
    'ports-in-inspect',
    'GET /containers/{id}/json',
    notShown('the shape of Ports is shown for the items of a list only'),
    {
      says: 'shows the ports of a container in the form of the list, also where it is inspected',
      change: (object) => (isObject(object.Ports) ? { ...object, Ports: portsIn(object.Ports) } : object),
    },
  ),
  inAnswersOf(
    'cpuset-in-short',
    'GET /containers/{id}/json',
    notShown('nothing says how a list of CPUs is given back'),
    {
      says: 'gives CPUs back in another notation',
      change: (object) =>
        object.CpusetCpus === '0-0' || object.CpusetCpus === '0,0' ? { ...object, CpusetCpus: '0' } : object,
    },
  ),
  inAnswersOf(
    'further-cpu-members',
    'GET /containers/{id}/stats',
    { interpretation: 'open-objects', because: 'nothing forbids further members' },
    {
      says: 'tells the number of CPUs with the current reading only',
      change: (object) =>
        isObject(object.cpu_stats) ? { ...object, cpu_stats: { ...object.cpu_stats, ecCpus: 2 } } : object,
    },
  ),
  inAnswersOf(
    'init-process',
    'GET /containers/{id}/top',
    notShown('nothing says which processes an engine runs in a container besides'),
    {
      says: 'runs an init process in each container',
      change: (object) => {
        const [first] = listIn(object.Processes);
        if (!Array.isArray(first)) return object;
        return { ...object, Processes: [[...first.slice(0, -1), '/sbin/init'], ...listIn(object.Processes)] };
      },
    },
  ),
  inAnswersOf('other-graph-driver', 'GET /images/{name}/json', notShown('nothing says what a storage driver reports'), {
    says: 'has another storage driver, which reports nothing',
    change: (object) =>
      replaced(object, { GraphDriver: { Name: 'other', Data: null }, EngineVersion: '0', Author: object.Author ?? '' }),
  }),
  inAnswersOf(
    'other-status-text',
    'GET /containers/json',
    { interpretation: 'status-text', because: 'it is for people' },
    {
      says: 'describes the age and state of a container in other words',
      change: (object) =>
        typeof object.Status === 'string' && !/^exit/i.test(object.Status)
          ? { ...object, Status: 'here for a while' }
          : object,
    },
  ),
  inAnswersOf('other-history-texts', 'GET /images/{name}/history', notShown('nothing says what CreatedBy contains'), {
    says: 'describes the origin of layers in other words',
    change: (object) => replaced(object, { CreatedBy: 'somebody', Comment: object.Comment ?? '' }),
  }),
  inAnswersOf('warnings-at-create', 'POST /containers/create', notShown('nothing says what an engine warns about'), {
    says: 'gives warnings that concern nobody',
    change: (object) => ({ ...object, Warnings: [...listIn(object.Warnings), 'it is late'] }),
  }),
  inAnswersOf(
    'unset-settings-null',
    'GET /containers/{id}/json',
    { interpretation: 'null-for-empty', because: 'unset lists and maps that echo a create input may be null' },
    {
      says: 'gives lists and maps of unset settings as null',
      change: settingsWith((value) => (isEmpty(value) ? null : value)),
      against: ['unset-settings-absent'],
    },
  ),
  inAnswersOf(
    'unset-settings-absent',
    'GET /containers/{id}/json',
    { interpretation: 'absent-when-empty', because: 'an unset setting may be absent' },
    {
      says: 'leaves out lists and maps of unset settings',
      change: settingsWith((value) => (isEmpty(value) || value === null ? undefined : value)),
      against: ['unset-settings-null'],
    },
  ),
  inAnswersOf(
    'other-sandbox',
    'GET /containers/{id}/json',
    notShown('nothing says what SandboxKey and SandboxID look like'),
    {
      says: 'has other names for the networks of containers on its host',
      change: (object) =>
        'SandboxKey' in object ? { ...object, SandboxKey: '/elsewhere/x', SandboxID: 'x'.repeat(64) } : object,
    },
  ),
  inAnswersOf('further-image-members', 'GET /images/json', notShown('nothing says how an engine calculates sizes'), {
    says: 'gives the size that images share with others',
    change: (object) => (typeof object.VirtualSize === 'number' ? { ...object, EcSharedSize: 0 } : object),
  }),
  {
    name: 'labels-of-its-own',
    says: 'adds a label of its own to everything that has labels',
    area: 'values',
    ground: notShown('nothing says that an engine has no labels of its own'),
    json: (value, request) =>
      inDescribedObjects(value, request, (object) =>
        isObject(object.Labels) ? { ...object, Labels: { ...object.Labels, 'maker.of.it': 'the engine' } } : object,
      ),
  },
  inAnswersOf(
    'container-settings-of-its-own',
    'GET /containers/{id}/json',
    notShown('nothing says which capabilities and devices a container has that asks for none'),
    {
      says: 'is set up with other capabilities and a device for all containers, and lists them with what one asks for',
      change: (object) =>
        'CapDrop' in object && object.Privileged !== true ? { ...object, ...withItsOwn(object) } : object,
    },
  ),
  {
    name: 'addresses-written-out',
    says: 'writes IPv6 addresses without the short form for zeros',
    area: 'values',
    ground: notShown('nothing says how an IPv6 address is written'),
    json: writtenOut,
  },
  {
    name: 'further-subnets',
    says: 'gives each network a subnet for IPv6 besides those that were asked for',
    area: 'values',
    ground: notShown('nothing says that a network has no other subnets than those that were asked for'),
    json: (value, request) =>
      inDescribedObjects(value, request, (object) =>
        'IPAM' in object && isObject(object.IPAM) && Array.isArray(object.IPAM.Config)
          ? {
              ...object,
              IPAM: {
                ...object.IPAM,
                Config: [...object.IPAM.Config, { Subnet: 'fd00:ec::/64', Gateway: 'fd00:ec::1' }],
              },
            }
          : object,
      ),
  },
  {
    name: 'other-image-times',
    says: 'gives images a time of its own, a day before they were made elsewhere',
    area: 'values',
    ground: notShown('nothing says which time Created of an image is'),
    json: (value, request) => {
      const endpoint = endpointOf(request);
      if (endpoint !== 'GET /images/json' && endpoint !== 'GET /images/{name}/json') return value;
      return Array.isArray(value) ? value.map(dayBefore) : dayBefore(value);
    },
  },
  inAnswersOf(
    'other-progress-texts',
    'POST /images/create',
    { interpretation: 'progress-members', because: 'texts of progress are for people' },
    {
      says: 'reports its progress in other words',
      change: (object) => (typeof object.status === 'string' ? { ...object, status: `» ${object.status} «` } : object),
    },
  ),
  inAnswersOf(
    'progress-of-push',
    'POST /images/{name}/push',
    { interpretation: 'progress-members', because: 'texts of progress are for people' },
    {
      says: 'reports the progress of a push in other words',
      change: (object) => (typeof object.status === 'string' ? { ...object, status: 'moving' } : object),
    },
  ),
  inAnswersOf('other-build-texts', 'POST /build', notShown('nothing says what a build tells of itself'), {
    says: 'tells the progress of a build in other words, with brackets and bars',
    change: (object) =>
      typeof object.stream === 'string' && /^(?:Removing|Successfully) /.test(object.stream)
        ? { ...object, stream: `[ec] ${object.stream.trimEnd()} | [done]\n` }
        : object,
  }),
  inAnswersOf(
    'further-event-members',
    'GET /events',
    { interpretation: 'open-objects', because: 'nothing forbids further members of events' },
    {
      says: 'says for each event who caused it',
      change: (object) => ({ ...object, scope: 'local', cause: { client: 'somebody' } }),
    },
  ),
  inAnswersOf(
    'further-exec-members',
    'GET /exec/{id}/json',
    { interpretation: 'open-objects', because: 'nothing forbids further members' },
    {
      says: 'gives more details of commands',
      change: (object) => ({ ...object, CanRemove: false, DetachKeys: '', StartedBy: null }),
    },
  ),
];

interface Change {
  readonly says: string;
  readonly change: (object: Readonly<Record<string, JsonValue>>) => Record<string, JsonValue>;
  readonly against?: readonly string[];
}

/** A latitude in the objects of one endpoint's answers. */
function inAnswersOf(name: string, endpoint: string, ground: Ground, { change, ...said }: Change): Latitude {
  return {
    name,
    ...said,
    area: 'values',
    ground,
    of: endpoint,
    json: (value, request) => inDescribedObjects(value, request, (object) => change(object)),
  };
}

/** With every IPv6 address in full, also where the length of a prefix follows. */
function writtenOut(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const [address = '', ...prefix] = value.split('/');
    return ipaddr.IPv6.isValid(address) && address.includes('::')
      ? [ipaddr.IPv6.parse(address).toNormalizedString(), ...prefix].join('/')
      : value;
  }
  if (Array.isArray(value)) return value.map(writtenOut);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, writtenOut(member)]));
}

const daySeconds = 24 * 3_600;

function dayBefore(image: JsonValue): JsonValue {
  if (!isObject(image)) return image;
  const { Created } = image;
  if (typeof Created === 'number') return { ...image, Created: Created - daySeconds };
  const instant = new Date(String(Created)).getTime();
  return Number.isNaN(instant) ? image : { ...image, Created: new Date(instant - daySeconds * 1_000).toISOString() };
}

/** Other values for the members that the object has. */
function replaced(
  object: Readonly<Record<string, JsonValue>>,
  values: Readonly<Record<string, JsonValue>>,
): Record<string, JsonValue> {
  const known = Object.entries(values).filter(([name]) => name in object);
  return { ...object, ...Object.fromEntries(known) };
}

/**
 * Settings are in objects of the answer with members of the create body. OnBuild is not one of them: Config has it as a
 * list or null.
 */
function settingsWith(change: (value: JsonValue) => JsonValue | undefined): Change['change'] {
  const isSettings = (object: object) => 'CpuShares' in object || 'AttachStdin' in object;
  return (object) => {
    if (!isSettings(object)) return { ...object };
    const members = Object.entries<JsonValue>(object).flatMap(([name, value]): [string, JsonValue][] => {
      const changed = name === 'Labels' || name === 'OnBuild' ? value : change(value);
      return changed === undefined ? [] : [[name, changed]];
    });
    return Object.fromEntries(members);
  };
}

/** Lists of the host configuration with what the engine gives every container. */
function withItsOwn({ CapAdd, CapDrop, Devices }: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  const device = { PathOnHost: '/dev/fuse', PathInContainer: '/dev/fuse', CgroupPermissions: 'rwm' };
  return {
    CapAdd: [...listIn(CapAdd), 'SYS_NICE'],
    CapDrop: ['AUDIT_WRITE', ...listIn(CapDrop)],
    Devices: [device, ...listIn(Devices)],
  };
}

/** The ports of inspect as the list shows them. */
function portsIn(ports: Readonly<Record<string, JsonValue>>): JsonValue[] {
  return Object.entries(ports).flatMap(([port, bindings]): JsonValue[] => {
    const [number, Type = ''] = port.split('/');
    const PrivatePort = Number(number);
    const published = listIn(bindings).filter(isObject);
    if (published.length === 0) return [{ PrivatePort, Type }];
    return published.map(({ HostPort = null }) => ({ PrivatePort, PublicPort: Number(HostPort), Type }));
  });
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function listIn(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
