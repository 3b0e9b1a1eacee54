import fc from 'fast-check';
import { type CheckContext, check } from '../../../harness/check.ts';
import type { Fault } from '../../../harness/faults/fault.ts';
import { on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { ignoresFilter, ignoresQuery, swallows } from '../../../harness/faults/requests.ts';
import { forAll } from '../../../harness/property/for-all.ts';
import type { KnownEndpoint, RuleId } from '../../../specs/catalogue.ts';
import type { Look, Step } from './support/command.ts';
import { lookAtContainers } from './support/container-looks.ts';
import { containerSteps, endsAndStarts, runsContainer, startsAndGoes } from './support/container-steps.ts';
import { lookAtCounters } from './support/counters.ts';
import { execSteps, lookAtExecs } from './support/exec-steps.ts';
import { imageSteps, lookAtImages, makesImage } from './support/image-steps.ts';
import { createsNetwork, lookAtNetworks, networkSteps } from './support/network-steps.ts';
import { openScene, type Scene } from './support/scene.ts';
import { createsVolume, lookAtVolumes, unnamedVolumeSteps, volumeSteps } from './support/volume-steps.ts';
import { World } from './support/world.ts';

interface Model {
  /** The steps that every sequence begins with. */
  readonly first?: readonly Step[];
  readonly steps: readonly fc.Arbitrary<Step>[];
  /** What is compared after each step. */
  readonly looks: readonly Look[];
  readonly faults: readonly Fault[];
  readonly runs: number;
  readonly exclusive?: boolean;
}

/** Most steps of a sequence do not apply to the state they meet, and are skipped. */
const longest = 40;

/** Runs sequences of steps, and compares the daemon with the model after each. */
function checkModel(id: RuleId, { first = [], steps, looks, faults, runs, exclusive = false }: Model): void {
  const looking = steps.map((arbitrary) => arbitrary.map((one) => followedBy(one, looks)));
  const sequences = fc.commands(looking, { maxCommands: longest, size: 'max' });
  check(id, { faults, exclusive }, (context: CheckContext) =>
    forAll(context, sequences, { runs, unbiased: true }, async (sequence, trial) => {
      const scene = await openScene(trial);
      const world = new World();
      for (const one of first) await one.run(world, scene);
      await fc.asyncModelRun<World, Scene, false, World>(() => ({ model: world, real: scene }), sequence);
      scene.listener.live.drop();
    }),
  );
}

function followedBy(one: Step, looks: readonly Look[]): Step {
  return {
    check: (world) => one.check(world),
    run: async (world, scene) => {
      await one.run(world, scene);
      for (const look of looks) await look(world, scene);
    },
    toString: () => one.toString(),
  };
}

const inspect = 'GET /containers/{id}/json';
const swallowed = (endpoint: KnownEndpoint, status: number) => on(endpoint, swallows(status));

checkModel('generated.models.containers', {
  steps: containerSteps,
  looks: [lookAtContainers],
  faults: [
    on(inspect, setsField('State.Running', true)),
    swallowed('POST /containers/{id}/start', 204),
    on('GET /containers/json', ignoresQuery('all')),
  ],
  runs: 8,
});

checkModel('generated.models.exec', {
  first: [runsContainer],
  steps: [...endsAndStarts, ...execSteps, ...execSteps],
  looks: [lookAtExecs],
  faults: [on('GET /exec/{id}/json', setsField('Running', true)), on('GET /exec/{id}/json', setsField('ExitCode', 1))],
  runs: 5,
});

checkModel('generated.models.images', {
  first: [makesImage],
  steps: imageSteps,
  looks: [lookAtImages],
  faults: [
    swallowed('POST /images/{name}/tag', 201),
    swallowed('DELETE /images/{name}', 200),
    on('GET /images/json', setsField('RepoTags', [])),
  ],
  runs: 5,
});

checkModel('generated.models.volumes', {
  first: [createsVolume],
  steps: [...startsAndGoes, ...volumeSteps, ...unnamedVolumeSteps, ...unnamedVolumeSteps],
  looks: [lookAtVolumes],
  faults: [
    swallowed('DELETE /volumes/{name}', 204),
    on('GET /volumes', ignoresFilter('dangling')),
    on('DELETE /containers/{id}', ignoresQuery('v')),
  ],
  runs: 8,
});

checkModel('generated.models.networks', {
  first: [runsContainer, createsNetwork],
  steps: [...endsAndStarts, ...networkSteps],
  looks: [lookAtNetworks],
  faults: [swallowed('POST /networks/{id}/connect', 200), swallowed('DELETE /networks/{id}', 204)],
  runs: 6,
});

checkModel('generated.models.together', {
  steps: [...containerSteps, ...volumeSteps, ...networkSteps, ...execSteps, fc.constant(makesImage), ...imageSteps],
  looks: [lookAtContainers, lookAtVolumes, lookAtNetworks, lookAtExecs, lookAtImages, lookAtCounters],
  faults: [on('GET /info', setsField('Containers', 99))],
  runs: 3,
  exclusive: true,
});
