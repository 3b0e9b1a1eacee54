import { check, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { create, createBody } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { expect, observe } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { ignoresBodyField, ignoresQuery, mendsCutBody } from '../../../harness/faults/requests.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { checkFields, fieldRulesOf } from '../../support/field-checks.ts';
import { ifThere } from '../../support/shared-results.ts';

/** Never changed. It is created in the version under test, because create itself is judged. */
export const made = fixture('a container that was made in this version', async ({ engine }) => {
  const name = engine.name('container');
  const answer = await given(create(engine, createBody(engine), { name }), 201);
  return { name, answer };
});

checkFields(
  fieldRulesOf('containers.create.field.'),
  fixture('the answer of create', async ({ use }) => (await use(made)).answer),
);

function idIn(answer: Exchange): string {
  return String(valuesAt(answer.json, 'Id')[0]);
}

check('containers.create.answers-201', { faults: [answersStatus(200, 201)] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(made)))?.answer;
  expect(shared ?? (await create(engine, createBody(engine)))).toHaveStatus(201);
});

check(
  'containers.create.bad-parameter-refused',
  { faults: [answersStatus(201), answersStatus(422, 400), mendsCutBody()] },
  async ({ engine, use }) => {
    const good = await use(made);
    await control(engine.get(`/containers/${good.name}/json`), 200);
    expect(await create(engine, 'no object')).toBeRefused();
    const name = engine.name('container');
    engine.made({ kind: 'container', name });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(createBody(engine)).slice(0, -1);
    expect(await engine.post('/containers/create', { query: { name }, headers, body })).toBeRefused();
    expect(await engine.get(`/containers/${name}/json`)).toHaveStatus(404);
  },
);

check('containers.create.missing-image-404', { faults: [answersStatus(400, 404)] }, async ({ engine, use }) => {
  await control(
    use(made).then(({ answer }) => answer),
    201,
  );
  const missing = `${engine.unusedName('image')}:missing`;
  expect(await create(engine, { ...createBody(engine), Image: missing })).toHaveStatus(404);
});

check(
  'containers.create.platform-404',
  { faults: [answersStatus(400, 404), ignoresQuery('platform')] },
  async ({ engine, target }) => {
    await control(create(engine, createBody(engine), { platform: `linux/${target.architecture}` }), 201);
    expect(await create(engine, createBody(engine), { platform: 'linux/s390x' })).toHaveStatus(404);
  },
);

check('containers.create.platform-ignored', { faults: [answersStatus(404, 201)] }, async ({ engine }) => {
  expect(await create(engine, createBody(engine), { platform: 'linux/s390x' })).toHaveStatus(201);
});

check(
  'containers.create.missing-container-404',
  { faults: [answersStatus(400, 404), ignoresBodyField('HostConfig.VolumesFrom')] },
  async ({ engine, use }) => {
    const other = await use(made);
    await control(create(engine, createBody(engine, { hostConfig: { VolumesFrom: [other.name] } })), 201);
    const missing = engine.unusedName('container');
    expect(await create(engine, createBody(engine, { hostConfig: { VolumesFrom: [missing] } }))).toHaveStatus(404);
  },
);

check('containers.create.attach-not-running-406', { faults: [] }, async ({ engine }) => {
  const config = { AttachStdin: true, AttachStdout: true, AttachStderr: true, OpenStdin: true };
  const answer = await create(engine, createBody(engine, { config }));
  observe(`answers ${answer.status}`, answer);
});

check('containers.create.name-taken-409', { faults: [answersStatus(201, 409)] }, async ({ engine, use }) => {
  const { name } = await use(made);
  expect(await create(engine, createBody(engine), { name })).toHaveStatus(409);
});

check('containers.create.name', { faults: [ignoresQuery('name')] }, async ({ engine, use }) => {
  const { name, answer } = await use(made);
  const inspect = await given(engine.get(`/containers/${idIn(answer)}/json`), 200);
  expect(inspect).field('Name').toBe(`/${name}`);
});

check('containers.create.name-generated', { faults: [] }, async ({ engine }) => {
  const answer = await given(create(engine, createBody(engine), { name: null }), 201);
  const inspect = await given(engine.get(`/containers/${idIn(answer)}/json`), 200);
  const name = String(valuesAt(inspect.json, 'Name')[0]);
  observe(/^\/[a-z]+_[a-z]+\d*$/.test(name) ? 'two words with an underscore between' : 'another form', inspect);
});

check('containers.create.json-media-type', { faults: [answersStatus(415)] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(made)))?.answer;
  if (shared?.request.headers['content-type'] === 'application/json') {
    expect(shared).toHaveStatus(201);
    return;
  }
  const body = JSON.stringify(createBody(engine));
  const name = engine.name('container');
  const headers = { 'content-type': 'application/json' };
  expect(await engine.post('/containers/create', { query: { name }, headers, body })).toHaveStatus(201);
});

check('containers.create.other-media-type', { faults: [] }, async ({ engine }) => {
  const name = engine.name('container');
  const body = JSON.stringify(createBody(engine));
  const answer = await engine.post('/containers/create', {
    query: { name },
    headers: { 'content-type': 'text/plain' },
    body,
  });
  observe(`answers ${answer.status} to text/plain`, answer);
});

check('containers.create.id-works', { faults: [setsField('Id', 'ec-another')] }, async ({ engine, use }) => {
  const id = idIn((await use(made)).answer);
  const inspect = await new Container(engine, id, '').inspect();
  expect(inspect).toHaveStatus(200);
  expect(inspect).field('Id').toBe(id);
});

check(
  'containers.create.created-state',
  { faults: [on('GET /containers/{id}/json', setsField('State.Running', true))] },
  async ({ engine, use }) => {
    const { name } = await use(made);
    expect(await given(engine.get(`/containers/${name}/json`), 200))
      .field('State.Running')
      .toBe(false);
  },
);

check(
  'containers.create.wrong-type-refused',
  { faults: [answersStatus(201), ignoresBodyField('Env')] },
  async ({ engine }) => {
    await control(create(engine, createBody(engine, { config: { Env: ['EC=1'] } })), 201);
    expect(await create(engine, createBody(engine, { config: { Env: { EC: 1 } } }))).toBeRefused();
  },
);

check('containers.create.unknown-field', { faults: [] }, async ({ engine }) => {
  const answer = await create(engine, createBody(engine, { config: { EcUnknown: true } }));
  observe(`answers ${answer.status}`, answer);
});
