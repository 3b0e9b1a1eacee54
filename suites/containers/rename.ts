import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { refusesAndDoes, swallows } from '../../harness/faults/requests.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { created } from '../support/common-containers.ts';
import { mixedNames, plainNames } from './support/mixed-names.ts';
import { checkOperation } from './support/operation-checks.ts';

const newName = (name: string) => `${name}-new`;
// Of one that was never started, it is judged below.
const renamed = checkOperation('rename', 'running', (container) => container.rename(newName(container.name)));

check('containers.rename.name', { faults: [swallows(204)] }, async ({ engine, use }) => {
  const { answer, container } = await use(renamed.id);
  await given(Promise.resolve(answer), 204);
  expect(await given(container.boundTo(engine).inspect(), 200))
    .field('Name')
    .toBe(`/${newName(container.name)}`);
});

check('containers.rename.taken-answers-409', { faults: [answersStatus(204, 409)] }, async ({ engine, use }) => {
  const other = await use(created);
  const container = await makeContainer(engine);
  await control(container.rename(engine.name('container')), 204);
  expect(await container.rename(other.name)).toHaveStatus(409);
});

check('containers.rename.name-letters', { faults: [answersStatus(400, 204)] }, async ({ engine, api }) => {
  const container = await makeContainer(engine);
  const base = engine.name('container');
  for (const name of [...plainNames(base, api), `/${base}`]) {
    expect(await container.rename(name)).toHaveStatus(204);
  }
});

check(
  'containers.rename.name-slash',
  { faults: [answersStatus(204, 409), on('GET /containers/{id}/json', setsField('Name', '//ec-name'))] },
  async ({ engine, use }) => {
    const other = await use(created);
    const container = await makeContainer(engine);
    const name = engine.name('container');
    // Whether it takes such a name is judged with the others.
    if ((await container.rename(`/${name}`)).status !== 204) throw new NotApplicable('it refuses a leading slash');
    expect(await given(container.inspect(), 200))
      .field('Name')
      .toBe(`/${name}`);
    // With which status has a rule of its own.
    expect(await container.rename(`/${other.name}`)).toBeRefused();
  },
);

const renamesAll = [answersStatus(204), refusesAndDoes('name', /^[\w-]+$/, 204)];

/** The daemon refuses the names, and the container keeps its own. */
async function expectNameKept(engine: Engine, names: (base: string) => readonly string[]): Promise<void> {
  const container = await makeContainer(engine);
  const base = engine.name('container');
  await control(container.rename(base), 204);
  for (const name of names(base)) expect(await container.rename(name)).toBeRefused();
  expect(await given(container.inspect(), 200))
    .field('Name')
    .toBe(`/${base}`);
}

check('containers.rename.name-refused', { faults: renamesAll }, ({ engine }) => {
  return expectNameKept(engine, () => ['!!', '.']);
});

check('containers.rename.name-mixed-refused', { faults: renamesAll }, ({ engine, api }) => {
  return expectNameKept(engine, (base) => mixedNames(base, api));
});

check('containers.rename.name-missing', { faults: [] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  const missing = await engine.post(container.path('rename'));
  const empty = await container.rename('');
  observe(`answers ${missing.status} without a name and ${empty.status} to an empty one`, missing, empty);
});
