import fc from 'fast-check';
import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import type { Fault } from '../../../harness/faults/fault.ts';
import { on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { ignoresFilter, ignoresQuery, swallows } from '../../../harness/faults/requests.ts';
import { forAll } from '../../../harness/property/for-all.ts';
import type { KnownEndpoint, RuleId } from '../../../specs/catalogue.ts';
import { listen } from '../../events/support/listen.ts';
import { tellUnjudged } from '../../support/shared-results.ts';
import type { Look, ModelStep } from './support/command.ts';
import { lookAtContainers } from './support/container-looks.ts';
import { containerSteps, endsAndStarts, pauses, runsContainer, startsAndGoes } from './support/container-steps.ts';
import { lookAtCounters } from './support/counters.ts';
import { execSteps, lookAtExecs } from './support/exec-steps.ts';
import { imageSteps, lookAtImages, makesImage } from './support/image-steps.ts';
import { createsNetwork, lookAtNetworks, networkSteps, removesAllOnNetworks } from './support/network-steps.ts';
import { Scene } from './support/scene.ts';
import { createsVolume, lookAtVolumes, unnamedVolumeSteps, volumeSteps } from './support/volume-steps.ts';
import { World } from './support/world.ts';

interface Model {
  /** The steps that every sequence begins with. */
  readonly first?: readonly ModelStep[];
  readonly steps: readonly fc.Arbitrary<ModelStep>[];
  /** What every sequence ends with, after the last look. */
  readonly last?: Look;
  /** What is compared after a sequence, and after some of its steps. */
  readonly looks: readonly Look[];
  /** After about which step it is compared. Default: every fourth. */
  readonly every?: number;
  /** Whether a look compares the events as well. */
  readonly listens?: boolean;
  /** `own` where the steps connect containers to networks. */
  readonly network?: 'own';
  readonly faults: readonly Fault[];
  readonly runs: number;
  /** The most steps of a sequence. Most do not apply to the state they meet, and are skipped. Default 40. */
  readonly longest?: number;
  readonly exclusive?: boolean;
}

/** Runs sequences of steps, and compares the daemon with the model. */
function checkModel(
  id: RuleId,
  {
    first = [],
    steps,
    last,
    looks,
    every = 4,
    listens = false,
    network,
    faults,
    runs,
    longest = 40,
    exclusive = false,
  }: Model,
): void {
  const lookAtAll: Look = async (world, scene) => {
    for (const look of looks) await look(world, scene);
  };
  const looking = steps.map((arbitrary) =>
    fc.record({ one: arbitrary, looks: onceIn(every) }).map(followedBy(lookAtAll)),
  );
  const sequences = fc.commands(looking, { maxCommands: longest, size: 'max' });
  // Where nothing else happens, there is little in it of what others do.
  const heard = fixture(`the events during ${id}`, ({ engine }) => listen(engine));
  check(id, { faults, exclusive, looksAt: ['freezer'] }, (context: CheckContext) => {
    const { freezer } = context.target.lacks;
    if (freezer !== undefined && steps.includes(pauses)) tellUnjudged('pauses were', freezer);
    return forAll(context, sequences, { runs, unbiased: true }, async (sequence, trial) => {
      const listener = listens ? await (exclusive ? trial.use(heard) : listen(trial.engine)) : undefined;
      const scene = new Scene(trial, { ...(listener && { listener }), network });
      const world = new World(context.target);
      for (const one of first) await one.run(world, scene);
      await fc.asyncModelRun<World, Scene, false, World>(() => ({ model: world, real: scene }), sequence);
      world.isOver = true;
      await lookAtAll(world, scene);
      await last?.(world, scene);
    });
  });
}

/**
 * Whether to look after a step. The answer to each step is judged anyway, and most of what goes wrong is still there in
 * the end; what heals, or what only a look spoils, is seen by the looks between.
 */
function onceIn(every: number): fc.Arbitrary<boolean> {
  return fc.nat({ max: every - 1 }).map((chosen) => chosen === every - 1);
}

function followedBy(look: Look): (step: { readonly one: ModelStep; readonly looks: boolean }) => ModelStep {
  return ({ one, looks }) => ({
    check: (world) => one.check(world),
    run: async (world, scene) => {
      await one.run(world, scene);
      if (!looks) return;
      scene.trial.step('looks at what there is');
      await look(world, scene);
    },
    toString: () => (looks ? `${one}, and looks` : `${one}`),
  });
}

const inspect = 'GET /containers/{id}/json';
const swallowed = (endpoint: KnownEndpoint, status: number) => on(endpoint, swallows(status));

checkModel('generated.models.containers', {
  steps: containerSteps,
  looks: [lookAtContainers],
  every: 3,
  listens: true,
  faults: [
    on(inspect, setsField('State.Running', true)),
    swallowed('POST /containers/{id}/start', 204),
    on('GET /containers/json', ignoresQuery('all')),
  ],
  runs: 6,
});

checkModel('generated.models.exec', {
  first: [runsContainer],
  steps: [...endsAndStarts, ...execSteps, ...execSteps, ...execSteps],
  looks: [lookAtExecs],
  longest: 36,
  faults: [on('GET /exec/{id}/json', setsField('Running', true)), on('GET /exec/{id}/json', setsField('ExitCode', 1))],
  runs: 5,
});

checkModel('generated.models.images', {
  first: [makesImage],
  steps: imageSteps,
  looks: [lookAtImages],
  longest: 16,
  faults: [
    swallowed('POST /images/{name}/tag', 201),
    swallowed('DELETE /images/{name}', 200),
    on('GET /images/json', setsField('RepoTags', [])),
  ],
  runs: 5,
});

checkModel('generated.models.volumes', {
  first: [createsVolume],
  steps: [...startsAndGoes, ...volumeSteps, ...unnamedVolumeSteps],
  looks: [lookAtVolumes],
  longest: 28,
  faults: [
    swallowed('DELETE /volumes/{name}', 204),
    on('GET /volumes', ignoresFilter('dangling')),
    on('DELETE /containers/{id}', ignoresQuery('v')),
  ],
  runs: 5,
});

checkModel('generated.models.networks', {
  first: [runsContainer, createsNetwork],
  steps: [...endsAndStarts, ...networkSteps],
  last: removesAllOnNetworks,
  looks: [lookAtNetworks],
  network: 'own',
  longest: 28,
  faults: [swallowed('POST /networks/{id}/connect', 200), swallowed('DELETE /networks/{id}', 204)],
  runs: 6,
});

checkModel('generated.models.together', {
  steps: [...containerSteps, ...volumeSteps, ...networkSteps, ...execSteps, fc.constant(makesImage), ...imageSteps],
  looks: [lookAtContainers, lookAtVolumes, lookAtNetworks, lookAtExecs, lookAtImages, lookAtCounters],
  listens: true,
  network: 'own',
  faults: [on('GET /info', setsField('Containers', 99))],
  runs: 3,
  exclusive: true,
});
