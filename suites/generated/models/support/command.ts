import fc from 'fast-check';
import type { Scene } from './scene.ts';
import type { ContainerModel, ModelState, World } from './world.ts';

/** One step of a sequence. */
export type ModelStep = fc.AsyncCommand<World, Scene>;

/** Compares the daemon with the model. */
export type Look = (world: World, scene: Scene) => Promise<void>;

interface StepData {
  /** What it does, in words. */
  readonly says: string;
  /** Whether it can be done now with a documented result. Default: always. */
  readonly applies?: (world: World) => boolean;
  /** Does it on the daemon and in the model, and judges the answer. */
  readonly run: (world: World, scene: Scene) => Promise<void>;
}

export function step({ says, applies = () => true, run }: StepData): ModelStep {
  return {
    check: (world) => applies(world),
    run: async (world, scene) => {
      scene.trial.step(says);
      await run(world, scene);
    },
    toString: () => says,
  };
}

interface StepOnData {
  /** The states in which its result is documented. */
  readonly states: readonly ModelState[];
  /** Further conditions on the container. */
  readonly fits?: (container: ContainerModel, world: World) => boolean;
  /** What it does to a container with this letter, in words. */
  readonly says: (which: string) => string;
  readonly run: (container: ContainerModel, world: World, scene: Scene) => Promise<void>;
}

/** A step on one of the containers in certain states; which one is generated. */
export function stepOn({ states, fits = () => true, says, run }: StepOnData): fc.Arbitrary<ModelStep> {
  return fc.nat({ max: 2 }).map((which) => {
    const chosen = (world: World): ContainerModel | undefined => {
      const fitting = world.in(...states).filter((container) => fits(container, world));
      return fitting[which % Math.max(1, fitting.length)];
    };
    return {
      check: (world) => chosen(world) !== undefined,
      run: async (world, scene) => {
        const container = chosen(world);
        if (!container) throw new Error('a step was taken that does not apply');
        scene.trial.step(says(container.letter));
        await run(container, world, scene);
      },
      toString: () => says(`#${which}`),
    };
  });
}
