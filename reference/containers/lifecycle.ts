import { now } from '../clock.ts';
import type { Engine } from '../engine.ts';
import { conflict, EngineError, serverError } from '../errors.ts';
import type { NetworkStack } from '../process/network-stack.ts';
import { runProbe } from '../process/probe.ts';
import type { Process } from '../process/process.ts';
import { signalNumber } from '../process/signals.ts';
import type { Container } from './container.ts';
import { eventAttributes } from './event-attributes.ts';
import { connectNetworks, disconnectNetworks, networkEvent } from './network.ts';
import { newProcess, renewInput } from './run.ts';

const firstRestartDelay = 100;
const longestRestartDelay = 60_000;
/** A run of at least this many milliseconds resets the doubling delay. */
const steadyRun = 10_000;

export function emit(engine: Engine, container: Container, action: string, more: Record<string, string> = {}): void {
  engine.events.emit('container', action, container.id, { ...eventAttributes(container), ...more });
}

/** Starts a container that is not running. Throws EngineError; then it is unchanged, with the error in its state. */
function start(engine: Engine, container: Container): void {
  clearTimeout(container.restartTimer);
  container.state.restarting = false;
  container.state.error = '';
  let process: Process;
  let network: NetworkStack | undefined;
  try {
    network = connectNetworks(engine, container);
    process = newProcess(engine, container, network);
  } catch (error) {
    disconnectNetworks(engine, container, network);
    if (error instanceof EngineError && container.state.error === '') container.state.error = error.message;
    container.state.exitCode ||= 128;
    // It tells clients that follow the events that there is nothing to wait for.
    emit(engine, container, 'die', { exitCode: String(container.state.exitCode) });
    throw error;
  }
  const { state } = container;
  container.process = process;
  Object.assign(state, {
    running: true,
    paused: false,
    oomKilled: false,
    pid: engine.nextPid(),
    exitCode: 0,
    startedAt: now(),
  });
  for (const { volume, destination } of container.mounts) {
    if (volume) engine.volumes.mount(volume, container.id, destination);
  }
  for (const { network } of container.endpoints) networkEvent(engine, container, 'connect', network);
  emit(engine, container, 'start');
  void process.exited.then((code) => ended(engine, container, process, code));
  void process.run(runProbe);
}

function ended(engine: Engine, container: Container, process: Process, code: number): void {
  if (container.process !== process) return;
  const { state } = container;
  const startedAt = state.startedAt ?? 0n;
  container.process = undefined;
  container.terminal = undefined;
  renewInput(container);
  container.hub.log.endLines();
  Object.assign(state, { running: false, paused: false, pid: 0, exitCode: code, finishedAt: now() });
  emit(engine, container, 'die', { exitCode: String(code) });
  const left = disconnectNetworks(engine, container, process.options.network);
  for (const network of left) networkEvent(engine, container, 'disconnect', network);
  for (const { volume } of container.mounts) {
    if (volume) engine.volumes.unmount(volume, container.id);
  }
  const restarts = shouldRestart(container, code);
  if (restarts) scheduleRestart(engine, container, Number((now() - startedAt) / 1_000_000n) >= steadyRun);
  container.announceExit(code);
  if (restarts) return;
  container.announceStop();
  if (container.hostConfig.AutoRemove && engine.containers.find(container.id) === container) {
    destroy(engine, container, true);
  }
}

function shouldRestart(
  { hostConfig: { RestartPolicy: policy }, manuallyStopped, restartCount }: Container,
  code: number,
) {
  if (manuallyStopped) return false;
  if (policy.Name === 'always' || policy.Name === 'unless-stopped') return true;
  if (policy.Name !== 'on-failure' || code === 0) return false;
  return policy.MaximumRetryCount === 0 || restartCount < policy.MaximumRetryCount;
}

function scheduleRestart(engine: Engine, container: Container, wasSteady: boolean): void {
  if (wasSteady) container.quickRestarts = 0;
  const delay = Math.min(firstRestartDelay * 2 ** container.quickRestarts, longestRestartDelay);
  container.quickRestarts += 1;
  container.state.restarting = true;
  container.state.running = true;
  container.restartTimer = setTimeout(() => {
    container.restartCount += 1;
    try {
      start(engine, container);
    } catch {
      container.state.running = false;
      container.announceStop();
    }
  }, delay);
}

/** Starts a container for a client: its restart policy starts counting again. */
export function startByClient(engine: Engine, container: Container): void {
  container.manuallyStopped = false;
  container.restartCount = 0;
  container.quickRestarts = 0;
  start(engine, container);
}

/** Ends a container that is waiting for its next restart; false when it is not waiting. */
function cancelRestart(container: Container): boolean {
  if (!container.state.restarting) return false;
  clearTimeout(container.restartTimer);
  container.state.restarting = false;
  container.state.running = false;
  container.announceExit(container.state.exitCode);
  container.announceStop();
  return true;
}

/** Sends the container's stop signal, or the one asked for, waits at most `seconds`, then kills. */
export async function stop(engine: Engine, container: Container, seconds: number, asked?: number): Promise<void> {
  container.manuallyStopped = true;
  const { process } = container;
  if (cancelRestart(container) || !process) return;
  const exited = container.nextExit();
  const signal = asked ?? signalNumber(container.config.StopSignal) ?? 15;
  emit(engine, container, 'kill', { signal: String(signal) });
  process.signal(signal);
  const timer = setTimeout(() => process.signal(9), Math.max(seconds, 0) * 1000);
  await exited;
  clearTimeout(timer);
}

/** Sends SIGKILL and waits for the exit. */
export async function killAndWait(engine: Engine, container: Container): Promise<void> {
  container.manuallyStopped = true;
  const { process } = container;
  if (cancelRestart(container) || !process) return;
  const exited = container.nextExit();
  emit(engine, container, 'kill', { signal: '9' });
  process.signal(9);
  await exited;
}

/** Sends a signal to the container's first process. */
export function sendSignal(engine: Engine, container: Container, signal: number): void {
  if (!container.process) throw serverError(`container ${container.id} is not running`);
  const stops = signal === 9 || signal === (signalNumber(container.config.StopSignal) ?? 15);
  if (stops) container.manuallyStopped = true;
  emit(engine, container, 'kill', { signal: String(signal) });
  container.process.signal(signal);
}

/** Removes a container that is not running. */
export function destroy(engine: Engine, container: Container, withVolumes: boolean): void {
  if (container.process || container.state.restarting) throw conflict(`container ${container.id} is running`);
  engine.containers.remove(container);
  engine.execs.removeOf(container);
  for (const { volume, anonymous } of container.mounts) {
    volume?.users.delete(container.id);
    if (volume && withVolumes && anonymous && volume.users.size === 0) engine.volumes.remove(volume.name);
  }
  container.announceExit(container.state.exitCode);
  container.announceStop();
  emit(engine, container, 'destroy');
}
