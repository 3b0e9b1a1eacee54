import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { create, createBody } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { mutantsOf } from '../../harness/generators/mutate.ts';
import { outsideOf, type Settings } from '../../harness/generators/settings.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { parseJson, writeJson } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { schemaFor } from '../../specs/derive.ts';
import { containerCreateBody } from '../../specs/resources/container.ts';
import { containerUpdateBody } from '../../specs/resources/container-operations.ts';
import { hostConfig } from '../../specs/resources/host-config.ts';
import type { StatedRuleId } from '../../specs/stated.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { itemsOf, list } from '../containers/support/list-answers.ts';
import { mayDiscard } from '../support/host-warnings.ts';
import { bodiesIn } from './support/container-values.ts';
import { judgedOf } from './support/kept-fields.ts';

const mebibyte = 1024 * 1024;
const limits = 'containers.create.limits';

/** One change to a valid body: additional HostConfig members, and the rule by which they are refused. */
interface Defect {
  readonly rule: StatedRuleId;
  /** In texts `{missing}` stands for a name that no container has. */
  readonly hostConfig: Settings;
  /** The status, where the rule states one. */
  readonly status?: number;
}

function outside<Name extends 'BlkioWeight' | 'MemorySwappiness'>(name: Name): fc.Arbitrary<Defect> {
  const { minimum } = hostConfig.properties[name];
  return (
    outsideOf(hostConfig.properties[name])
      // Engines take 0 and -1 for unset.
      .filter((value) => value !== 0 && value !== -1)
      .map((value) => ({
        rule: `${limits}.${name}-${value < minimum ? 'low' : 'high'}-refused`,
        hostConfig: { [name]: value },
      }))
  );
}

const sizes = fc.integer({ min: 16, max: 128 }).map((size) => size * mebibyte);

/**
 * Members that name containers which must exist at create (Document 2, Create a container); for the shared modes, a
 * daemon may check at start.
 */
const missing = fc
  .constantFrom<Settings[]>(
    { VolumesFrom: ['{missing}'] },
    { VolumesFrom: ['{missing}:ro'] },
    { VolumesFrom: ['{missing}:rw'] },
    { Links: ['{missing}:ec-alias'], NetworkMode: 'bridge' },
  )
  .map((hostConfig) => ({ rule: 'containers.create.missing-container-404' as const, hostConfig, status: 404 }));

const relative = 'containers.create.host-config.bind-relative-refused' as const;

/** Since 1.21 Binds accept volume names. */
const sourcesIn = (api: ApiVersion) => ['/tmp', ...(atLeast(api, '1.21') ? ['{missing}'] : [])];

/** What every host refuses. */
const refusedIn = (api: ApiVersion): fc.Arbitrary<Defect> =>
  fc.oneof(
    missing,
    fc
      .tuple(
        fc.constantFrom(...sourcesIn(api)),
        fc.constantFrom('ec-bind', 'ec-bind/inner', './ec-bind'),
        fc.constantFrom('', ':ro'),
      )
      .map(([source, place, mode]) => ({ rule: relative, hostConfig: { Binds: [`${source}:${place}${mode}`] } })),
    fc.integer({ min: 1_024, max: 65_535 }).map((HostPort) => ({
      rule: 'containers.create.host-config.port-integer-refused' as const,
      hostConfig: { PortBindings: { '8080/tcp': [{ HostPort }] } },
    })),
  );

/** Values that a host without the limit need not validate. */
const ofLimits: fc.Arbitrary<Defect> = fc.oneof(
  outside('BlkioWeight'),
  outside('MemorySwappiness'),
  sizes.map((MemorySwap) => ({
    rule: `${limits}.MemorySwap-smaller-refused` as const,
    hostConfig: { Memory: 4 * MemorySwap, MemorySwap },
  })),
  sizes.map((MemorySwap) => ({ rule: `${limits}.MemorySwap-alone-refused` as const, hostConfig: { MemorySwap } })),
  fc
    .integer({ min: -1_000_000, max: -1 })
    .map((ShmSize) => ({ rule: `${limits}.ShmSize-negative-refused` as const, hostConfig: { ShmSize } })),
);

/** Members that only matter to another driver, or are obsolete, need not be validated. */
const unread = /^HostConfig\.(?:LxcConf|KernelMemory|BlkioDevice|BlkioWeightDevice)|\.Rate$/;

/** The body with one value replaced by one of a wrong type. */
function wrongTyped(api: ApiVersion, body: Record<string, unknown>, choice: number) {
  const mutants = mutantsOf(schemaFor(containerCreateBody, api), body).filter(
    ({ path, defect }) => path !== '' && defect === 'wrong type' && !unread.test(path),
  );
  return mutants[choice % mutants.length];
}

