import type { Engine } from '../../engine.ts';
import { serverError } from '../../errors.ts';
import { deviceDirectory, hostDevice } from '../../process/devices.ts';
import { type DirectoryNode, newDirectory, newFile, segments, Tree } from '../../process/file-system.ts';
import { type Mount, type MountSource, subtree, View } from '../../process/mounts.ts';
import type { Container } from '../container.ts';
import { ensureHostPath, hostSource } from './host-source.ts';
import type { MountPoint } from './mount-point.ts';
import { readTmpfsOptions } from './tmpfs-options.ts';

/** The file systems that the kernel generates. */
export interface KernelFiles {
  readonly proc: MountSource;
  readonly cgroup: MountSource;
  /** /sys/class/net. */
  readonly interfaces: MountSource;
}

/** The file system that the processes of a starting container see. */
export function containerView(engine: Engine, container: Container, kernel: KernelFiles): View {
  const { hostConfig, root } = container;
  const mounts = [
    mount('/', subtree(root), {
      readOnly: hostConfig.ReadonlyRootfs,
      type: 'overlay',
      device: 'overlay',
      options: 'lowerdir=image,upperdir=container,workdir=work',
    }),
    ...kernelMounts(container, kernel),
    ...givenFiles(engine, container),
    ...Object.entries(hostConfig.Tmpfs).map(([path, text]) => tmpfsMount(path, text)),
    ...container.mounts.map(mountOf),
  ];
  for (const device of hostConfig.Devices) {
    const path = segments(device.PathInContainer || device.PathOnHost);
    if (path[0] !== 'dev') root.set(path, hostDevice(device.PathOnHost));
  }
  for (const { path, source } of mounts) {
    if (root.get(path) || isCovered(mounts, path)) continue;
    root.set(path, source.get([])?.kind === 'directory' ? newDirectory() : newFile('', 0o755));
  }
  return new View(mounts.sort((a, b) => a.path.length - b.path.length));
}

function mount(path: string, source: MountSource, more: Partial<Mount>): Mount {
  const disk = { type: 'ext4', device: '/dev/sda1', root: '/', flags: 'relatime', options: '' };
  return { path: segments(path), source, readOnly: false, ...disk, ...more };
}

const strict = 'nosuid,nodev,noexec,relatime';

/** /proc, /sys and /dev. */
function kernelMounts({ config, hostConfig }: Container, kernel: KernelFiles): Mount[] {
  const made = (path: string, type: string, source: MountSource, readOnly: boolean) =>
    mount(path, source, { type, device: type, readOnly, flags: strict });
  const readOnly = !hostConfig.Privileged;
  const shm = { type: 'tmpfs', device: 'shm', flags: strict, capacity: hostConfig.ShmSize };
  return [
    made('/proc', 'proc', kernel.proc, false),
    mount('/dev', subtree(new Tree(deviceDirectory(config.Tty, hostConfig))), {
      type: 'tmpfs',
      device: 'tmpfs',
      flags: 'nosuid',
      options: 'size=65536k,mode=755',
    }),
    made('/sys', 'sysfs', subtree(new Tree(sysDirectory())), readOnly),
    made('/sys/class/net', 'sysfs', kernel.interfaces, true),
    made('/sys/fs/cgroup', 'cgroup', kernel.cgroup, true),
    mount('/dev/shm', subtree(new Tree(newDirectory(0o1777))), {
      ...shm,
      options: `size=${Math.ceil(hostConfig.ShmSize / 4096) * 4}k`,
    }),
  ];
}

function tmpfsMount(path: string, text: string): Mount {
  const options = readTmpfsOptions(text);
  if (!options) throw serverError(`cannot mount a tmpfs at ${path}: ${JSON.stringify(text)} has an invalid option`);
  const { readOnly, flags, own, mode, uid, gid, size } = options;
  return mount(path, subtree(new Tree(newDirectory(mode, uid, gid))), {
    type: 'tmpfs',
    device: 'tmpfs',
    readOnly,
    flags,
    options: own,
    ...(size === undefined ? {} : { capacity: size }),
  });
}

