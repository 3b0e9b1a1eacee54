import type { Engine } from '../engine.ts';
import { badParameter, conflict, notFound, serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { signalNumber } from '../process/signals.ts';
import type { Container } from './container.ts';
import { readName } from './create.ts';
import { destroy, emit, killAndWait, sendSignal, startByClient, stop } from './lifecycle.ts';
import { initialMemberships } from './network.ts';
import { readHostConfig } from './settings/host-config.ts';
import { parseDetachKeys } from './streams/detach-keys.ts';
import { readWindowSize } from './streams/window-size.ts';

const defaultSeconds = 10;

function find(call: Call): Container {
  return call.engine.containers.get(call.param('id'));
}

/** The container, if its process is running. Throws otherwise. */
function running(call: Call): Container {
  const container = find(call);
  if (!container.process) throw serverError(`container ${container.id} is not running`);
  return container;
}

/**
 * POST /containers/{id}/start. A HostConfig in the body replaces members of the container's; there is none since 1.24.
 */
export async function startContainer(call: Call): Promise<void> {
  const container = find(call);
  const keys = call.since('1.23') ? call.query.text('detachKeys') : undefined;
  if (keys !== undefined) parseDetachKeys(keys);
  const body = await call.json();
  if (call.since('1.24') && !isEmpty(body)) throw badParameter('since 1.24 start takes no body');
  if (container.state.running) return call.answerEmpty(304);
  if (body !== undefined && body !== null) {
    const given = Object.entries(readHostConfig(body, call.api, call.engine));
    const changed = given.filter(([name]) => Object.hasOwn(Object(body), name));
    container.hostConfig = { ...container.hostConfig, ...Object.fromEntries(changed) };
    if (Object.hasOwn(Object(body), 'NetworkMode')) {
      container.memberships = initialMemberships(call.engine, container.config, container.hostConfig, {});
    }
  }
  container.detachKeys = keys;
  startByClient(call.engine, container);
  call.answerEmpty(204);
}

/** No body, or an object without members. */
function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);
}

function secondsToWait(call: Call): number {
  const seconds = call.query.integer('t') ?? defaultSeconds;
  if (seconds < 0 || seconds > 2_000_000) throw badParameter(`parameter t: ${seconds} is no time to wait`);
  return seconds;
}

/** The signal that the client wants the container to be stopped with, since 1.42. Throws 400. */
function stopSignal(call: Call): number | undefined {
  const asked = call.since('1.42') ? call.query.text('signal') : undefined;
  return asked === undefined ? undefined : knownSignal(asked);
}

function knownSignal(asked: string): number {
  const signal = signalNumber(asked);
  if (signal === undefined) throw badParameter(`there is no signal ${JSON.stringify(asked)}`);
  return signal;
}

/** POST /containers/{id}/stop */
export async function stopContainer(call: Call): Promise<void> {
  const container = find(call);
  const seconds = secondsToWait(call);
  const signal = stopSignal(call);
  if (!container.state.running) return call.answerEmpty(304);
  await stop(call.engine, container, seconds, signal);
  emit(call.engine, container, 'stop');
  call.answerEmpty(204);
}

/** POST /containers/{id}/restart */
export async function restartContainer(call: Call): Promise<void> {
  const container = find(call);
  const seconds = secondsToWait(call);
  const signal = stopSignal(call);
  if (container.state.running) {
    await stop(call.engine, container, seconds, signal);
    emit(call.engine, container, 'stop');
  }
  if (!container.state.running) startByClient(call.engine, container);
  emit(call.engine, container, 'restart');
  call.answerEmpty(204);
}

/** POST /containers/{id}/kill */
export async function killContainer(call: Call): Promise<void> {
  const container = find(call);
  const asked = call.query.text('signal');
  const signal = asked === undefined ? undefined : knownSignal(asked);
  if (!container.state.running) throw serverError(`container ${container.id} is not running`);
  if (signal === undefined) await killAndWait(call.engine, container);
  else if (container.state.restarting) await killAndWait(call.engine, container);
  else sendSignal(call.engine, container, signal);
  call.answerEmpty(204);
}

