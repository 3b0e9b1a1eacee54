import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Daemon, type Engine, launch, missing } from './daemon.ts';
import { directoryInMemory, directoryOnDisk } from './daemon-directory.ts';
import { debian13Unavailable, inDebian13 } from './debian-13.ts';

/** Debian 12's, 20.10.24. */
export const dockerd = {
  name: 'dockerd',
  baseline: 'baselines/dockerd-20.10.yaml',
  apis: '1.20,1.21,1.23,1.41',
  few: ['--api', '1.20,1.21,1.23', '--once'],
  unavailable: () => missing(['dockerd', 'containerd', 'runc', 'ip']),
  start: () => startDockerd('dockerd', directoryInMemory('ec-dockerd-'), (_, command) => command),
} satisfies Engine;

/** Debian 13's, 26.1.5, which serves none of the documented versions. */
export const dockerd26: Engine = {
  name: 'dockerd-26.1',
  baseline: 'baselines/dockerd-26.1.yaml',
  unavailable: () => missing(['ip']) ?? debian13Unavailable(),
  start: () => startDockerd('dockerd-26.1', directoryOnDisk('ec-dockerd-'), inDebian13),
};

/**
 * Starts a dockerd beside whatever else runs on the machine: it has a bridge of its own and leaves the packet
 * filter alone, as a second dockerd would flush the chains of the first. Published ports go through its proxy.
 * @param directory the daemon's own, removed with it
 * @param within the command line that runs the daemon's command in the system that has it
 */
async function startDockerd(
  name: string,
  directory: string,
  within: (directory: string, command: readonly string[]) => readonly string[],
): Promise<Daemon> {
  const inside = (name: string) => path.join(directory, name);
  const configuration = inside('daemon.json');
  writeFileSync(configuration, '{}'); // Keeps the machine's own configuration out.
  const bridge = makeBridge(`ec-${path.basename(directory).slice(-6)}`);
  return launch({
    name,
    directory,
    socketPath: inside('docker.sock'),
    command: within(directory, [
      'dockerd',
      ...['--host', `unix://${inside('docker.sock')}`],
      ...['--data-root', inside('data'), '--exec-root', inside('exec'), '--pidfile', inside('docker.pid')],
      ...['--config-file', configuration, '--bridge', bridge, '--iptables=false'],
    ]),
    environment: {},
    after: [['ip', 'link', 'delete', bridge]],
  });
}

/** Makes a bridge with an address range that no interface of this machine has. */
function makeBridge(name: string): string {
  const taken = execFileSync('ip', ['-4', '-oneline', 'address'], { encoding: 'utf8' });
  const isFree = (third: number) => !taken.includes(` 10.249.${third}.`);
  const first = process.pid % 250; // Test processes that start at once begin at different places.
  const third = Array.from({ length: 250 }, (_, n) => (first + n) % 250).find(isFree);
  if (third === undefined) throw new Error('no address range is free for a bridge');
  execFileSync('ip', ['link', 'add', name, 'type', 'bridge']);
  execFileSync('ip', ['address', 'add', `10.249.${third}.1/24`, 'dev', name]);
  execFileSync('ip', ['link', 'set', name, 'up']);
  return name;
}
