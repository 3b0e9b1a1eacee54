import fc from 'fast-check';
import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { lookUntil } from '../../../../harness/engine/look-until.ts';
import { createNetwork, networkBody } from '../../../../harness/engine/networks.ts';
import { expect, expectValue } from '../../../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../../../harness/streams/json-path.ts';
import { atLeast } from '../../../../specs/versions.ts';
import { releasedMs } from '../../../volumes/support/volumes.ts';
import { type Look, type ModelStep, step, stepOn } from './command.ts';
import { removesAll } from './container-steps.ts';
import type { Scene } from './scene.ts';
import type { World } from './world.ts';

const letters = fc.constantFrom('m', 'n');

const creating = (letter: string): ModelStep =>
  step({
    says: `creates the network ${letter}`,
    applies: (world) => !world.networks.has(letter),
    run: async (world, scene) => {
      const body = networkBody(scene.engine, { Name: scene.name('network', letter) });
      await scene.answers('networks.create.answers-201', await createNetwork(scene.engine, body), 201);
      world.networks.add(letter);
    },
  });

const creates = letters.map(creating);

/** The network that every sequence starts with. */
export const createsNetwork = creating('m');

const connects = letters.chain((letter) =>
  stepOn({
    states: ['running'],
    fits: ({ networks }, world) => world.networks.has(letter) && !networks.has(letter),
    says: (which) => `connects ${which} to ${letter}`,
    run: async (container, _world, scene) => {
      await scene.answers(
        'networks.connect.answers-200',
        await change(scene, letter, 'connect', container.letter),
        200,
      );
      container.networks.add(letter);
    },
  }),
);

const disconnects = letters.chain((letter) =>
  stepOn({
    states: ['running'],
    fits: ({ networks }) => networks.has(letter),
    says: (which) => `disconnects ${which} from ${letter}`,
    run: async (container, _world, scene) => {
      const answer = await change(scene, letter, 'disconnect', container.letter);
      await scene.answers('networks.disconnect.answers-200', answer, 200);
      container.networks.delete(letter);
    },
  }),
);

function change(scene: Scene, network: string, operation: 'connect' | 'disconnect', container: string) {
  const json = { Container: scene.name('container', container) };
  return scene.engine.post(`/networks/${scene.name('network', network)}/${operation}`, { json });
}

const removes = letters.map((letter) =>
  step({
    says: `removes the network ${letter}`,
    // The result of removing a network in use is not documented.
    applies: (world) => world.networks.has(letter) && !isUsed(letter, world),
    run: (world, scene) => remove(letter, world, scene),
  }),
);

async function remove(letter: string, world: World, scene: Scene): Promise<void> {
  // Else a container that the network goes on to have would be told as a network that is not removed.
  await lookAtNetwork(letter, world, scene);
  const send = () => scene.engine.delete(`/networks/${scene.name('network', letter)}`);
  // It may count as used for a moment after its container was removed.
  const answer = await (world.gone.length > 0 ? lookUntil(send, ({ status }) => status < 400, releasedMs) : send());
  const isNew = atLeast(scene.engine.api, '1.23');
  await scene.answers(isNew ? 'networks.remove.answers-204' : 'networks.remove.answers-200', answer, isNew ? 204 : 200);
  world.networks.delete(letter);
}

/** Removes every container, and then the networks, which have no container any more. */
export async function removesAllOnNetworks(world: World, scene: Scene): Promise<void> {
  await removesAll(world, scene);
  for (const letter of [...world.networks]) {
    scene.trial.step(`removes the network ${letter}, whose containers are gone`);
    await remove(letter, world, scene);
  }
}

function isUsed(letter: string, world: World): boolean {
  return [...world.containers.values()].some(({ networks }) => networks.has(letter));
}

export const networkSteps: readonly fc.Arbitrary<ModelStep>[] = [
  ...[creates, connects, connects, connects, disconnects, disconnects, removes, removes],
];

/** Compares what networks and containers say about each other with the model. */
export const lookAtNetworks: Look = async (world, scene) => {
  const list = await scene.engine.get('/networks');
  const listed = Array.isArray(list.json) ? list.json.flatMap((item) => valuesAt(item, 'Name')) : [];
  const there = [...world.networks].map((letter) => scene.name('network', letter));
  await scene.lists(
    'network',
    list,
    { listed, there },
    { lacks: 'networks.list.every-network', goesOn: 'networks.remove.network-gone' },
  );
  for (const letter of world.networks) await lookAtNetwork(letter, world, scene);
};

async function lookAtNetwork(letter: string, world: World, scene: Scene): Promise<void> {
  const { trial, engine } = scene;
  const gone = world.gone.map(({ id }) => id);
  const goneIn = (answer: Exchange) => connectedIn(answer).filter((id) => gone.includes(id));
  const inspect = await lookUntil(
    () => engine.get(`/networks/${scene.name('network', letter)}`),
    (answer) => goneIn(answer).length === 0,
    releasedMs,
  );
  await trial.decides('networks.list.every-network', () => expect(inspect).toHaveStatus(200));
  const connected = connectedIn(inspect);
  // Whether a container that is not running is still shown is not stated.
  for (const container of world.in('running')) {
    const isOn = container.networks.has(letter);
    await trial.decides(isOn ? 'networks.connect.connected' : 'networks.disconnect.disconnected', () =>
      expectValue(`whether ${letter} has ${container.letter}`, connected.includes(container.id), [inspect]).toBe(isOn),
    );
    const own = await container.handle.inspect();
    const [networks] = valuesAt(own.json, 'NetworkSettings.Networks');
    const names = isObject(networks) ? Object.keys(networks) : [];
    await trial.decides(isOn ? 'networks.connect.connected' : 'networks.disconnect.disconnected', () =>
      expectValue(`whether ${container.letter} has ${letter}`, names.includes(scene.name('network', letter)), [
        own,
      ]).toBe(isOn),
    );
  }
  await trial.decides('networks.disconnect.disconnected', () =>
    expectValue(`containers on ${letter} that are gone`, goneIn(inspect), [inspect]).toBe([]),
  );
}

/** The identifiers of the containers that inspect of a network tells. */
function connectedIn({ json }: Exchange): string[] {
  const [members] = valuesAt(json, 'Containers');
  return isObject(members) ? Object.keys(members) : [];
}