/** POST /containers/{id}/pause */
export function pauseContainer(call: Call): void {
  const container = running(call);
  if (container.state.paused) throw serverError(`container ${container.id} is paused already`);
  for (const process of container.processes) process.freeze();
  container.state.paused = true;
  emit(call.engine, container, 'pause');
  call.answerEmpty(204);
}

/** POST /containers/{id}/unpause */
export function unpauseContainer(call: Call): void {
  const container = running(call);
  if (!container.state.paused) throw serverError(`container ${container.id} is not paused`);
  container.state.paused = false;
  emit(call.engine, container, 'unpause');
  for (const process of container.processes) process.thaw();
  call.answerEmpty(204);
}

/** POST /containers/{id}/rename */
export function renameContainer(call: Call): void {
  const container = find(call);
  const { containers } = call.engine;
  const name = readName(call.query.text('name') ?? '');
  if (containers.hasName(name)) throw conflict(`the name ${name} is taken`);
  const oldName = `/${container.name}`;
  containers.rename(container, name);
  emit(call.engine, container, 'rename', { oldName });
  call.answerEmpty(204);
}

/** POST /containers/{id}/resize: the new size applies from the next start. */
export function resizeContainer(call: Call): void {
  const container = find(call);
  const size = readWindowSize(call);
  if (!container.config.Tty) throw serverError(`cannot resize container ${container.id}: it has no terminal`);
  container.windowSize = size;
  emit(call.engine, container, 'resize', { height: String(size.rows), width: String(size.columns) });
  call.answerEmpty(200, { 'Content-Type': 'text/plain; charset=utf-8' });
}

/** POST /containers/{id}/wait */
export async function waitContainer(call: Call): Promise<void> {
  const container = find(call);
  const condition = (call.since('1.30') ? call.query.text('condition') : undefined) ?? 'not-running';
  if (!['not-running', 'next-exit', 'removed'].includes(condition)) {
    throw badParameter(`parameter condition: there is no ${JSON.stringify(condition)}`);
  }
  // Clients start the container only once they know that the engine waits (Document 4).
  if (call.since('1.30')) call.beginJson();
  if (condition === 'not-running' && !container.state.running) {
    return call.answer(200, { StatusCode: container.state.exitCode });
  }
  const code = await new Promise<number | undefined>((resolve) => {
    const off =
      condition === 'removed'
        ? onRemoval(call.engine, container, () => resolve(container.state.exitCode))
        : container.onExit(resolve);
    call.onGone(() => {
      off();
      resolve(undefined);
    });
  });
  if (code !== undefined) call.answer(200, { StatusCode: code });
  else call.res.destroy();
}

function onRemoval(engine: Engine, { id }: Container, action: () => void): () => void {
  const off = engine.events.subscribe((event) => {
    if (event.type !== 'container' || event.action !== 'destroy' || event.id !== id) return;
    off();
    action();
  });
  return off;
}

/** DELETE /containers/{id} */
export async function removeContainer(call: Call): Promise<void> {
  const force = call.query.flag('force');
  const withVolumes = call.query.flag('v');
  if (call.query.flag('link')) return removeLink(call);
  const container = find(call);
  if (container.state.running) {
    if (!force) throw conflict(`container ${container.id} is running: stop it first, or force`);
    await killAndWait(call.engine, container);
  }
  // A second remove may have finished while this one waited for the exit.
  if (call.engine.containers.find(container.id) === container) destroy(call.engine, container, withVolumes);
  call.answerEmpty(204);
}

/** Removes the link `alias` of a container named as `container/alias`. */
function removeLink(call: Call): void {
  const path = call.param('id').replace(/^\//, '');
  const slash = path.indexOf('/');
  if (slash < 0) throw conflict(`${path} is a container, not a link`);
  const container = call.engine.containers.get(path.slice(0, slash));
  const alias = path.slice(slash + 1);
  const links = container.hostConfig.Links.filter((link) => link.split(':')[1] !== alias);
  if (links.length === container.hostConfig.Links.length) throw notFound(`no such link: ${path}`);
  container.hostConfig = { ...container.hostConfig, Links: links };
  call.answerEmpty(204);
}
