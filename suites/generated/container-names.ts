import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { create, createBody } from '../../harness/engine/containers.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { ignoresQuery, swallows } from '../../harness/faults/requests.ts';
import { nameEndings, namelessTexts } from '../../harness/generators/names.ts';
import { forAll } from '../../harness/property/for-all.ts';

const creates = 'POST /containers/create';

const names = fc.record({
  slash: fc.boolean(),
  ending: nameEndings,
  renamed: fc.option(nameEndings),
  refused: fc.option(namelessTexts),
});

check(
  'generated.inputs.container-names',
  {
    faults: [
      on(creates, answersStatus(201)),
      on(creates, ignoresQuery('name')),
      on('POST /containers/{id}/rename', swallows(204)),
    ],
  },
  (context) =>
    forAll(context, names, { runs: 5 }, async (value, trial) => {
      const { engine } = trial;
      const body = createBody(engine);
      const name = engine.name('container') + value.ending;
      engine.made({ kind: 'container', name });
      const written = value.slash ? `/${name}` : name;
      trial.step(`creates a container named ${written}`);
      const created = await create(engine, body, { name: written });
      const rule = value.slash ? 'containers.create.limits.name-slash' : 'containers.create.limits.name-letters';
      await trial.decides(rule, () => expect(created).toHaveStatus(201));
      if (created.status !== 201) return;
      if (value.refused !== null) {
        trial.step(`creates a container named ${JSON.stringify(value.refused)}`);
        const refused = await create(engine, body, { name: value.refused });
        await trial.decides('containers.create.limits.name-refused', () => expect(refused).toBeRefused());
      }
      trial.step('inspects it by its name');
      const inspect = await engine.get(`/containers/${name}/json`);
      await trial.decides('containers.create.name', () => {
        expect(inspect).toHaveStatus(200);
        expect(inspect).field('Name').toBe(`/${name}`);
      });
      if (value.renamed === null) return;
      const other = engine.name('container') + value.renamed;
      engine.made({ kind: 'container', name: other });
      trial.step(`renames it to ${other}`);
      const renamed = await engine.post(`/containers/${name}/rename`, { query: { name: other } });
      await trial.decides('containers.rename.name-letters', () => expect(renamed).toHaveStatus(204));
      if (renamed.status !== 204) return;
      const [before, now] = [
        await engine.get(`/containers/${name}/json`),
        await engine.get(`/containers/${other}/json`),
      ];
      await trial.decides('containers.rename.name', () => {
        expect(before).toHaveStatus(404);
        expect(now).toHaveStatus(200);
        expect(now).field('Name').toBe(`/${other}`);
      });
    }),
);
