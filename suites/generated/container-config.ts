import { check } from '../../harness/check.ts';
import { create, createBody } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { configsIn } from './support/container-values.ts';
import { expectKept, judgedOf } from './support/kept-fields.ts';

const rules = 'containers.create.body.';

check(
  'generated.inputs.container-config',
  {
    faults: [
      on('POST /containers/create', answersStatus(400, 201)),
      on('GET /containers/{id}/json', setsField('Config.Labels', {})),
      on('GET /containers/{id}/json', setsField('Config.Image', 'another')),
    ],
  },
  (context) =>
    forAll(context, configsIn(context.api), { runs: 5 }, async (generated, trial) => {
      const { engine } = trial;
      const config = judgedOf(trial, rules, generated);
      trial.step(`creates a container with ${Object.keys(config).join(', ') || 'nothing special'}`);
      const created = await create(engine, createBody(engine, { config }));
      await trial.decides('containers.create.answers-201', () => expect(created).toHaveStatus(201));
      if (created.status !== 201) return;
      trial.step('inspects it');
      const inspect = await given(engine.get(`/containers/${valuesAt(created.json, 'Id')[0]}/json`), 200);
      const Labels = { ...engine.sandbox.labels, ...(isObject(config.Labels) && config.Labels) };
      const sent = { ...config, Labels, Image: engine.sandbox.image };
      await expectKept(trial, inspect, judgedOf(trial, rules, sent), { rules, where: 'Config.', meant: '' });
    }),
);
