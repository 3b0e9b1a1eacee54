import type { Container } from '../../../harness/engine/container.ts';
import type { ContainerOptions } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { createExec, execBody, execOf } from '../../../harness/engine/exec.ts';
import { given } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';

/** An operation on a container. */
interface EventCause {
  /** The container for the operation. */
  readonly options: ContainerOptions;
  /** The statuses of a success. */
  readonly statuses: readonly number[];
  /** The number of containers to try it on, where an engine sends the event only sometimes. Default 1. */
  readonly times?: number;
  readonly operate: (container: Container, engine: Engine) => Promise<Exchange | LiveExchange>;
}

/** The kinds of container events that operations here cause. */
export const containerKinds = [
  'attach',
  'commit',
  'copy',
  'create',
  'destroy',
  'die',
  'exec_create',
  'exec_start',
  'export',
  'kill',
  'pause',
  'rename',
  'resize',
  'restart',
  'start',
  'stop',
  'top',
  'unpause',
  'update',
] as const;

export type ContainerKind = (typeof containerKinds)[number];

const running: ContainerOptions = { state: 'running' };
const terminal: ContainerOptions = { state: 'running', config: { Tty: true } };
/** What a terminal is resized to. */
export const terminalSize = { h: 30, w: 90 } as const;

const body = execBody({ run: ['exit', '0'] });

/** The operation that causes each kind of container event (interpretation `event-causes`). */
export const operations: Readonly<Record<ContainerKind, EventCause>> = {
  attach: {
    options: running,
    statuses: [101, 200],
    operate: (container) => container.attach({ stream: true, stdout: true }),
  },
  commit: {
    options: {},
    statuses: [201],
    operate: (container, engine) => {
      const repo = engine.name('image');
      engine.made({ kind: 'image', name: `${repo}:ec` });
      return engine.post('/commit', { query: { container: container.id, repo, tag: 'ec' }, json: {} });
    },
  },
  copy: {
    options: {},
    statuses: [200],
    operate: (container, engine) => engine.post(container.path('copy'), { json: { Resource: '/etc/passwd' } }),
  },
  create: { options: {}, statuses: [200], operate: (container) => container.inspect() },
  destroy: { options: {}, statuses: [204], operate: (container) => container.remove() },
  die: {
    options: running,
    statuses: [200],
    operate: async (container) => {
      await given(container.kill(), 204);
      return container.wait();
    },
  },
  exec_create: {
    options: running,
    statuses: [201],
    operate: (container, engine) => createExec(engine, container.id, body),
  },
  exec_start: {
    options: running,
    statuses: [101, 200],
    operate: async (container, engine) => {
      const created = await given(createExec(engine, container.id, body), 201);
      return execOf(engine, created).start();
    },
  },
  export: { options: {}, statuses: [200], operate: (container, engine) => engine.get(container.path('export')) },
  kill: { options: running, statuses: [204], operate: (container) => container.kill() },
  pause: { options: running, statuses: [204], operate: (container) => container.pause() },
  rename: { options: {}, statuses: [204], operate: (container, engine) => container.rename(engine.name('container')) },
  resize: {
    options: terminal,
    statuses: [200],
    operate: (container, engine) => engine.post(container.path('resize'), { query: terminalSize }),
  },
  restart: { options: running, statuses: [204], operate: (container) => container.restart({ t: 0 }) },
  start: { options: {}, statuses: [204], operate: (container) => container.start() },
  stop: { options: running, statuses: [204], times: 4, operate: (container) => container.stop({ t: 0 }) },
  top: { options: running, statuses: [200], operate: (container, engine) => engine.get(container.path('top')) },
  unpause: { options: { state: 'paused' }, statuses: [204], operate: (container) => container.unpause() },
  update: {
    options: {},
    statuses: [200],
    operate: (container, engine) => engine.post(container.path('update'), { json: { CpuShares: 512 } }),
  },
};
