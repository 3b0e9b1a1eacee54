import { constants } from 'node:os';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { cpusIn } from './cpu-list.ts';

/**
 * How a field of the create body may be written in other words. The documents give the forms that create accepts; an
 * engine keeps what it was given even if it answers an equal form, or adds its defaults.
 */
const canonical: Readonly<Record<string, (value: JsonValue) => JsonValue>> = {
  'HostConfig.Ulimits[].Name': (name) => String(name).toLowerCase().replace('rlimit_', ''),
  'HostConfig.Devices[].CgroupPermissions': (permissions) => [...String(permissions)].sort().join(''),
  'HostConfig.CapAdd': capabilities,
  'HostConfig.CapDrop': capabilities,
  'HostConfig.SecurityOpt': (options) => list(options).map((option) => String(option).replace(':', '=')),
  'HostConfig.PortBindings': bindings,
  // Document 4 has `no` for the policy without a name.
  'HostConfig.RestartPolicy.Name': (name) => (name === 'no' ? '' : name),
  // No limit can be written in several ways.
  'HostConfig.PidsLimit': (limit) => (limit === null || limit === 0 ? -1 : limit),
  'HostConfig.CpusetCpus': processors,
  'HostConfig.CpusetMems': processors,
  'HostConfig.Links': plainLinks,
  'HostConfig.BlkioWeightDevice': devices,
  'HostConfig.BlkioDeviceReadBps': devices,
  'HostConfig.BlkioDeviceWriteBps': devices,
  'HostConfig.BlkioDeviceReadIOps': devices,
  'HostConfig.BlkioDeviceWriteIOps': devices,
  Cmd: command,
  Entrypoint: command,
  MacAddress: (address) => String(address).toLowerCase(),
  // An engine may add a registry to an image name that has none.
  Image: (name) => String(name).replace(/^localhost\//, ''),
  StopSignal: signalNumber,
};

/** A list with ranges by its numbers; an empty one names none. */
function processors(numbers: JsonValue): JsonValue {
  return typeof numbers === 'string' && numbers !== '' ? [...new Set(cpusIn(numbers))].sort() : numbers;
}

const signals: Readonly<Record<string, number>> = constants.signals;

/** A signal by its number. */
function signalNumber(signal: JsonValue): JsonValue {
  return String(signals[String(signal)] ?? signals[`SIG${signal}`] ?? signal);
}

/** One word is the same as a list of one. */
function command(words: JsonValue): JsonValue {
  return typeof words === 'string' ? [words] : words;
}

/** Lists and option strings to which the image or the engine adds something of its own. */
const open = [
  ...['Env', 'HostConfig.Ulimits', 'HostConfig.Binds', 'HostConfig.Tmpfs', 'HostConfig.SecurityOpt'],
  // An engine may be set up to give all containers a device, and more or fewer capabilities, and list those, too.
  ...['HostConfig.CapAdd', 'HostConfig.CapDrop', 'HostConfig.Devices'],
];

/** The value of a path for a message: a list whose order has no meaning is sorted, so that two runs say the same. */
export function inSteadyOrder<Value>(path: string, value: Value): Value | readonly unknown[] {
  if (!Array.isArray(value) || !open.includes(path)) return value;
  return value.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
}

/**
 * Whether the value that inspect shows for a path of the create body means what was sent; objects may have further
 * members.
 */
export function meansSame(path: string, actual: JsonValue, sent: JsonValue): boolean {
  const change = canonical[path];
  const [one, other] = change ? [change(actual), change(sent)] : [actual, sent];
  if (Array.isArray(other)) {
    if (!Array.isArray(one)) return false;
    const item = `${path}[]`;
    if (open.includes(path)) return other.every((value) => one.some((had) => meansSame(item, had, value)));
    return one.length === other.length && other.every((value, i) => meansSame(item, one[i] ?? null, value));
  }
  if (isObject(other)) {
    return (
      isObject(one) &&
      Object.entries(other).every(([name, value]) => meansSame(inside(path, name), one[name] ?? null, value))
    );
  }
  if (typeof one === 'string' && typeof other === 'string' && hasOptions(path)) return hasAllOptions(one, other);
  return one === other;
}

/** The members of a map have the path of the map. */
function inside(path: string, name: string): string {
  return path === 'HostConfig.Tmpfs' ? `${path}{}` : `${path}.${name}`;
}

function hasOptions(path: string): boolean {
  return path === 'HostConfig.Binds[]' || path === 'HostConfig.Tmpfs{}';
}

/** Two paths with options, `/tmp:/place:ro,rbind`, or options alone, that include at least those that were sent. */
function hasAllOptions(actual: string, sent: string): boolean {
  const had = actual.split(/[:,]/);
  return sent.split(/[:,]/).every((part) => had.includes(part));
}

/** The order of the host ports means nothing. */
function bindings(ports: JsonValue): JsonValue {
  if (!isObject(ports)) return ports;
  const portOf = (binding: JsonValue) => (isObject(binding) ? String(binding.HostPort) : '');
  const sorted = (of: JsonValue) => list(of).toSorted((one, other) => portOf(one).localeCompare(portOf(other)));
  return Object.fromEntries(Object.entries(ports).map(([port, of]) => [port, sorted(of)]));
}

/** Links without the paths that some engines add to names and aliases, sorted, as their order means nothing. */
export function plainLinks(links: JsonValue): JsonValue[] {
  return list(links)
    .map((link) => String(link).replace(/[^:]*\//g, ''))
    .sort();
}

/** Device limits: their order means nothing, and a rate may be a string (interpretation `blkio-rate`). */
function devices(limits: JsonValue): JsonValue {
  const pathOf = (limit: JsonValue) => (isObject(limit) ? String(limit.Path) : '');
  return list(limits)
    .toSorted((one, other) => pathOf(one).localeCompare(pathOf(other)))
    .map((limit) => (isObject(limit) && 'Rate' in limit ? { ...limit, Rate: String(limit.Rate) } : limit));
}

function capabilities(names: JsonValue): JsonValue {
  // Their order means nothing.
  const plain = list(names).map((name) => String(name).replace(/^CAP_/, ''));
  return plain.sort();
}

function list(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
