import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Daemon, type Engine, launch, missing } from './daemon.ts';
import { directoryInMemory, directoryOnDisk } from './daemon-directory.ts';
import { debian13Unavailable, inDebian13 } from './debian-13.ts';

/** Where Debian's packages put the programs that podman calls. */
const helperDirectory = '/usr/lib/podman';

/** Debian 12's, 4.3.1. */
export const podman: Engine = {
  name: 'podman',
  baseline: 'baselines/podman-4.3.yaml',
  few: ['--api', '1.23'],
  unavailable: () => missing(['podman', 'conmon', 'runc', 'iptables', `${helperDirectory}/netavark`]),
  start: () => startPodman('podman', directoryInMemory('ec-podman-'), (_, command) => command),
};

/** Debian 13's, 5.4.2, in a documented version and its newest. */
export const podman54: Engine = {
  name: 'podman-5.4',
  baseline: 'baselines/podman-5.4.yaml',
  apis: '1.23,1.41',
  few: ['--api', '1.41'],
  unavailable: debian13Unavailable,
  start: () => startPodman('podman-5.4', directoryOnDisk('ec-podman-'), inDebian13),
};

/**
 * Starts a podman as a service with a store, locks and networks of its own.
 * @param directory the daemon's own, removed with it
 * @param within the command line that runs podman's commands in the system that has it
 */
async function startPodman(
  name: string,
  directory: string,
  within: (directory: string, command: readonly string[]) => readonly string[],
): Promise<Daemon> {
  const inside = (name: string) => path.join(directory, name);
  const environment = writeConfiguration(directory);
  const store = ['--root', inside('root'), '--runroot', inside('run'), '--storage-driver', storageDriver(directory)];
  const socketPath = inside('podman.sock');
  return launch({
    name,
    directory,
    socketPath,
    command: within(directory, ['podman', ...store, 'system', 'service', '--time=0', `unix://${socketPath}`]),
    environment,
    // Containers have monitors and network devices of their own: they do not end with the service.
    after: [within(directory, ['podman', ...store, 'rm', '--force', '--all', '--time=0'])],
  });
}

/** Overlay mounts are refused where the temporary directory itself lies on an overlay. */
function storageDriver(directory: string): 'overlay' | 'vfs' {
  const trial = path.join(directory, 'trial');
  const layers = ['lower', 'upper', 'work', 'merged'].map((name) => path.join(trial, name));
  const [lower, upper, work, merged = ''] = layers;
  execFileSync('mkdir', ['--parents', ...layers]);
  try {
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, merged], { stdio: 'ignore' });
    execFileSync('umount', [merged]);
    return 'overlay';
  } catch {
    return 'vfs';
  } finally {
    rmSync(trial, { recursive: true });
  }
}

/** The limits are stated because podman's own default is above the hard limit of many machines. */
function writeConfiguration(directory: string): Readonly<Record<string, string>> {
  const inside = (name: string) => path.join(directory, name);
  const containers = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]

[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
helper_binaries_dir = ["${helperDirectory}"]
tmp_dir = "${inside('tmp')}"

[network]
network_backend = "netavark"
firewall_driver = "iptables"
network_config_dir = "${inside('networks')}"
`;
  const registries = `unqualified-search-registries = []

[[registry]]
location = "127.0.0.1"
insecure = true
`;
  // Pulls want a policy, which a system without the recommended packages does not have.
  mkdirSync(inside('etc/containers'), { recursive: true });
  writeFileSync(inside('etc/containers/policy.json'), '{ "default": [{ "type": "insecureAcceptAnything" }] }');
  writeFileSync(inside('containers.conf'), containers);
  writeFileSync(inside('registries.conf'), registries);
  return { CONTAINERS_CONF: inside('containers.conf'), CONTAINERS_REGISTRIES_CONF: inside('registries.conf') };
}
