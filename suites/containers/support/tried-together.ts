import { type Fixture, type FixtureContext, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { create, createBody } from '../../../harness/engine/containers.ts';
import { type ContainerOutput, readOutput } from '../../../harness/engine/output.ts';
import { Blocked, NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { type RuleId, rulebook } from '../../../specs/catalogue.ts';
import { holdsIn } from '../../../specs/versions.ts';
import { discardedByHost } from './host-warnings.ts';

/** A setting of a container that its process sees and writes to its output. */
export interface ShownSetting {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly hostConfig?: Readonly<Record<string, unknown>>;
  /** Steps of the probe that write what is seen to stdout. */
  readonly run: readonly string[];
}

type Context = Pick<FixtureContext, 'use'>;

/** Parts of an output stand between lines of this. */
const mark = 'ec-next\n';

/**
 * Settings that one container has all together, to spare one for each. It can only show that a setting is in effect:
 * where something else comes, that may be another setting's doing, so it is judged on a container that has it alone.
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

  /** What the container shows of a rule's setting; undefined when that is not what it has to show. */
  async outputOf(
    context: Context,
    rule: RuleId,
    shows: (stdout: string) => boolean,
  ): Promise<ContainerOutput | undefined> {
    const outputs = await ifThere(context.use(this.#outputs));
    const output = outputs?.get(rule);
    return output && shows(output.stdout) ? output : undefined;
  }

  /** @returns nothing when the daemon does not take the settings together */
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

/** What could be had; undefined when it could not, as then each is tried alone. */
export async function ifThere<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof Blocked || error instanceof NotApplicable) return undefined;
    throw error;
  }
}
