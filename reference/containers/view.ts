import type { Engine } from '../engine.ts';
import { deviceDirectory } from '../process/devices.ts';
import { type DirectoryNode, newDirectory, newFile, segments, Tree } from '../process/file-system.ts';
import { type Mount, type MountSource, subtree, View } from '../process/mounts.ts';
import type { Container } from './container.ts';
import { hostSource } from './host-source.ts';
import { ensureHostPath } from './mount-points.ts';

/** The file systems that the kernel makes up. */
export interface KernelFiles {
  readonly proc: MountSource;
  readonly cgroup: MountSource;
  /** /sys/class/net. */
  readonly interfaces: MountSource;
}

/** Sizes as tmpfs options write them: bytes, or with k, m or g. */
function parseSize(text: string): number | undefined {
  const match = /^(\d+)([kmg]?)b?$/i.exec(text);
  if (!match) return undefined;
  const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };
  return Number(match[1]) * (units[(match[2] ?? '').toLowerCase()] ?? 1);
}

/** What the processes of a starting container see as their file system. */
export function containerView(engine: Engine, container: Container, kernel: KernelFiles): View {
  const { hostConfig, id, root } = container;
  const mount = (path: string, source: MountSource, more: Partial<Mount>): Mount => ({
    path: segments(path),
    source,
    readOnly: false,
    type: 'ext4',
    device: '/dev/sda1',
    root: '/',
    options: 'rw',
    ...more,
  });
  const tmpfs = (path: string, directory: DirectoryNode, options: string, capacity?: number): Mount =>
    mount(path, subtree(new Tree(directory)), {
      type: 'tmpfs',
      device: path === '/dev/shm' ? 'shm' : 'tmpfs',
      options,
      ...(capacity === undefined ? {} : { capacity }),
    });
  const readOnly = hostConfig.ReadonlyRootfs;
  const mounts = [
    mount('/', subtree(root), { type: 'overlay', device: 'overlay', readOnly, options: readOnly ? 'ro' : 'rw' }),
    mount('/proc', kernel.proc, { type: 'proc', device: 'proc' }),
    tmpfs(
      '/dev',
      deviceDirectory(
        container.config.Tty,
        hostConfig.Devices.map((device) => device.PathInContainer || device.PathOnHost),
      ),
      'rw,nosuid,mode=755',
    ),
    mount('/sys', subtree(new Tree(sysDirectory())), {
      type: 'sysfs',
      device: 'sysfs',
      readOnly: !hostConfig.Privileged,
      options: hostConfig.Privileged ? 'rw' : 'ro',
    }),
    mount('/sys/class/net', kernel.interfaces, { type: 'sysfs', device: 'sysfs', readOnly: true, options: 'ro' }),
    mount('/sys/fs/cgroup', kernel.cgroup, { type: 'cgroup', device: 'cgroup', readOnly: true, options: 'ro' }),
    tmpfs('/dev/shm', newDirectory(0o1777), `rw,size=${Math.ceil(hostConfig.ShmSize / 1024)}k`, hostConfig.ShmSize),
  ];
  for (const [name, text] of Object.entries(networkFiles(engine, container))) {
    const file = new Tree();
    file.set([name], newFile(text));
    mounts.push(
      mount(`/etc/${name}`, subtree(file, [name]), { readOnly, root: `/var/lib/engine/containers/${id}/${name}` }),
    );
  }
  for (const [path, options] of Object.entries(hostConfig.Tmpfs)) mounts.push(tmpfsMount(tmpfs, path, options));
  for (const point of container.mounts) {
    if (!point.volume) ensureHostPath(engine, point.source);
    const source = point.volume ? subtree(point.volume.tree) : hostSource(engine.host, point.source);
    const options = point.writable ? 'rw' : 'ro';
    mounts.push(mount(point.destination, source, { readOnly: !point.writable, root: point.source, options }));
  }
  for (const { path } of mounts) if (!root.get(path) && !isCovered(mounts, path)) root.set(path, newDirectory());
  return new View(mounts.sort((a, b) => a.path.length - b.path.length));
}

function tmpfsMount(
  tmpfs: (path: string, directory: DirectoryNode, options: string, capacity?: number) => Mount,
  path: string,
  options: string,
): Mount {
  const values = new Map(options.split(',').map((option) => [option.split('=')[0] ?? '', option.split('=')[1] ?? '']));
  const mode = Number.parseInt(values.get('mode') ?? '1777', 8);
  const directory = newDirectory(mode, Number(values.get('uid') ?? 0) || 0, Number(values.get('gid') ?? 0) || 0);
  const made = tmpfs(path, directory, options || 'rw,nosuid,nodev,noexec', parseSize(values.get('size') ?? ''));
  return { ...made, readOnly: values.has('ro') };
}

/** Whether a mount point lies inside another mount than the root. */
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
function networkFiles(engine: Engine, { config, hostConfig, endpoints }: Container): Record<string, string> {
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
  for (const { address } of endpoints) if (address) hosts.push(`${address}\t${full}`);
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
