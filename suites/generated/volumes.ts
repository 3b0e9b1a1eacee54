import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on, since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresFilter } from '../../harness/faults/requests.ts';
import { settingsOf, type Values } from '../../harness/generators/settings.ts';
import { labelMaps, words } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { volumeCreateBody } from '../../specs/resources/volume.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { createVolume, runWith, volumePath } from '../volumes/support/volumes.ts';

const bodies: Values = {
  Name: 'it is one of the run',
  Driver: fc.constant('local'),
  DriverOpts: fc.constant({}),
  Labels: labelMaps,
};

const values = (api: ApiVersion) =>
  fc.record({
    ending: fc.tuple(fc.constantFrom('_', '.', '-', ''), words).map((parts) => parts.join('')),
    body: settingsOf(volumeCreateBody, api, bodies),
  });

check(
  'generated.inputs.volumes',
  {
    faults: [
      on('POST /volumes/create', answersStatus(500, 201)),
      on('GET /volumes/{name}', setsField('Name', 'another')),
      since('1.23', on('GET /volumes/{name}', setsField('Labels', {}))),
      on('GET /volumes', ignoresFilter('dangling')),
      on('GET /volumes', setsField('Volumes', [])),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 3 }, async ({ ending, body }, trial) => {
      const { engine } = trial;
      const Name = engine.name('volume') + ending;
      engine.made({ kind: 'volume', name: Name });
      const Labels = { ...engine.sandbox.labels, ...Object(body.Labels) };
      trial.step(`creates a volume with ${Object.keys(body).join(', ') || 'a name only'}`);
      const created = await createVolume(engine, Name, { ...body, ...(atLeast(engine.api, '1.23') && { Labels }) });
      await trial.decides('volumes.create.answers-201', () => expect(created).toHaveStatus(201));
      if (created.status !== 201) return;
      const inspect = await engine.get(volumePath(Name));
      await trial.decides('volumes.create.usable-by-name', () => {
        expect(inspect).toHaveStatus(200);
        expect(inspect).field('Name').toBe(Name);
      });
      await trial.decides('volumes.create.body.Driver', () => expect(inspect).field('Driver').toBe('local'));
      await trial.decides('volumes.create.body.Labels', () =>
        expectValue('Labels', valuesAt(inspect.json, 'Labels')[0], [inspect]).toBeLike(Labels),
      );
      const free = await given(engine.get('/volumes', { filters: filters({ dangling: ['true'] }) }), 200);
      trial.step('starts a container with the volume');
      await runWith(engine, Name);
      const unused = await given(engine.get('/volumes', { filters: filters({ dangling: ['true'] }) }), 200);
      const all = await given(engine.get('/volumes'), 200);
      await trial.decides('volumes.list.filters-dangling', () => {
        expectValue('the volumes that are dangling', valuesAt(free.json, 'Volumes[].Name'), [free]).toContain(Name);
        const later = valuesAt(unused.json, 'Volumes[].Name');
        expectValue('the volumes that are dangling with one used', later, [unused]).toLack(Name);
      });
      await trial.decides('volumes.list.every-volume', () =>
        expectValue('the volumes in the list', valuesAt(all.json, 'Volumes[].Name'), [all]).toContain(Name),
      );
    }),
);
