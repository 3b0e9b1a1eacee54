import { check, checkRule, fixture } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { hasOwnShape } from '../../harness/expect/own-shape.ts';
import { undocumentedFields } from '../../harness/expect/undocumented.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { fieldFaults, setsField } from '../../harness/faults/fields.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { imageInspect } from '../../specs/resources/image.ts';
import { imageConfig } from '../../specs/resources/image-config.ts';
import type { Schema } from '../../specs/schema.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import {
  expectFound,
  expectFoundIn,
  findsNoWholeId,
  inspectImage,
  makeImage,
  missingImage,
  wholeId,
} from './support/committed-images.ts';
import { described } from './support/common-images.ts';
import { expectUnknown, unknownFaults } from './support/unknown-id.ts';

/** Nothing in it is judged yet. */
const asked = doneOnce('the answer to inspect of a committed image', async ({ engine, use }) =>
  inspectImage(engine, (await use(described)).name),
);

/** The inspect answer of an image with a name, a comment and an author. */
export const inspectOfDescribed = fixture('the inspect answer of a committed image', (context) =>
  given(asked(context), 200),
);

const configurations: readonly string[] = ['Config', 'ContainerConfig'];
const fields = fieldRulesOf('images.inspect.field.');
checkFields(
  fields.filter(({ field }) => !configurations.includes(field.path)),
  inspectOfDescribed,
);

/** The members of a configuration whose type differs from a container's (interpretation `image-config-open`). */
function otherTypes(configuration: JsonValue | undefined): string[] {
  const members = isObject(configuration) ? configuration : {};
  return Object.entries<Schema>(imageConfig.properties)
    .filter(([name, schema]) => {
      const value = members[name];
      return value !== undefined && value !== null && !hasOwnShape(schema, value);
    })
    .map(([name]) => name);
}

for (const rule of fields.filter(({ field }) => configurations.includes(field.path))) {
  const { path, schema } = rule.field;
  const otherMembers = [setsField(`${path}.Env`, 'A=b'), setsField(`${path}.WorkingDir`, 7)];
  checkRule(rule, { faults: [...fieldFaults(path, schema), ...otherMembers] }, async ({ use }) => {
    const answer = await use(inspectOfDescribed);
    expectField(answer, rule);
    const wrong = otherTypes(valuesAt(answer.json, path)[0]);
    expectValue(`the members of ${path} of another type`, wrong, [answer]).toBe([]);
  });
}

check('images.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await asked(context)).toHaveStatus(200);
});

check('images.inspect.unknown-answers-404', { faults: unknownFaults }, async (context) => {
  const { engine } = context;
  await control(asked(context), 200);
  await expectUnknown(engine, (image) => inspectImage(engine, image));
});

for (const [member, shown] of [
  ['VirtualSize', 4096],
  ['Container', ''],
  ['ContainerConfig', {}],
] as const) {
  check(`images.inspect.no-${member}`, { faults: [setsField(member, shown)] }, async ({ use }) => {
    expect(await use(inspectOfDescribed))
      .field(member)
      .toBeAbsent();
  });
}

/** What the configuration of an image has no more from 1.50 on (Document 4, Images). */
const ofContainers = [
  ...['Hostname', 'Domainname', 'AttachStdin', 'AttachStdout', 'AttachStderr', 'Tty', 'OpenStdin', 'StdinOnce'],
  ...['Image', 'NetworkDisabled', 'MacAddress', 'StopTimeout'],
];

check(
  'images.inspect.Config-trimmed',
  { faults: [setsField('Config.Hostname', ''), setsField('Config.StopTimeout', 10)] },
  async ({ use }) => {
    const answer = await use(inspectOfDescribed);
    const config = valuesAt(answer.json, 'Config')[0];
    const still = Object.keys(isObject(config) ? config : {}).filter((name) => ofContainers.includes(name));
    expectValue('the members of Config that only containers have', still, [answer]).toBe([]);
  },
);

check('images.inspect.by-name', { faults: [missingImage, setsField('Id', 'another')] }, async (context) => {
  const { name, id } = await context.use(described);
  expectFoundIn(await asked(context), name, id);
});

const otherById = [missingImage, setsField('Id', 'another'), findsNoWholeId];

check('images.inspect.by-id', { faults: otherById }, async ({ engine, use }) => {
  const { id } = await use(described);
  await expectFound(engine, wholeId(engine, id), id);
});

check(
  'images.inspect.by-registry-name',
  { faults: [missingImage, setsField('Id', 'another')] },
  async ({ engine, use }) => {
    // An image of its own: a shared one gets no further names.
    const { id, name } = await makeImage({ engine, use });
    const repo = `registry.invalid:5000/${engine.name('image')}`;
    engine.made({ kind: 'image', name: `${repo}:ec` });
    await given(engine.post(`/images/${name}/tag`, { query: { repo, tag: 'ec' } }), 201);
    await expectFound(engine, `${repo}:ec`, id);
  },
);

check('images.inspect.Id-sha256', { faults: [setsField('Id', 'abcdef')] }, async ({ use }) => {
  expect(await use(inspectOfDescribed))
    .field('Id')
    .toMatch(/^sha256:/);
});

check('images.inspect.Parent-sha256', { faults: [setsField('Parent', 'abcdef')] }, async ({ use }) => {
  // How an image shows that it has no parent is left open; the rule of the field judges whether there is a Parent.
  const answer = await use(inspectOfDescribed);
  const parent = valuesAt(answer.json, 'Parent')[0] ?? '';
  expectValue('Parent', parent, [answer]).toMatch(/^(sha256:.+)?$/);
});

check('images.inspect.Id-prefix', { faults: [] }, async ({ use }) => {
  const answer = await use(inspectOfDescribed);
  const id = String(valuesAt(answer.json, 'Id')[0]);
  observe(id.startsWith('sha256:') ? "starts Id with 'sha256:'" : "does not start Id with 'sha256:'", answer);
});

check('images.inspect.undocumented', { faults: [] }, async ({ use, api }) => {
  const answer = await use(inspectOfDescribed);
  observe(undocumentedFields(answer.json, imageInspect, api), answer);
});
