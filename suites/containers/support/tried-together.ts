import { type Fixture, type FixtureContext, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { create, createBody } from '../../../harness/engine/containers.ts';
import { type ContainerOutput, readOutput } from '../../../harness/engine/output.ts';
import { Blocked, NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { type RuleId, rulebook } from '../../../specs/catalogue.ts';
import { holdsIn } from '../../../specs/versions.ts';
import { discardedByHost } from './host-warnings.ts';

/** A setting of a container that its process sees and reports in its output. */
export interface ShownSetting {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly hostConfig?: Readonly<Record<string, unknown>>;
  /** Steps of the probe that write what they see to stdout. */
  readonly run: readonly string[];
}

type Context = Pick<FixtureContext, 'use'>;

/** Separates the parts of an output. */
const mark = 'ec-next\n';

/**
 * Settings that one container has all together, which saves a container for each. It can only show that a setting is in
 * effect: an unexpected result may be caused by another setting, so it is judged on a container that has the setting
 * alone.
 */
export class Together {
  readonly #settings = new Map<RuleId, ShownSetting>();
  readonly #outputs: Fixture<ReadonlyMap<RuleId, ContainerOutput>>;

  constructor(what: string) {
    this.#outputs = fixture(`the output of a container with ${what}`, (context) => this.#run(context));
  }

  add(rule: RuleId, setting: ShownSetting): void {
    this.#settings.set(rule, setting);
  }

  /** The output for a rule's setting; undefined when it is not the expected one. */
  async outputOf(
    context: Context,
    rule: RuleId,
    shows: (stdout: string) => boolean,
  ): Promise<ContainerOutput | undefined> {
    const outputs = await ifThere(context.use(this.#outputs));
    const output = outputs?.get(rule);
    return output && shows(output.stdout) ? output : undefined;
  }

  /** @returns nothing when the daemon does not accept the settings together */
  async #run({ engine, api }: FixtureContext): Promise<ReadonlyMap<RuleId, ContainerOutput>> {
    const known = [...this.#settings].filter(([id]) => holdsIn(rulebook[id], api));
    const all = known.map(([, setting]) => setting);
    const body = createBody(engine, {
      run: all.flatMap(({ run }) => [...run, 'out', mark.replace('\n', '\\n')]),
      config: Object.assign({}, ...all.map(({ config }) => config)),
      hostConfig: Object.assign({}, ...all.map(({ hostConfig }) => hostConfig)),
    });
    const name = engine.name('container');
    const created = await create(engine, body, { name });
    if (created.status !== 201 || discardedByHost(created) !== undefined) return new Map();
    const container = new Container(engine, name, name);
    if ((await container.start()).status !== 204) return new Map();
    await container.hasEnded();
    const { stdout, stderr, evidence } = await readOutput(container);
    const parts = stdout.split(mark);
    return new Map(known.map(([id], place) => [id, { stdout: parts[place] ?? '', stderr, evidence }]));
  }
}

/** What was made; undefined when that failed, and then each setting is tried alone. */
export async function ifThere<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof Blocked || error instanceof NotApplicable) return undefined;
    throw error;
  }
}
