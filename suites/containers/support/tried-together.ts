import { isDeepStrictEqual } from 'node:util';
import { type Fixture, type FixtureContext, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { type ContainerOptions, create, createBody } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { type ContainerOutput, readOutput } from '../../../harness/engine/output.ts';
import { type RuleId, rulebook } from '../../../specs/catalogue.ts';
import { holdsIn } from '../../../specs/versions.ts';
import { discardedByHost } from '../../support/host-warnings.ts';
import { ifRight, ifThere } from '../../support/shared-results.ts';

/** A setting of a container that its process sees and reports in its output. */
export interface ShownSetting {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly hostConfig?: Readonly<Record<string, unknown>>;
  /** Steps of the probe that write what they see to stdout. */
  readonly run: readonly string[];
}

/** A setting that names something on the daemon or of its host, which is had first. */
type MadeSetting = (context: FixtureContext) => Promise<ShownSetting>;

/** What the container has besides the settings. */
type Others = Pick<ContainerOptions, 'network'>;

type Context = Pick<FixtureContext, 'use'>;
type Known = readonly [RuleId, ShownSetting];

/** Where one container has the settings of several rules. */
export const withOtherSettings = 'on a container with other settings, too,';

/** Separates the parts of an output. */
const mark = 'ec-next\n';

/**
 * Settings that one container has all together, which saves a container for each. It can only show that a setting is in
 * effect: an unexpected result may be caused by another setting, so it is judged on a container that has the setting
 * alone. Where that is right, the verdict says what was seen here.
 */
export class Together {
  readonly #settings = new Map<RuleId, ShownSetting | MadeSetting>();
  readonly #outputs: Fixture<ReadonlyMap<RuleId, ContainerOutput>>;
  readonly #others: Others;

  constructor(what: string, others: Others = {}) {
    this.#outputs = fixture(`the output of a container with ${what}`, (context) => this.#run(context));
    this.#others = others;
  }

  add(rule: RuleId, setting: ShownSetting | MadeSetting): void {
    this.#settings.set(rule, setting);
  }

  /** The output for a rule's setting; undefined when it is not the expected one. */
  async outputOf(
    context: Context,
    rule: RuleId,
    shows: (stdout: string) => boolean,
  ): Promise<ContainerOutput | undefined> {
    const outputs = await ifThere(context.use(this.#outputs));
    return ifRight(
      outputs?.get(rule),
      ({ stdout }) => shows(stdout),
      withOtherSettings,
      ({ evidence }) => evidence,
    );
  }

  async #run(context: FixtureContext): Promise<ReadonlyMap<RuleId, ContainerOutput>> {
    const { api, target } = context;
    const judged = [...this.#settings].filter(([id]) => {
      const rule = rulebook[id];
      return holdsIn(rule, api) && rule.needs.every((need) => target.lacks[need] === undefined);
    });
    const had = await Promise.all(
      judged.map(async ([id, setting]) => {
        const shown = typeof setting === 'function' ? await ifThere(setting(context)) : setting;
        return shown ? [[id, shown] as const] : [];
      }),
    );
    return new Map(await outputsOf(context.engine, had.flat(), this.#others));
  }
}

/**
 * The outputs for settings on one container. Where the daemon does not take them all, each half has a container, so that
 * a single setting that it does not take does not separate all the others.
 */
async function outputsOf(
  engine: Engine,
  settings: readonly Known[],
  others: Others,
): Promise<readonly (readonly [RuleId, ContainerOutput])[]> {
  const output = settings.length > 0 ? await outputOfAll(engine, settings, others) : undefined;
  if (output) {
    const parts = output.stdout.split(mark);
    return settings.map(([id], place) => [id, { ...output, stdout: parts[place] ?? '' }]);
  }
  // What is not taken alone either is for the check of its rule to judge.
  if (settings.length < 2) return [];
  const half = Math.ceil(settings.length / 2);
  const halves = [settings.slice(0, half), settings.slice(half)];
  return (await Promise.all(halves.map((some) => outputsOf(engine, some, others)))).flat();
}

/** @returns undefined when the daemon does not take the settings together */
async function outputOfAll(
  engine: Engine,
  settings: readonly Known[],
  others: Others,
): Promise<ContainerOutput | undefined> {
  const all = settings.map(([, setting]) => setting);
  const body = createBody(engine, {
    run: all.flatMap(({ run }) => [...run, 'out', mark.replace('\n', '\\n')]),
    config: together(all.map(({ config }) => config)),
    hostConfig: together(all.map(({ hostConfig }) => hostConfig)),
    ...others,
  });
  const name = engine.name('container');
  const created = await create(engine, body, { name });
  if (created.status !== 201 || discardedByHost(created) !== undefined) return undefined;
  const container = new Container(engine, name, name);
  if ((await container.start()).status !== 204) return undefined;
  await container.hasEnded();
  return readOutput(container, { isWhole: ({ output }) => output.split(mark).length > settings.length });
}

/** The members of all; lists and maps of several are joined. */
function together(all: readonly (Readonly<Record<string, unknown>> | undefined)[]): Record<string, unknown> {
  const joined: Record<string, unknown> = {};
  for (const members of all) {
    for (const [name, value] of Object.entries(members ?? {})) joined[name] = join(name, joined[name], value);
  }
  return joined;
}

function join(name: string, one: unknown, other: unknown): unknown {
  if (one === undefined || isDeepStrictEqual(one, other)) return other;
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (isMap(one) && isMap(other)) return { ...one, ...other };
  throw new Error(`${name} cannot be ${JSON.stringify(one)} and ${JSON.stringify(other)} on one container`);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