/** A volume or a path of the host. */
function mountOf({ volume, source, destination, writable }: MountPoint): Mount {
  if (!volume) ensureHostPath(source);
  const files = volume ? subtree(volume.tree) : hostSource(source);
  if (volume?.tmpfs) {
    const { readOnly, flags, own, size } = volume.tmpfs;
    const capacity = size === undefined ? {} : { capacity: size };
    const access = { readOnly: readOnly || !writable, flags };
    return mount(destination, files, { type: 'tmpfs', device: 'tmpfs', options: own, ...access, ...capacity });
  }
  return mount(destination, files, { readOnly: !writable, root: source });
}

/** The files of /etc that the engine generates. */
function givenFiles(engine: Engine, container: Container): Mount[] {
  return Object.entries(networkFiles(engine, container)).map(([name, text]) => {
    const file = new Tree();
    file.set([name], newFile(text));
    const root = `/var/lib/engine/containers/${container.id}/${name}`;
    return mount(`/etc/${name}`, subtree(file, [name]), { readOnly: container.hostConfig.ReadonlyRootfs, root });
  });
}

/** Whether a mount point lies inside a mount other than the root. */
function isCovered(mounts: readonly Mount[], path: readonly string[]): boolean {
  return mounts.some(
    (mount) =>
      mount.path.length > 0 &&
      mount.path.length < path.length &&
      mount.path.every((part, index) => path[index] === part),
  );
}

function sysDirectory(): DirectoryNode {
  const tree = new Tree();
  tree.set(['fs', 'cgroup'], newDirectory());
  tree.set(['class', 'net'], newDirectory());
  tree.set(['kernel'], newDirectory());
  return tree.root;
}

/** /etc/hosts, /etc/hostname and /etc/resolv.conf. */
function networkFiles(
  engine: Engine,
  { config, hostConfig, endpoints, memberships }: Container,
): Record<string, string> {
  const full = config.Domainname ? `${config.Hostname}.${config.Domainname} ${config.Hostname}` : config.Hostname;
  const hosts = ['127.0.0.1\tlocalhost', '::1\tlocalhost ip6-localhost ip6-loopback'];
  for (const text of hostConfig.ExtraHosts) {
    const colon = text.indexOf(':');
    hosts.push(`${text.slice(colon + 1)}\t${text.slice(0, colon)}`);
  }
  for (const link of hostConfig.Links) {
    const [name = '', alias = ''] = link.split(':');
    const linked = engine.containers.find(name);
    const address = linked?.mainEndpoint?.address;
    if (linked && address) hosts.push(`${address}\t${alias} ${linked.config.Hostname} ${linked.name}`);
  }
  for (const { network, address } of endpoints) {
    const { links = [], aliases = [] } = memberships.get(network.name) ?? {};
    for (const link of links) {
      const [name = '', alias = name] = link.split(':');
      const linked = network.endpoints.get(engine.containers.find(name)?.id ?? '');
      if (linked?.address) hosts.push(`${linked.address}\t${alias}`);
    }
    if (address) hosts.push(`${address}\t${[full, ...aliases].join(' ')}`);
  }
  const servers = hostConfig.Dns.length > 0 ? hostConfig.Dns : ['8.8.8.8', '8.8.4.4'];
  const resolv = servers.map((server) => `nameserver ${server}`);
  if (hostConfig.DnsSearch.length > 0) resolv.unshift(`search ${hostConfig.DnsSearch.join(' ')}`);
  if (hostConfig.DnsOptions.length > 0) resolv.push(`options ${hostConfig.DnsOptions.join(' ')}`);
  return {
    hostname: `${config.Hostname}\n`,
    hosts: `${hosts.join('\n')}\n`,
    'resolv.conf': `${resolv.join('\n')}\n`,
  };
}
