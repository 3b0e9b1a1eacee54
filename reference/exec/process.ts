import { now } from '../clock.ts';
import { environmentOf, kernelFiles } from '../containers/run.ts';
import type { Engine } from '../engine.ts';
import { conflict, serverError } from '../errors.ts';
import { type Account, findAccount } from '../process/accounts.ts';
import { checkExecutable, ExecError } from '../process/executable.ts';
import { type MountSource, View } from '../process/mounts.ts';
import { freePid, Process } from '../process/process.ts';
import { Terminal } from '../process/terminal.ts';
import type { ExecInstance } from './instance.ts';

/** Makes the process of an exec instance, without running it. Throws EngineError. */
export function newExecProcess(engine: Engine, instance: ExecInstance): Process {
  const { container, config } = instance;
  const first = container.process;
  if (!first) throw conflict(`container ${container.id} is not running`);
  const { cwd, network, hostname, domainname, limits, peers } = first.options;
  let process: Process | undefined;
  const privileged = config.privileged || container.hostConfig.Privileged;
  const kernel = kernelFiles(container, network, () => process, privileged);
  const view = ownView(first.options.view, kernel.proc);
  const { credentials, home } = checked(instance, () => {
    const account = findAccount(view, config.user || container.config.User, container.hostConfig.GroupAdd);
    const environment = environmentOf(container, account.home, config.tty);
    const path = environment.find((line) => line.startsWith('PATH='))?.slice('PATH='.length) ?? '';
    checkExecutable(view, config.command[0] ?? '', cwd, path);
    return account;
  });
  const terminal = config.tty ? newTerminal(instance) : undefined;
  process = new Process({
    argv: config.command,
    environment: environmentOf(container, home, config.tty),
    cwd,
    credentials,
    view,
    hostname,
    domainname,
    network,
    limits,
    peers,
    pid: container.hostConfig.PidMode === 'host' ? engine.nextPid() : freePid(peers),
    parentPid: 0,
    stdin: terminal?.input ?? (config.attachStdin ? instance.stdin : undefined),
    terminal,
    output: (stream, data) => instance.hub.write(stream, data),
  });
  if (container.state.paused) process.freeze();
  instance.process = process;
  instance.startedAt = now();
  instance.hostPid = engine.nextPid();
  instance.terminal = terminal;
  // The kernel ends every process of a PID namespace together with its first one.
  const started = process;
  process.onEnd(first.onEnd(() => started.end(137)));
  return process;
}

function checked(instance: ExecInstance, check: () => Account): Account {
  try {
    return check();
  } catch (error) {
    instance.failure = error instanceof ExecError ? error.code : 126;
    throw serverError(`cannot start exec ${instance.id}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A container's view, with a /proc whose `self` is another process. */
function ownView(view: View, own: MountSource): View {
  return new View(
    view.mounts.map((mount) => {
      if (mount.type !== 'proc') return mount;
      const isOwn = ([name]: readonly string[]): boolean => name === 'self' || name === 'mounts';
      return { ...mount, source: { get: (parts) => (isOwn(parts) ? own : mount.source).get(parts) } };
    }),
  );
}

function newTerminal(instance: ExecInstance): Terminal {
  return new Terminal({
    size: { rows: 0, columns: 0 },
    echo: (data) => instance.hub.write(1, data),
    signal: (signal) => instance.process?.signal(signal),
  });
}
