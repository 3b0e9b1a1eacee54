import fc from 'fast-check';
import { Container } from '../../../../harness/engine/container.ts';
import { create, createBody } from '../../../../harness/engine/containers.ts';
import { expect } from '../../../../harness/expect/expect.ts';
import { valuesAt } from '../../../../harness/streams/json-path.ts';
import { type ModelStep, step, stepOn } from './command.ts';
import type { Scene } from './scene.ts';
import { type ContainerModel, tells, type World } from './world.ts';

const letters = fc.constantFrom('a', 'b');

/** The options of a new container. */
export interface NewContainer {
  readonly letter: string;
  readonly endsWith?: number;
  /** The letter of a volume. */
  readonly volume?: string;
  /** Whether it has a volume that the daemon names. */
  readonly unnamedVolume?: boolean;
}

/** Creates a container; its name may be taken. */
export async function createContainer(wanted: NewContainer, world: World, scene: Scene): Promise<void> {
  const { letter, endsWith, volume, unnamedVolume = false } = wanted;
  const name = scene.name('container', letter);
  const body = createBody(scene.engine, {
    network: scene.network,
    run: endsWith === undefined ? ['forever'] : ['exit', String(endsWith)],
    ...(unnamedVolume && { config: { Volumes: { '/data': {} } } }),
    ...(volume !== undefined && { hostConfig: { Binds: [`${scene.name('volume', volume)}:/data`] } }),
  });
  const answer = await create(scene.engine, body, { name });
  if (world.containers.has(letter)) return scene.answers('containers.create.name-taken-409', answer, 409);
  await scene.answers('containers.create.answers-201', answer, 201);
  const made: ContainerModel = {
    letter,
    id: String(valuesAt(answer.json, 'Id')[0]),
    handle: new Container(scene.engine, name, name),
    state: 'created',
    ...(endsWith !== undefined && { endsWith }),
    ...(volume !== undefined && { volume }),
    told: new Map([['create', 1]]),
    networks: new Set(),
  };
  world.containers.set(letter, made);
}

const creates = fc
  .record({ letter: letters, endsWith: fc.constantFrom(undefined, undefined, undefined, 0, 3, 255) })
  .map(({ letter, endsWith }) =>
    step({
      says: `creates the container ${letter}, which ${endsWith === undefined ? 'waits for ever' : `ends with ${endsWith}`}`,
      run: (world, scene) => createContainer({ letter, ...(endsWith !== undefined && { endsWith }) }, world, scene),
    }),
  );

/** A container that waits forever, for sequences about something else. */
export const runsContainer = step({
  says: 'creates the container a and starts it',
  run: async (world, scene) => {
    await createContainer({ letter: 'a' }, world, scene);
    const container = world.containers.get('a');
    if (!container) throw new Error('the container is not in the model');
    await scene.answers('containers.start.answers-204', await container.handle.start(), 204);
    container.state = 'running';
    tells(container, 'start');
  },
});

/** Commands end with their container and stop with it; what inspect shows of them from then on is not stated. */
function forgetsCommands(container: ContainerModel, world: World): void {
  world.execs = world.execs.filter((exec) => exec.container !== container);
}

/** The process has ended: wait returns the exit code that it was told to end with. */
async function hasEnded(
  container: ContainerModel,
  world: World,
  scene: Scene,
  code: number | undefined,
): Promise<void> {
  const wait = await container.handle.wait();
  await scene.answers('containers.wait.answers-200', wait, 200);
  const [given] = valuesAt(wait.json, 'StatusCode');
  if (code !== undefined)
    await scene.trial.decides('containers.wait.exit-code', () => expect(wait).field('StatusCode').toBe(code));
  container.state = 'exited';
  forgetsCommands(container, world);
  if (typeof given === 'number' && scene.trial.holds('containers.wait.exit-code')) container.exitCode = given;
  else delete container.exitCode;
  tells(container, 'die');
}

const starts = stepOn({
  states: ['created', 'exited'],
  says: (which) => `starts ${which}`,
  run: async (container, world, scene) => {
    const again = container.state === 'exited';
    const rule = again ? 'containers.start.starts-again' : 'containers.start.answers-204';
    await scene.answers(rule, await container.handle.start(), 204);
    container.state = 'running';
    tells(container, 'start');
    if (container.endsWith !== undefined) await hasEnded(container, world, scene, container.endsWith);
  },
});

const startsRunning = stepOn({
  states: ['running'],
  says: (which) => `starts ${which}, which runs`,
  run: async ({ handle }, _world, scene) =>
    scene.answers('containers.start.started-answers-304', await handle.start(), 304),
});

