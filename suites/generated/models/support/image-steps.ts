import fc from 'fast-check';
import { expect, expectValue } from '../../../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../../../harness/streams/json-path.ts';
import { inspectImage, makeImageFrom, plainId, wholeId } from '../../../images/support/committed-images.ts';
import { created } from '../../../support/common-containers.ts';
import { type Look, type ModelStep, step } from './command.ts';
import type { Scene } from './scene.ts';
import type { World } from './world.ts';

const letters = fc.constantFrom('x', 'y', 'z');

function repository(scene: Scene, letter: string): string {
  return scene.name('image', letter);
}

function tagged(scene: Scene, letter: string): string {
  return `${repository(scene, letter)}:${letter}`;
}

/** The image that a sequence is about. */
export const makesImage = step({
  says: 'makes an image',
  applies: (world) => world.image === undefined,
  run: async (world, scene) => {
    const { id, name } = await makeImageFrom(scene.engine, await scene.trial.use(created));
    world.image = { id, names: new Set(), made: name };
  },
});

const tags = letters.map((letter) =>
  step({
    says: `names the image ${letter}`,
    applies: ({ image }) => image !== undefined && !image.names.has(letter),
    run: async ({ image }, scene) => {
      if (!image) return;
      scene.engine.made({ kind: 'image', name: tagged(scene, letter) });
      const query = { repo: repository(scene, letter), tag: letter };
      const answer = await scene.engine.post(`/images/${wholeId(scene.engine, image.id)}/tag`, { query });
      await scene.answers('images.tag.answers-201', answer, 201);
      image.names.add(letter);
    },
  }),
);

const untags = letters.map((letter) =>
  step({
    says: `takes the name ${letter} away`,
    applies: ({ image }) => image?.names.has(letter) === true,
    run: async (world, scene) => {
      const answer = await scene.engine.delete(`/images/${tagged(scene, letter)}`);
      await scene.answers('images.remove.answers-200', answer, 200);
      world.image?.names.delete(letter);
    },
  }),
);

export const imageSteps: readonly fc.Arbitrary<ModelStep>[] = [tags, untags];

/** Compares the names of the image in list and inspect with the model. */
export const lookAtImages: Look = async ({ image }: World, scene) => {
  if (!image) return;
  const { trial, engine } = scene;
  const names = [image.made, ...[...image.names].map((letter) => tagged(scene, letter))].sort();
  const list = await engine.get('/images/json');
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  const item = items.find(({ Id }) => plainId(Id) === image.id);
  await trial.decides('images.list.field.RepoTags', () =>
    expectValue('the names in the list', sorted(item?.RepoTags), [list]).toBe(names),
  );
  const inspect = await inspectImage(engine, wholeId(engine, image.id));
  await trial.decides('images.inspect.field.RepoTags', () => {
    expect(inspect).toHaveStatus(200);
    expectValue('the names in inspect', sorted(valuesAt(inspect.json, 'RepoTags')[0]), [inspect]).toBe(names);
  });
  for (const letter of image.names) {
    const byName = await inspectImage(engine, tagged(scene, letter));
    await trial.decides('images.tag.repo', () => expect(byName).toHaveStatus(200));
  }
  for (const gone of scene.names('image').filter((name) => !names.some((one) => one.startsWith(`${name}:`)))) {
    const letter = ['x', 'y', 'z'].find((one) => repository(scene, one) === gone) ?? '';
    const byName = await inspectImage(engine, tagged(scene, letter));
    await trial.decides('images.remove.image-gone', () => expect(byName).toHaveStatus(404));
  }
};

/** Names without a registry and user in front, which a daemon may add. */
function sorted(names: unknown): unknown {
  if (!Array.isArray(names)) return names;
  return names.map((name) => (typeof name === 'string' ? name.replace(/^.*\//, '') : name)).sort();
}
