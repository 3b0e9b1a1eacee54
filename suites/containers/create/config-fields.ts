import { checkRule, type Fixture, fixture } from '../../../harness/check.ts';
import { type ContainerOptions, create, createBody } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { expectField } from '../../../harness/expect/field-rule.ts';
import { show } from '../../../harness/expect/show.ts';
import { on } from '../../../harness/faults/fault.ts';
import { dropsField, fieldFaults, retypesOthers } from '../../../harness/faults/fields.ts';
import { ignoresBodyField } from '../../../harness/faults/requests.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { holdersOf, valuesAt } from '../../../harness/streams/json-path.ts';
import type { FieldRule } from '../../../specs/rule.ts';
import { holdsIn } from '../../../specs/versions.ts';
import { created, useCommon } from '../../support/common-containers.ts';
import { fieldRulesOf } from '../../support/field-checks.ts';
import { unlessDiscarded } from '../../support/host-warnings.ts';
import { ifRight, ifThere, itself } from '../../support/shared-results.ts';
import { companions, configSamples, fieldsTogether } from '../support/config-samples.ts';
import { meansSame } from '../support/equivalent-values.ts';
import { withOtherSettings } from '../support/tried-together.ts';

const bodyFields = fieldRulesOf('containers.create.body.');

/** The inspect answer of a container created with fields. @throws NotApplicable when the host lacks what they need */
async function inspectWith(engine: Engine, fields: Readonly<Record<string, JsonValue>>): Promise<Exchange> {
  const created = await given(create(engine, createBody(engine, configOf(fields))), 201);
  unlessDiscarded(created);
  return given(engine.get(`/containers/${valuesAt(created.json, 'Id')[0]}/json`), 200);
}

/** Fields that one container can have all together, which saves a container for each, and its inspect answer. */
const togethers = fieldsTogether.map((fields) => ({
  fields,
  inspect: fixture(`the inspect answer of a container created with ${fields.join(', ')}`, ({ engine, api }) => {
    const known = bodyFields.filter(({ field, ...rule }) => fields.includes(field.path) && holdsIn(rule, api));
    const paths = known.map(({ field }) => field.path);
    const needed = paths.map((path) => companions[path]);
    const set = Object.fromEntries(paths.map((path) => [path, configSamples[path] ?? null]));
    return inspectWith(engine, { ...Object.assign({}, ...needed), ...set });
  }),
}));

/**
 * Inspect answers of containers that were created with a field set, by that field. Where a shared container does not
 * show a field as it was set, another field may be the cause, so it is judged on a container that has it alone.
 */
const inspects = new Map<string, Fixture<Exchange>>(
  Object.entries(configSamples).map(([field, value]) => [
    field,
    fixture(`the inspect answer of a container created with ${field}`, async ({ engine, use }) => {
      const together = togethers.find(({ fields }) => fields.includes(field));
      const answer = together && (await ifThere(use(together.inspect)));
      const isShown = ({ json }: Exchange) =>
        valuesAt(json, inspectPath(field)).some((one) => meansSame(field, one, value));
      return (
        ifRight(answer, isShown, withOtherSettings, itself) ??
        inspectWith(engine, { [field]: value, ...companions[field] })
      );
    }),
  ]),
);

function configOf(fields: Readonly<Record<string, JsonValue>>): ContainerOptions {
  const config: Record<string, JsonValue> = {};
  const hostConfig: Record<string, JsonValue> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (field.startsWith('HostConfig.')) hostConfig[field.slice('HostConfig.'.length)] = value;
    else config[field] = value;
  }
  return { config, hostConfig };
}

/** The settable field that a path of the create body is in: `HostConfig.Ulimits` for `HostConfig.Ulimits[].Soft`. */
function settableField(path: string): string | undefined {
  return Object.keys(configSamples).find(
    (field) => path === field || (/^[.[{]/.test(path.slice(field.length)) && path.startsWith(field)),
  );
}

/** Where inspect gives back a field of the create body (interpretation `config-of-inspect`). */
function inspectPath(path: string): string {
  return path.startsWith('HostConfig') ? path : `Config.${path}`;
}

for (const rule of bodyFields) {
  const { path } = rule.field;
  const field = settableField(path);
  const inspect = field && inspects.get(field);
  if (!field || !inspect) continue;
  const echo = inspectPath(path);
  const forgets = on('GET /containers/{id}/json', dropsField(echo));
  checkRule(rule, { faults: path === field ? [ignoresBodyField(path), forgets] : [forgets] }, async ({ use }) => {
    const answer = await use(inspect);
    expectEcho(answer, path, valuesAt(nested(field, configSamples[field] ?? null), path));
  });
}

for (const rule of [
  ...fieldRulesOf('containers.inspect.field.Config.'),
  ...fieldRulesOf('containers.inspect.field.HostConfig.'),
]) {
  const field = settableField(rule.field.path.replace(/^Config\./, ''));
  const inspect = field && inspects.get(field);
  if (inspect) checkEchoField(rule, inspect);
}

const plain = fixture('the inspect answer of a container with nothing set', async (context) =>
  given((await useCommon(context, created)).inspect(), 200),
);

function checkEchoField(rule: FieldRule, inspect: Fixture<Exchange>): void {
  const { path, schema } = rule.field;
  // Members of lists and maps exist only where these are set; and json-file is the usual driver anyway.
  const [sent] = sentIn(path.replace(/^Config\./, ''));
  const isSameUnset = path === 'HostConfig.LogConfig.Type';
  const retyped =
    sent === undefined || isSameUnset || /[[{]/.test(path) ? undefined : retypesOthers(path, schema, sent);
  checkRule(rule, { faults: [...fieldFaults(path, schema), ...(retyped ? [retyped] : [])] }, async ({ use }) => {
    expectField(await use(inspect), rule, { set: true });
    // Where it is not set, it may be null or absent, but it has no other type (interpretation `null-for-empty`).
    const unset = await use(plain);
    if (holdersOf(unset.json, path).length > 0) expectField(unset, rule);
  });
}

/** What is sent at a path of the create body. */
function sentIn(path: string): JsonValue[] {
  const field = settableField(path);
  return field === undefined ? [] : valuesAt(nested(field, configSamples[field] ?? null), path);
}

/** What inspect gives at the path means what was sent. */
function expectEcho(answer: Exchange, path: string, sent: readonly JsonValue[]): void {
  const given = valuesAt(answer.json, inspectPath(path));
  expectValue(`${inspectPath(path)} of inspect`, given, [answer]).toSatisfy(`what was sent: ${show(sent)}`, () => {
    return sent.length > 0 && sent.every((value) => given.some((one) => meansSame(path, one, value)));
  });
}

function nested(path: string, value: JsonValue): JsonValue {
  return path.split('.').reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
}