const stops = stepOn({
  states: ['running'],
  says: (which) => `stops ${which}`,
  run: async (container, world, scene) => {
    await scene.answers('containers.stop.answers-204', await container.handle.stop({ t: 0 }), 204);
    tells(container, 'stop');
    await hasEnded(container, world, scene, undefined);
  },
});

const stopsExited = stepOn({
  states: ['exited'],
  says: (which) => `stops ${which}, which has ended`,
  run: async ({ handle }, _world, scene) =>
    scene.answers('containers.stop.stopped-answers-304', await handle.stop({ t: 0 }), 304),
});

const restarts = stepOn({
  states: ['running'],
  says: (which) => `restarts ${which}`,
  run: async (container, world, scene) => {
    await scene.answers('containers.restart.answers-204', await container.handle.restart({ t: 0 }), 204);
    tells(container, 'die', 'start', 'restart');
    forgetsCommands(container, world);
  },
});

const kills = stepOn({
  states: ['running'],
  says: (which) => `kills ${which}`,
  run: async (container, world, scene) => {
    await scene.answers('containers.kill.answers-204', await container.handle.kill(), 204);
    tells(container, 'kill');
    await hasEnded(container, world, scene, undefined);
  },
});

/** Left out where nothing can be paused. */
export const pauses = stepOn({
  states: ['running'],
  fits: (_container, world) => world.pauses,
  says: (which) => `pauses ${which}`,
  run: async (container, world, scene) => {
    await scene.answers('containers.pause.answers-204', await container.handle.pause(), 204);
    container.state = 'paused';
    forgetsCommands(container, world);
    tells(container, 'pause');
  },
});

const unpauses = stepOn({
  states: ['paused'],
  says: (which) => `unpauses ${which}`,
  run: async (container, _world, scene) => {
    await scene.answers('containers.unpause.answers-204', await container.handle.unpause(), 204);
    container.state = 'running';
    tells(container, 'unpause');
  },
});

const renames = letters.chain((to) =>
  stepOn({
    states: ['created', 'running', 'exited'],
    // The result of renaming a container to its own name is not documented.
    fits: ({ letter }) => letter !== to,
    says: (which) => `renames ${which} to ${to}`,
    run: async (container, world, scene) => {
      const name = scene.name('container', to);
      const answer = await container.handle.rename(name);
      if (world.containers.has(to)) return scene.answers('containers.rename.taken-answers-409', answer, 409);
      await scene.answers('containers.rename.answers-204', answer, 204);
      scene.engine.made({ kind: 'container', name, id: container.id });
      world.containers.delete(container.letter);
      world.containers.set(to, container);
      container.letter = to;
      container.handle = new Container(scene.engine, name, name);
      tells(container, 'rename');
    },
  }),
);

function isGone(container: ContainerModel, world: World): void {
  world.containers.delete(container.letter);
  world.gone.push(container);
  forgetsCommands(container, world);
  tells(container, 'destroy');
}

const removes = stepOn({
  states: ['created', 'exited'],
  says: (which) => `removes ${which}`,
  run: async (container, world, scene) => {
    await scene.answers('containers.remove.answers-204', await container.handle.remove(), 204);
    isGone(container, world);
  },
});

const removesRunning = stepOn({
  states: ['running'],
  says: (which) => `removes ${which}, which runs`,
  run: async ({ handle }, _world, scene) => {
    const answer = await handle.remove();
    await scene.trial.decides('containers.remove.force-default-false', () => expect(answer).toBeRefused());
    fc.pre(answer.status >= 400);
  },
});

const removesByForce = stepOn({
  states: ['running'],
  says: (which) => `removes ${which} by force`,
  run: async (container, world, scene) => {
    await scene.answers('containers.remove.force-kills', await container.handle.remove({ force: true }), 204);
    tells(container, 'die');
    isGone(container, world);
  },
});

/** Removes every container that is left, whatever it is doing. */
export async function removesAll(world: World, scene: Scene): Promise<void> {
  for (const container of [...world.containers.values()]) {
    scene.trial.step(`removes ${container.letter} by force`);
    await scene.answers('containers.remove.force-kills', await container.handle.remove({ force: true }), 204);
    isGone(container, world);
  }
}

/** Some are more likely than others, because others depend on them, or as they leave more to go on with. */
export const containerSteps: readonly fc.Arbitrary<ModelStep>[] = [
  ...[creates, creates, creates, starts, starts, starts, starts, restarts, restarts, renames, renames],
  ...[startsRunning, stops, stopsExited, kills, pauses, unpauses, removes, removes, removesRunning, removesByForce],
];

/** A container that starts and ends, for sequences about what it has. */
export const endsAndStarts: readonly fc.Arbitrary<ModelStep>[] = [kills, starts];
export const startsAndGoes: readonly fc.Arbitrary<ModelStep>[] = [starts, removes, removesByForce];
