import type { Engine } from '../engine.ts';
import { serverError } from '../errors.ts';
import { findAccount } from '../process/accounts.ts';
import { capabilityMask } from '../process/capabilities.ts';
import { checkExecutable, ExecError } from '../process/executable.ts';
import { newDirectory, segments } from '../process/file-system.ts';
import { InputPipe } from '../process/input-pipe.ts';
import { madeSource } from '../process/kernel-files.ts';
import type { View } from '../process/mounts.ts';
import type { NetworkStack } from '../process/network-stack.ts';
import { type LimitPair, networkFiles, type ProcFacts, procFiles } from '../process/proc-files.ts';
import { Process } from '../process/process.ts';
import { Terminal } from '../process/terminal.ts';
import type { Container } from './container.ts';
import { eventAttributes } from './event-attributes.ts';
import { cgroupFiles, cgroupPath, cpusOf } from './mounts/cgroup-files.ts';
import { containerView } from './mounts/kernel-files.ts';
import { variableName } from './settings/config.ts';

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Makes the process of a starting container, without running it. Throws EngineError. */
export function newProcess(engine: Engine, container: Container, network: NetworkStack): Process {
  const { config, hostConfig } = container;
  let process: Process | undefined;
  const view = containerView(
    engine,
    container,
    kernelFiles(container, network, () => process),
  );
  const cwd = `/${segments(config.WorkingDir).join('/')}`;
  makeWorkingDirectory(view, cwd);
  try {
    const { credentials, home } = findAccount(view, config.User, hostConfig.GroupAdd);
    const environment = environmentOf(container, home, config.Tty);
    const path = environment.find((line) => line.startsWith('PATH='))?.slice('PATH='.length) ?? '';
    checkExecutable(view, container.command[0] ?? '', cwd, path);
    const terminal = config.Tty ? newTerminal(container) : undefined;
    const pids = joinPids(engine, container);
    process = new Process({
      argv: container.command,
      environment,
      cwd,
      credentials,
      view,
      hostname: hostConfig.NetworkMode === 'host' ? 'engine' : config.Hostname,
      domainname: config.Domainname || '(none)',
      network,
      limits: {
        // An update changes them while the process is running.
        get memory() {
          return container.hostConfig.Memory;
        },
        get pids() {
          return container.hostConfig.PidsLimit;
        },
        outOfMemory: () => outOfMemory(engine, container),
      },
      ...pids,
      stdin: config.OpenStdin ? (terminal?.input ?? container.stdin) : terminal?.input,
      terminal,
      output: (stream, data) => container.hub.write(stream, data),
    });
    container.terminal = terminal;
    void terminal?.type(container.stdin.drain());
    return process;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    container.state.exitCode = error instanceof ExecError ? error.code : 128;
    container.state.error = message;
    throw serverError(`cannot start container ${container.id}: ${message}`);
  }
}

function outOfMemory(engine: Engine, container: Container): boolean {
  engine.events.emit('container', 'oom', container.id, eventAttributes(container));
  if (container.hostConfig.OomKillDisable) return false;
  container.state.oomKilled = true;
  return true;
}

function joinPids(engine: Engine, container: Container): { pid: number; parentPid: number; peers: Set<Process> } {
  const mode = container.hostConfig.PidMode;
  if (mode === 'host') return { pid: engine.nextPid(), parentPid: 1, peers: hostProcesses(engine) };
  if (!mode.startsWith('container:')) return { pid: 1, parentPid: 0, peers: new Set() };
  const other = engine.containers.find(mode.slice('container:'.length))?.process;
  if (!other) throw new Error(`cannot join the processes of ${mode}: it is not running`);
  return { pid: 2 + other.options.peers.size, parentPid: 0, peers: other.options.peers };
}

function hostProcesses(engine: Engine): Set<Process> {
  const peers = new Set<Process>();
  for (const { process } of engine.containers.all()) if (process) peers.add(process);
  return peers;
}

function makeWorkingDirectory(view: View, cwd: string): void {
  try {
    const { node, mount, inner } = view.find(cwd);
    if (!node && !mount.readOnly) mount.source.set?.(inner, newDirectory());
  } catch {
    const place = view.find('/');
    if (!place.mount.readOnly) place.mount.source.set?.(segments(cwd), newDirectory());
  }
}

/** The environment of a container's process whose user has this home. */
export function environmentOf({ config }: Container, home: string, hasTerminal: boolean): string[] {
  const lines = [`PATH=${searchPath}`, `HOSTNAME=${config.Hostname}`, ...(hasTerminal ? ['TERM=xterm'] : [])];
  const result = new Map(lines.map((line) => [variableName(line), line]));
  for (const line of config.Env) result.set(variableName(line), line);
  if (!result.has('HOME')) result.set('HOME', `HOME=${home}`);
  return [...result.values()];
}

function newTerminal(container: Container): Terminal {
  return new Terminal({
    size: container.windowSize,
    echo: (data) => container.hub.write(1, data),
    signal: (signal) => container.process?.signal(signal),
  });
}

/** The simulated kernel file systems as one process of a container sees them. */
export function kernelFiles(
  container: Container,
  network: NetworkStack,
  process: () => Process | undefined,
  privileged = container.hostConfig.Privileged,
) {
  const { hostConfig } = container;
  const limits = new Map<string, LimitPair>(hostConfig.Ulimits.map(({ Name, Soft, Hard }) => [Name, [Soft, Hard]]));
  const capabilities = capabilityMask({
    add: hostConfig.CapAdd,
    drop: hostConfig.CapDrop,
    privileged,
  });
  const facts: ProcFacts = {
    process,
    limits,
    capabilities,
    cpus: cpusOf(hostConfig),
    cgroup: cgroupPath(container),
    isFirst: hostConfig.PidMode !== 'host',
    oomScoreAdj: hostConfig.OomScoreAdj,
  };
  return {
    // Other processes come and go.
    proc: { get: (parts: readonly string[]) => madeSource(procFiles(facts)).get(parts) },
    cgroup: madeSource(cgroupFiles(container)),
    // They come and go while the process is running.
    interfaces: { get: (parts: readonly string[]) => madeSource(networkFiles(network.interfaces)).get(parts) },
  };
}

/** The standard input of the next run. */
export function renewInput(container: Container): void {
  container.stdin.end();
  container.stdin = new InputPipe();
}
