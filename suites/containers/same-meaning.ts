import { isObject } from '../../harness/expect/json-path.ts';
import type { JsonValue } from '../../harness/streams/json.ts';

/**
 * How a field of the create body may be written in other words. The documents give the forms that create takes; an
 * engine that gives one of them back in an equal form, or with what it adds by default, keeps what it was given.
 */
const canonical: Readonly<Record<string, (value: JsonValue) => JsonValue>> = {
  'HostConfig.Ulimits[].Name': (name) => String(name).toLowerCase().replace('rlimit_', ''),
  'HostConfig.Devices[].CgroupPermissions': (permissions) => [...String(permissions)].sort().join(''),
  'HostConfig.CapAdd': capabilities,
  'HostConfig.CapDrop': capabilities,
  'HostConfig.SecurityOpt': (options) => list(options).map((option) => String(option).replace(':', '=')),
  'HostConfig.Links': (links) => list(links).map((link) => String(link).replace(/[^:]*\//g, '')),
  // An engine may name the registry of an image that has none in its name.
  Image: (name) => String(name).replace(/^localhost\//, ''),
  StopSignal: (signal) => (signal === 'SIGUSR1' ? '10' : String(signal)),
};

/** Lists and texts of options to which the image or the engine adds something of its own. */
const open = ['Env', 'HostConfig.Ulimits', 'HostConfig.Binds', 'HostConfig.Tmpfs'];

/** Whether what inspect gives at a path of the create body means what was sent; objects may have further members. */
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

/** Two paths and options `/tmp:/place:ro,rbind`, or options alone, with at least those that were sent. */
function hasAllOptions(actual: string, sent: string): boolean {
  const had = actual.split(/[:,]/);
  return sent.split(/[:,]/).every((part) => had.includes(part));
}

function capabilities(names: JsonValue): JsonValue {
  return list(names).map((name) => String(name).replace(/^CAP_/, ''));
}

function list(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
