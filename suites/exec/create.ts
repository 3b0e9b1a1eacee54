import { check, fixture } from '../../harness/check.ts';
import { createExec, execBody, execOf, makeExec } from '../../harness/engine/exec.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { knowsOnlyIdentifiers, swallows } from '../../harness/faults/requests.ts';
import { changesFrames } from '../../harness/faults/streams.ts';
import { created as createdContainer, host, paused } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { outputOfExec } from './support/exec-output.ts';

const asked = doneOnce('a command that is created', async ({ engine, use }) =>
  createExec(engine, (await use(host)).id, execBody()),
);

const created = fixture('the answer of exec create', (context) => given(asked(context), 201));

checkFields(fieldRulesOf('exec.create.field.'), created);

check('exec.create.answers-201', { faults: [answersStatus(200, 201)] }, async (context) => {
  expect(await asked(context)).toHaveStatus(201);
});

check('exec.create.unknown-answers-404', { faults: [answersStatus(201, 404)] }, async (context) => {
  const { engine } = context;
  await control(asked(context), 201);
  expect(await createExec(engine, engine.unusedName('container'), execBody())).toHaveStatus(404);
});

check(
  'exec.create.paused-answers-409',
  { faults: [answersStatus(201, 409), on('POST /containers/{id}/pause', swallows(204))] },
  async (context) => {
    const { engine, use } = context;
    await control(asked(context), 201);
    expect(await createExec(engine, (await use(paused)).id, execBody())).toHaveStatus(409);
  },
);

check('exec.create.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await asked(context)).toHaveStatus(201);
  expect(await createExec(engine, (await use(host)).name, execBody())).toHaveStatus(201);
});

check('exec.create.json-media-type', { faults: [answersStatus(415)] }, async (context) => {
  // `createExec` sends Content-Type: application/json.
  expect(await asked(context)).toHaveStatus(201);
});

const saysYes = changesFrames('has run the command', (frames) =>
  frames.map((frame) => ({ ...frame, payload: Buffer.from('yes\n') })),
);

check(
  'exec.create.not-started',
  { faults: [on('GET /exec/{id}/json', setsField('Running', true)), on('POST /exec/{id}/start', saysYes)] },
  async ({ engine, use }) => {
    const container = await use(host);
    const file = `/${engine.unusedName('container')}`;
    const answer = await given(createExec(engine, container.id, execBody({ run: ['write', file, 'x'] })), 201);
    const inspect = await given(execOf(engine, answer).inspect(), 200);
    expect(inspect).field('Running').toBe(false);
    // A later command in the same container shows whether the first one has run.
    const { stdout, evidence } = await outputOfExec(await makeExec(engine, container, { run: ['exists', file] }));
    expectValue('whether the file of the command is there', stdout, [answer, evidence]).toBe('no\n');
  },
);

check('exec.create.not-running', { faults: [] }, async ({ engine, use }) => {
  const answer = await createExec(engine, (await use(createdContainer)).id, execBody());
  observe(`answers ${answer.status}`, answer);
});
