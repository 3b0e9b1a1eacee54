import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { type ContainerOptions, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { losesEvents } from '../../harness/faults/events.ts';
import { containerWith, makeVolume, volumePath } from '../volumes/volume.ts';
import { isAbout, kindOf, listen, told } from './stream.ts';

type Provoke = (container: Container, engine: Engine) => Promise<unknown>;

async function execCreate(container: Container, engine: Engine): Promise<string> {
  const json = { Cmd: ['/probe', 'exit', '0'] };
  const answer = await given(engine.post(container.path('exec'), { json }), 201);
  return String(Object(answer.json).Id);
}

const running: ContainerOptions = { state: 'running' };
const terminal: ContainerOptions = { state: 'running', config: { Tty: true } };

/** What brings each kind of event, done to a container in a state. */
const operations = {
  attach: [running, (container) => given(container.attach({ stream: true, stdout: true }), 101)],
  create: [{}, async () => undefined],
  destroy: [{}, (container) => given(container.remove(), 204)],
  die: [running, (container) => given(container.kill(), 204)],
  exec_create: [running, execCreate],
  exec_start: [
    running,
    async (container, engine) => {
      const id = await execCreate(container, engine);
      await given(engine.post(`/exec/${id}/start`, { json: { Detach: true } }), 200, 204);
    },
  ],
  export: [{}, (container, engine) => given(engine.get(container.path('export')), 200)],
  kill: [running, (container) => given(container.kill(), 204)],
  pause: [running, (container) => given(container.pause(), 204)],
  rename: [{}, (container, engine) => given(container.rename(engine.name('container')), 204)],
  resize: [
    terminal,
    (container, engine) => given(engine.post(container.path('resize'), { query: { h: 30, w: 90 } }), 200),
  ],
  restart: [running, (container) => given(container.restart({ t: 0 }), 204)],
  start: [{}, (container) => given(container.start(), 204)],
  stop: [running, (container) => given(container.stop({ t: 0 }), 204)],
  top: [running, (container, engine) => given(engine.get(container.path('top')), 200)],
  unpause: [{ state: 'paused' }, (container) => given(container.unpause(), 204)],
  update: [{}, (container, engine) => given(engine.post(container.path('update'), { json: { CpuShares: 512 } }), 200)],
} as const satisfies Readonly<Record<string, readonly [ContainerOptions, Provoke]>>;

for (const kind of Object.keys(operations) as (keyof typeof operations)[]) {
  check(`events.kind.container.${kind}`, { faults: [losesEvents('container', kind)] }, async ({ engine }) => {
    const [options, provoke]: readonly [ContainerOptions, Provoke] = operations[kind];
    const live = await listen(engine);
    const container = await makeContainer(engine, options);
    await provoke(container, engine);
    const events = await told(live, kind, (event) => kindOf(event) === kind && isAbout(event, container.id));
    const kinds = events.filter((event) => isAbout(event, container.id)).map(kindOf);
    expectValue('the kinds of events of the container', kinds, [live]).toContain(kind);
  });
}

/** What brings each kind of event of a volume. */
const volumeOperations = {
  create: async () => undefined,
  mount: async (engine: Engine, name: string) => containerWith(engine, name, ['exit', '0']),
  unmount: async (engine: Engine, name: string) => containerWith(engine, name, ['exit', '0']),
  destroy: (engine: Engine, name: string) => given(engine.delete(volumePath(name)), 204),
} as const;

for (const kind of ['create', 'mount', 'unmount', 'destroy'] as const) {
  check(`events.kind.volume.${kind}`, { faults: [losesEvents('volume', kind)] }, async ({ engine }) => {
    const live = await listen(engine);
    const name = await makeVolume(engine);
    await volumeOperations[kind](engine, name);
    const events = await told(live, kind, (event) => kindOf(event) === kind && isAbout(event, name));
    const kinds = events.filter((event) => isAbout(event, name)).map(kindOf);
    expectValue('the kinds of events of the volume', kinds, [live]).toContain(kind);
  });
}
