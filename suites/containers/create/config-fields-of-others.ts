import { check, checkRule, type FixtureContext, fixture } from '../../../harness/check.ts';
import { type ContainerOptions, create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { expectField } from '../../../harness/expect/field-rule.ts';
import { show } from '../../../harness/expect/show.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { on } from '../../../harness/faults/fault.ts';
import { dropsField, fieldFaults, retypesField } from '../../../harness/faults/fields.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { keysOf } from '../../../specs/keys.ts';
import { created, idle } from '../../support/common-containers.ts';
import { fieldRule } from '../../support/field-checks.ts';
import { meansSame } from '../support/equivalent-values.ts';

/** Fields of the create body whose values name another container or the image, with where inspect gives them back. */
const fields = {
  Image: {
    echo: 'Config.Image',
    value: async ({ engine }: FixtureContext): Promise<JsonValue> => engine.sandbox.image,
  },
  'HostConfig.Links': {
    echo: 'HostConfig.Links',
    value: async ({ use }: FixtureContext): Promise<JsonValue> => [`${(await use(idle)).name}:ec-alias`],
  },
  'HostConfig.VolumesFrom': {
    echo: 'HostConfig.VolumesFrom',
    value: async ({ use }: FixtureContext): Promise<JsonValue> => [(await use(created)).name],
  },
} as const;

function optionsWith(field: keyof typeof fields, value: JsonValue): ContainerOptions {
  const name = field.replace('HostConfig.', '');
  return field === 'Image' ? {} : { hostConfig: { [name]: value } };
}

async function inspectWith(engine: Engine, options: ContainerOptions): Promise<Exchange> {
  const container = await makeContainer(engine, options);
  return given(container.inspect(), 200);
}

for (const field of keysOf(fields)) {
  const { echo, value } = fields[field];
  const set = fixture(`the answer of create with ${field}`, async (context) => {
    const sent = await value(context);
    return { sent, answer: await create(context.engine, createBody(context.engine, optionsWith(field, sent))) };
  });
  const inspected = fixture(`the inspect answer of a container created with ${field}`, async ({ engine, use }) => {
    const { answer } = await use(set);
    await given(Promise.resolve(answer), 201);
    return given(engine.get(`/containers/${valuesAt(answer.json, 'Id')[0]}/json`), 200);
  });

  const taken = fieldRule(`containers.create.body.${field}`);
  checkRule(taken, { faults: [on('GET /containers/{id}/json', dropsField(echo))] }, async ({ use }) => {
    const { sent, answer } = await use(set);
    expect(answer).toHaveStatus(201);
    const inspect = await use(inspected);
    const echoed = valuesAt(inspect.json, echo)[0] ?? null;
    expectValue(`${echo} of inspect`, echoed, [inspect]).toSatisfy(`what was sent: ${show(sent)}`, () =>
      meansSame(field, echoed, sent),
    );
  });

  const inspectRule = fieldRule(`containers.inspect.field.${echo}`);
  checkRule(inspectRule, { faults: fieldFaults(echo, inspectRule.field.schema) }, async ({ use }) => {
    expectField(await use(inspected), inspectRule, { set: true });
  });
}

check('containers.create.body.HostConfig', { faults: [answersStatus(400, 201)] }, async ({ engine }) => {
  expect(await create(engine, createBody(engine, { hostConfig: {} }))).toHaveStatus(201);
});

const lxc = { hostConfig: { LxcConf: { 'lxc.utsname': 'ec' } } };

check('containers.create.body.HostConfig.LxcConf', { faults: [answersStatus(400, 201)] }, async ({ engine }) => {
  expect(await create(engine, createBody(engine, lxc))).toHaveStatus(201);
});

// Interpretation `lxc-conf`.
const lxcField = fieldRule('containers.inspect.field.HostConfig.LxcConf');
const retyped = retypesField(lxcField.field.path, lxcField.field.schema);
checkRule(lxcField, { faults: retyped ? [retyped] : [] }, async ({ engine }) => {
  expectField(await inspectWith(engine, lxc), lxcField);
});
