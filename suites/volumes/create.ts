import { check, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, swallows } from '../../harness/faults/requests.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { lookUpMs, unknownVolumeDriver } from '../support/unknown-driver.ts';
import { createVolume, makeVolume, plain, plainShown, volumeBody, volumePath } from './support/volumes.ts';

const created = fixture('the answer of volume create', async ({ use }) =>
  given(Promise.resolve((await use(plain)).answer), 201),
);

checkFields(fieldRulesOf('volumes.create.field.'), created);

check('volumes.create.answers-201', { faults: [answersStatus(200, 201)] }, async ({ use }) => {
  expect((await use(plain)).answer).toHaveStatus(201);
});

check('volumes.create.json-media-type', { faults: [answersStatus(415, 201)] }, async ({ use }) => {
  // The Content-Type of a JSON body.
  expect((await use(plain)).answer).toHaveStatus(201);
});

/** Creates a volume whose name the daemon chooses. */
async function createUnnamed(engine: Engine): Promise<{ answer: Exchange; name: unknown }> {
  const before = await given(engine.get('/volumes'), 200);
  const { Name: _none, ...json } = Object(volumeBody(engine, ''));
  const answer = await given(engine.post('/volumes/create', { json }), 201);
  const name: unknown = Object(answer.json).Name;
  if (typeof name === 'string' && name !== '' && !valuesAt(before.json, 'Volumes[].Name').includes(name)) {
    engine.made({ kind: 'volume', name, isNew: true });
  }
  return { answer, name };
}

check('volumes.create.name-generated', { faults: [setsField('Name', '')] }, async ({ engine }) => {
  const [one, two] = [await createUnnamed(engine), await createUnnamed(engine)];
  expect(one.answer)
    .field('Name')
    .toSatisfy('a text that is not empty', (name) => typeof name === 'string' && name !== '');
  expect(two.answer).field('Name').toDiffer(one.name);
});

check('volumes.create.driver-default-local', { faults: [setsField('Driver', 'other')] }, async ({ use }) => {
  expect(await use(created))
    .field('Driver')
    .toBe('local');
});

check('volumes.create.usable-by-name', { faults: [swallows(201, '{}')] }, async ({ use }) => {
  const { name, inspect } = await use(plainShown);
  expect(inspect).toHaveStatus(200);
  expect(inspect).field('Name').toBe(name);
});

check('volumes.create.body.Name', { faults: [setsField('Name', 'another')] }, async ({ use }) => {
  const { name } = await use(plain);
  expect(await use(created))
    .field('Name')
    .toBe(name);
});

const ofUnknownDriver = fixture('the answer of volume create with an unknown driver', async ({ engine }) => {
  const json = volumeBody(engine, engine.name('volume'), { Driver: unknownVolumeDriver('volume', engine) });
  return engine.post('/volumes/create', { json, takesMs: lookUpMs });
});

check(
  'volumes.create.body.Driver',
  { long: true, faults: [setsField('Driver', 'other'), ignoresBodyField('Driver')] },
  async ({ engine, use }) => {
    const answer = await given(createVolume(engine, engine.name('volume'), { Driver: 'local' }), 201);
    expect(answer).field('Driver').toBe('local');
    // The result for an unknown driver is left open, but no other driver is used in its place.
    const unknown = await use(ofUnknownDriver);
    const [taken] = unknown.status === 201 ? valuesAt(unknown.json, 'Driver') : ['none'];
    const label = 'the driver of a volume that was asked for with one that does not exist';
    expectValue(label, taken === unknownVolumeDriver('volume', engine) ? 'that one' : taken, [unknown]).toBeOneOf(
      'none',
      'that one',
    );
  },
);

check('volumes.create.body.Labels', { faults: [ignoresBodyField('Labels')] }, async ({ engine }) => {
  const name = engine.name('volume');
  await given(createVolume(engine, name, { Labels: { ...engine.sandbox.labels, 'ec.kind': 'kept' } }), 201);
  const inspect = await given(engine.get(volumePath(name)), 200);
  const labels = Object(Object(inspect.json).Labels);
  expectValue('the label ec.kind', labels['ec.kind'], [inspect]).toBe('kept');
});

check('volumes.create.unknown-driver', { long: true, faults: [] }, async ({ use }) => {
  const answer = await use(ofUnknownDriver);
  observe(`answers ${answer.status}`, answer);
});

check('volumes.create.name-taken', { faults: [] }, async ({ engine }) => {
  const answer = await createVolume(engine, await makeVolume(engine));
  observe(`answers ${answer.status}`, answer);
});
