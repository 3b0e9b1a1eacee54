import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { ignoresQuery } from '../../harness/faults/requests.ts';
import { lines } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { flag } from '../../specs/parameters.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { commit, idOf, inspectImage, plainId } from '../images/support/committed-images.ts';
import { created } from '../support/common-containers.ts';
import { configsIn } from './support/container-values.ts';
import { expectKept, judgedOf } from './support/kept-fields.ts';

const rules = 'images.commit.body.';
/** Texts that are not blank and have no spaces at their ends. */
const remarks = lines.filter((line) => line.trim() === line && line !== '');

const values = (api: ApiVersion) =>
  fc.record({
    config: configsIn(api),
    comment: remarks,
    author: remarks,
    pause: fc.option(fc.constantFrom(...flag.enum)),
    label: fc.constantFrom('plain', 'a b', "it's", 'a=b', ''),
  });

check(
  'generated.inputs.commits',
  {
    faults: [
      on('POST /commit', answersStatus(500, 201)),
      on('POST /commit', ignoresQuery('tag')),
      on('POST /commit', ignoresQuery('comment')),
      on('POST /commit', ignoresQuery('changes')),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 3 }, async ({ config, comment, author, pause, label }, trial) => {
      const { engine } = trial;
      const container = await trial.use(created);
      const json = judgedOf(trial, rules, config);
      const own = `ec.own${engine.unusedName('image')}`;
      const query = {
        comment,
        author,
        changes: `LABEL ${own}=${JSON.stringify(label)}`,
        ...(pause !== null && { pause }),
      };
      trial.step(`commits a container with ${Object.keys(json).join(', ') || 'no configuration'}`);
      const { answer, name } = await commit(engine, container, { query, json });
      await trial.decides('images.commit.answers-201', () => expect(answer).toHaveStatus(201));
      if (answer.status !== 201) return;
      const inspect = await inspectImage(engine, name);
      await trial.decides('images.commit.tag', () => {
        expect(inspect).toHaveStatus(200);
        expectValue('the image of that name', idOf(inspect), [answer, inspect]).toBe(idOf(answer));
      });
      if (inspect.status !== 200) return;
      const history = await given(engine.get(`/images/${name}/history`), 200);
      await trial.decides('images.commit.comment', () => {
        const comments = [...valuesAt(inspect.json, 'Comment'), ...commentsIn(history.json)];
        expectValue('the comments of the image', comments, [answer, history, inspect]).toContain(comment);
      });
      const labelled = await given(
        engine.get('/images/json', { filters: filters({ label: [`${own}=${label}`] }) }),
        200,
      );
      await trial.decides('images.list.filters-label-value', () => {
        const ids = Array.isArray(labelled.json) ? labelled.json.filter(isObject).map(({ Id }) => plainId(Id)) : [];
        expectValue('the images with the label', ids, [answer, labelled]).toBe([idOf(answer)]);
      });
      // Before 1.21 image inspect has neither of them.
      if (!atLeast(engine.api, '1.21')) return;
      await trial.decides('images.commit.author', () => expect(inspect).field('Author').toBe(author));
      const { Labels, ...others } = json;
      await expectKept(trial, inspect, others, { rules, where: 'Config.', meant: '' });
      await trial.decides('images.commit.body.Labels', () => {
        const shown = Object(valuesAt(inspect.json, 'Config.Labels')[0]);
        const wanted = { ...(isObject(Labels) && Labels), [own]: label };
        const kept = Object.fromEntries(Object.keys(wanted).map((key) => [key, shown[key]]));
        expectValue('Config.Labels of the image', kept, [answer, inspect]).toBe(wanted);
      });
    }),
);

function commentsIn(history: unknown): unknown[] {
  return Array.isArray(history) ? history.filter(isObject).map(({ Comment }) => Comment) : [];
}
