import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { lookUntil } from '../../../../harness/engine/look-until.ts';
import { filters } from '../../../../harness/engine/query.ts';
import { expect, expectValue } from '../../../../harness/expect/expect.ts';
import { valuesAt } from '../../../../harness/streams/json-path.ts';
import { workingVersion } from '../../../../harness/target/working-version.ts';
import { createVolume, releasedMs, removeFreed, volumePath } from '../../../volumes/support/volumes.ts';
import { type Look, type ModelStep, step } from './command.ts';
import { createContainer } from './container-steps.ts';
import type { Scene } from './scene.ts';
import type { World } from './world.ts';

const letters = fc.constantFrom('u', 'v');

// The result of creating a volume under a taken name is not documented.
const creating = (letter: string): ModelStep =>
  step({
    says: `creates the volume ${letter}`,
    applies: (world) => !world.volumes.has(letter),
    run: async (world, scene) => {
      const answer = await createVolume(scene.engine, scene.name('volume', letter));
      await scene.answers('volumes.create.answers-201', answer, 201);
      world.volumes.add(letter);
    },
  });

const creates = letters.map(creating);

/** The volume that every sequence starts with. */
export const createsVolume = creating('u');

const createsContainer = fc
  .record({ letter: fc.constantFrom('a', 'b'), volume: letters, ends: fc.boolean() })
  .map(({ letter, volume, ends }) =>
    step({
      says: `creates the container ${letter} with the volume ${volume}`,
      applies: (world) => world.volumes.has(volume) && !world.containers.has(letter),
      run: (world, scene) => createContainer({ letter, volume, ...(ends && { endsWith: 0 }) }, world, scene),
    }),
  );

const removes = letters.map((letter) =>
  step({
    says: `removes the volume ${letter}`,
    applies: (world) => world.volumes.has(letter) && world.uses(letter) !== undefined,
    run: async (world, scene) => {
      const name = scene.name('volume', letter);
      if (world.uses(letter)) {
        const refused = await scene.engine.delete(volumePath(name));
        return scene.answers('volumes.remove.in-use-answers-409', refused, 409);
      }
      await scene.answers('volumes.remove.answers-204', await removeFreed(scene.engine, name), 204);
      world.volumes.delete(letter);
    },
  }),
);

export const volumeSteps: readonly fc.Arbitrary<ModelStep>[] = [
  creates,
  creates,
  createsContainer,
  createsContainer,
  removes,
  removes,
];

/** Compares what list, its filter and inspect say about the volumes with the model. */
export const lookAtVolumes: Look = async (world, scene) => {
  const { trial, engine } = scene;
  const all = await engine.get('/volumes');
  const named = (letters: Iterable<string>) => [...letters].map((letter) => scene.name('volume', letter)).sort();
  const own = scene.names('volume');
  const there = named(world.volumes);
  const listed = namesIn(all, own);
  await scene.lists(
    'volume',
    all,
    { listed, there },
    { lacks: 'volumes.list.every-volume', goesOn: 'volumes.remove.volume-gone' },
  );
  const thatAre = (used: boolean) => named([...world.volumes].filter((letter) => world.uses(letter) === used));
  const [unused, used] = [thatAre(false), thatAre(true)];
  const danglingOf = (list: Exchange) => namesIn(list, [...unused, ...used]);
  // A volume may count as used for a moment after its container was removed.
  const dangling = await lookUntil(
    () => engine.get('/volumes', { filters: filters({ dangling: ['true'] }) }),
    (list) => isDeepStrictEqual(danglingOf(list), unused),
    releasedMs,
  );
  await trial.decides('volumes.list.filters-dangling', () =>
    expectValue('the dangling ones of the volumes that no container or a running one has', danglingOf(dangling), [
      dangling,
    ]).toBe(unused),
  );
  for (const letter of world.volumes) {
    const inspect = await engine.get(volumePath(scene.name('volume', letter)));
    await trial.decides('volumes.inspect.answers-200', () => expect(inspect).toHaveStatus(200));
  }
};

/** The names that a list of volumes has, of those given and in their order. */
function namesIn(list: Exchange, names: readonly string[]): string[] {
  const listed = valuesAt(list.json, 'Volumes[].Name');
  return names.filter((name) => listed.includes(name)).sort();
}

/** A container with a volume that the daemon names, which is removed with it only when v is set. */
export const unnamedVolumeSteps: readonly fc.Arbitrary<ModelStep>[] = [
  fc.record({ letter: fc.constantFrom('a', 'b'), v: fc.boolean() }).map(({ letter, v }) =>
    step({
      says: `creates the container ${letter} with a volume without a name, and removes it ${v ? 'with' : 'without'} v`,
      applies: (world) => !world.containers.has(letter),
      run: (world, scene) => createAndRemove(letter, v, world, scene),
    }),
  ),
];

async function createAndRemove(letter: string, v: boolean, world: World, scene: Scene): Promise<void> {
  const { engine, trial } = scene;
  const before = await engine.get('/volumes');
  await createContainer({ letter, unnamedVolume: true }, world, scene);
  const container = world.containers.get(letter);
  fc.pre(container !== undefined);
  // Only 1.23 shows the volume names of mounts.
  const inspect = await engine.request('GET', container.handle.path('json'), {
    prefix: `/v${workingVersion(engine.target.serves)}`,
  });
  const [volume] = valuesAt(inspect.json, 'Mounts[].Name');
  fc.pre(inspect.status === 200 && typeof volume === 'string' && volume !== '');
  engine.made({ kind: 'volume', name: volume, isNew: !valuesAt(before.json, 'Volumes[].Name').includes(volume) });
  await scene.answers('containers.remove.answers-204', await container.handle.remove({ v }), 204);
  world.containers.delete(letter);
  world.gone.push(container);
  const look = () => engine.get(volumePath(volume));
  const after = v ? await lookUntil(look, ({ status }) => status === 404, releasedMs) : await look();
  await trial.decides(v ? 'containers.remove.v-removes-volumes' : 'containers.remove.v-default-false', () =>
    expect(after).toHaveStatus(v ? 404 : 200),
  );
}
