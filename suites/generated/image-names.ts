import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { ignoresQuery, swallows } from '../../harness/faults/requests.ts';
import { words } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { flag } from '../../specs/parameters.ts';
import { idOf, inspectImage, makeImageFrom, plainId } from '../images/support/committed-images.ts';
import { created } from '../support/common-containers.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-'];

/** A tag begins with a letter, a digit or an underscore. */
const tags = fc
  .tuple(words, fc.string({ unit: fc.constantFrom(...letters), maxLength: 20 }))
  .map((parts) => parts.join(''));

/** Names for an image: a repository, with or without a registry's host and port before it, and a tag. */
const names = fc.record({
  host: fc.constantFrom('', 'registry.test/', 'registry.test:5000/', 'localhost:5000/'),
  path: fc.array(words, { maxLength: 2 }).map((parts) => parts.map((part) => `${part}/`).join('')),
  ending: fc.constantFrom('', '-x', '_x', '.x', '__x', '1'),
  tag: tags,
  force: fc.option(fc.constantFrom(...flag.enum)),
});

const tagging = 'POST /images/{name}/tag';

check(
  'generated.inputs.image-names',
  {
    faults: [
      on(tagging, answersStatus(400, 201)),
      on(tagging, swallows(201)),
      on(tagging, ignoresQuery('tag')),
      on('DELETE /images/{name}', swallows(200, '[]')),
    ],
  },
  (context) =>
    forAll(context, fc.array(names, { minLength: 1, maxLength: 3 }), { runs: 3 }, async (generated, trial) => {
      const { engine } = trial;
      const image = await makeImageFrom(engine, await trial.use(created));
      const given = generated.map((parts) => ({ ...parts, ...newName(engine, parts) }));
      for (const { repo, tag, name, force } of given) {
        trial.step(`names an image ${name}`);
        const query = { repo, tag, ...(force !== null && { force }) };
        const answer = await engine.post(`/images/${image.name}/tag`, { query });
        await trial.decides('images.tag.answers-201', () => expect(answer).toHaveStatus(201));
        if (answer.status !== 201) return;
        const found = await inspectImage(engine, name);
        await trial.decides('images.tag.tag', () => {
          expect(found).toHaveStatus(200);
          expectValue('the image of that name', idOf(found), [answer, found]).toBe(image.id);
        });
      }
      const listed = await list(engine);
      await trial.decides('images.list.tag-names-image', () => {
        for (const { name } of given) {
          expectValue('RepoTags of the image', tagsOf(listed, image.id), [listed]).toSatisfy(
            `a list with ${name}`,
            // An engine may add a registry to an image name that has none.
            (shown) => Array.isArray(shown) && shown.some((one) => one === name || String(one).endsWith(`/${name}`)),
          );
        }
      });
      const [gone] = given;
      if (!gone) return;
      trial.step(`removes ${gone.name}`);
      const removed = await engine.delete(`/images/${gone.name}`);
      await trial.decides('images.remove.answers-200', () => expect(removed).toHaveStatus(200));
      const missing = await inspectImage(engine, gone.name);
      const kept = await inspectImage(engine, image.name);
      await trial.decides('images.remove.image-gone', () => {
        expect(missing).toHaveStatus(404);
        expectValue('the image by its other name', idOf(kept), [removed, kept]).toBe(image.id);
      });
    }),
);

interface Parts {
  readonly host: string;
  readonly path: string;
  readonly ending: string;
  readonly tag: string;
}

/** A name that is recorded before the image gets it. */
function newName(engine: Engine, { host, path, ending, tag }: Parts): { repo: string; name: string } {
  const repo = `${host}${path}${engine.name('image')}${ending}`;
  const name = `${repo}:${tag}`;
  engine.sandbox.note('image', name);
  engine.made({ kind: 'image', name });
  return { repo, name };
}

function list(engine: Engine): Promise<Exchange> {
  return given(engine.get('/images/json'), 200);
}

function tagsOf(answer: Exchange, id: string): unknown {
  const items = Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
  return items.find((item) => plainId(item.Id) === id)?.RepoTags;
}