/** A valid body that refers to no other container and no network. */
function validIn(api: ApiVersion) {
  const NetworkingConfig = atLeast(api, '1.23') && { NetworkingConfig: { EndpointsConfig: {} } };
  return bodiesIn(api).map(({ config, hostConfig }) => ({
    config: { ...config, ...NetworkingConfig },
    hostConfig: { ...hostConfig, Links: [], VolumesFrom: [] },
  }));
}

const values = (api: ApiVersion) => {
  const refused = refusedIn(api);
  const wrongType = fc.record({ wrongType: fc.nat(10_000) });
  const any = fc.oneof(
    { weight: 5, arbitrary: ofLimits },
    { weight: 3, arbitrary: refused },
    { weight: 8, arbitrary: wrongType },
  );
  return fc.record({
    valid: validIn(api),
    // One of them is judged on every host.
    defects: fc
      .tuple(refused, fc.array(any, { maxLength: 2, size: 'max' }))
      .map(([first, others]) => [first, ...others]),
  });
};

/** Members that the host may not support, or that a defect is about: only a defect sets them. */
const leftToDefects = [
  ...Object.keys(containerUpdateBody.properties),
  'MemorySwappiness',
  'OomKillDisable',
  'PidsLimit',
  'ShmSize',
  'Binds',
  'PortBindings',
];

/** The body with the defect, and the defect in words. */
function withDefect(engine: Engine, body: Record<string, unknown>, { hostConfig }: Defect) {
  const defect = writeJson(hostConfig).replaceAll('{missing}', engine.unusedName('container'));
  return [{ ...body, HostConfig: { ...Object(body.HostConfig), ...Object(parseJson(defect)) } }, defect] as const;
}

check(
  'generated.inputs.refused-containers',
  {
    faults: [
      on('POST /containers/create', answersStatus(201)),
      on('POST /containers/create', answersStatus(409, 201)),
      on('GET /_ping', answersStatus(500)),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 3 }, async ({ valid: { config, hostConfig }, defects }, trial) => {
      const { engine } = trial;
      const others = Object.entries(judgedOf(trial, 'containers.create.body.HostConfig.', hostConfig));
      const body = createBody(engine, {
        config: judgedOf(trial, 'containers.create.body.', config),
        hostConfig: Object.fromEntries(others.filter(([name]) => !leftToDefects.includes(name))),
      });
      const name = engine.name('container');
      const refusals: Refusal[] = [];
      for (const defect of defects) {
        const { rule, sent, what, status } = defective(engine, body, defect);
        if (!trial.holds(rule)) continue;
        trial.step(`creates the container ${name} with ${what}`);
        refusals.push({ rule, status, refused: await create(engine, sent, { name }) });
      }
      if (refusals.length === 0) return;
      const all = await given(list(engine, { all: true }), 200);
      trial.step('creates it without that');
      const free = await create(engine, body, { name });
      const taken: Refusal[] = [];
      // Where the host does not support a limit, its value need not be validated.
      for (const one of refusals) {
        if (one.refused.status === 201 && (await mayDiscard(context, one.refused))) taken.push(one);
      }
      for (const { rule, status, refused } of refusals.filter((one) => !taken.includes(one))) {
        await trial.decides(rule, () => {
          if (status !== undefined) expect(refused).toHaveStatus(status);
          else expect(refused).toBeRefused();
          if (taken.length > 0) return;
          const names = itemsOf(all).flatMap((item) => (isObject(item) && Array.isArray(item.Names) ? item.Names : []));
          expectValue('the names in the list', names, [refused, all]).toLack(`/${name}`);
        });
      }
      if (taken.length > 0) return;
      await trial.decides('containers.create.answers-201', () => expect(free).toHaveStatus(201));
      await trial.decides('system.ping.answers-200', async () => expect(await engine.get('/_ping')).toHaveStatus(200));
    }),
);

interface Refusal {
  readonly rule: StatedRuleId;
  readonly status: number | undefined;
  readonly refused: Exchange;
}

/** The body with a defect, and the defect in words. */
function defective(engine: Engine, body: Record<string, unknown>, defect: Defect | { readonly wrongType: number }) {
  if ('rule' in defect) {
    const { rule, status } = defect;
    const [sent, what] = withDefect(engine, body, defect);
    return { rule, status, sent, what };
  }
  const mutant = wrongTyped(engine.api, body, defect.wrongType);
  const rule: StatedRuleId = 'containers.create.wrong-type-refused';
  return { rule, status: undefined, sent: mutant?.value, what: `a wrong type at ${mutant?.path}` };
}
