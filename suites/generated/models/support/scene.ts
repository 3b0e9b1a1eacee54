import fc from 'fast-check';
import type { ContainerOptions } from '../../../../harness/engine/containers.ts';
import type { Engine } from '../../../../harness/engine/engine.ts';
import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { expect, expectValue } from '../../../../harness/expect/expect.ts';
import type { Trial } from '../../../../harness/property/trial.ts';
import type { ResourceKind } from '../../../../harness/sandbox/journal.ts';
import type { StatedRuleId } from '../../../../specs/stated.ts';
import type { Listener } from '../../../events/support/listener.ts';

interface SceneOptions {
  /** The client that listens to the events, if any. */
  readonly listener?: Listener;
  /** Which network the containers have. Default `any`. */
  readonly network?: ContainerOptions['network'];
}

/**
 * The daemon that a sequence runs on. Models identify things by letters; here each letter has a name of the sandbox.
 */
export class Scene {
  readonly trial: Trial;
  readonly engine: Engine;
  readonly network: NonNullable<ContainerOptions['network']>;
  readonly #listener: Listener | undefined;
  readonly #names = new Map<string, string>();

  constructor(trial: Trial, { listener, network = 'any' }: SceneOptions = {}) {
    this.trial = trial;
    this.engine = trial.engine;
    this.network = network;
    this.#listener = listener;
  }

  /** The client that listens to the events. @throws when this scene has none */
  get listener(): Listener {
    if (!this.#listener) throw new Error('nobody listens to the events of this scene');
    return this.#listener;
  }

  /** Every thing with the same letter has the same name, so that names are reused. */
  name(kind: ResourceKind, letter: string): string {
    const key = `${kind} ${letter}`;
    const name = this.#names.get(key) ?? this.engine.name(kind);
    this.#names.set(key, name);
    return name;
  }

  /** The current and former names of the things of a kind. */
  names(kind: ResourceKind): string[] {
    return [...this.#names].filter(([key]) => key.startsWith(`${kind} `)).map(([, name]) => name);
  }

  /** Judges that, of the current and former names of the things of a kind, a list has exactly those that exist. */
  async lists(
    kind: ResourceKind,
    list: Exchange,
    { listed, there }: { readonly listed: readonly unknown[]; readonly there: readonly string[] },
    rules: { readonly lacks: StatedRuleId; readonly goesOn: StatedRuleId },
  ): Promise<void> {
    const missing = there.filter((name) => !listed.includes(name));
    const surplus = this.names(kind).filter((name) => listed.includes(name) && !there.includes(name));
    await this.trial.decides(rules.lacks, () => expectValue('what the list lacks', missing, [list]).toBe([]));
    await this.trial.decides(rules.goesOn, () => expectValue('what the list has beyond', surplus, [list]).toBe([]));
  }

  /**
   * Judges the status of a step. After a known deviation, the rest of the sequence proves nothing.
   * @throws Deviation
   */
  async answers(rule: StatedRuleId, answer: Exchange, ...statuses: readonly number[]): Promise<void> {
    await this.trial.decides(rule, () => expect(answer).toHaveStatus(...statuses));
    fc.pre(statuses.includes(answer.status));
  }
}
