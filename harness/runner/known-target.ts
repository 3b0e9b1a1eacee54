import type { Capability } from '../../specs/capabilities.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { type Check, whyNotOn } from '../check.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { findCapabilities, untriedOf } from '../target/capabilities.ts';
import { lookedAt } from '../target/looked-at.ts';
import type { Target } from '../target/target.ts';
import type { Plan } from './plan.ts';
import type { Servers } from './servers.ts';

/**
 * The target of a run, with what has been found out about it so far: what no chosen rule needs is tried when a check
 * looks at it.
 */
export class KnownTarget {
  readonly #plan: Plan;
  readonly #servers: Servers;
  readonly #sandbox: Sandbox;
  #target: Target;
  #finding: Promise<void> = Promise.resolve();

  constructor(plan: Plan, servers: Servers, sandbox: Sandbox) {
    this.#plan = plan;
    this.#servers = servers;
    this.#sandbox = sandbox;
    this.#target = plan.target;
  }

  get target(): Target {
    return this.#target;
  }

  /** Finds out what the check looks at in the target and is not yet known. */
  async findFor(check: Check, api: ApiVersion): Promise<void> {
    for (let wanted = this.#unknownTo(check, api); wanted.length > 0; wanted = this.#unknownTo(check, api)) {
      // One after another, as the containers for it have fixed names.
      this.#finding = this.#finding.then(() => this.#find(this.#unknownTo(check, api)));
      await this.#finding;
    }
  }

  #unknownTo(check: Check, api: ApiVersion): readonly Capability[] {
    const unknown = lookedAt(this.#target, (target) => whyNotOn(check, target, api));
    const looksAt = check.looksAt ?? [];
    return [...unknown, ...untriedOf(this.#target).filter((name) => looksAt.includes(name))];
  }

  async #find(wanted: readonly Capability[]): Promise<void> {
    if (wanted.length === 0) return;
    const { probe, preparing } = this.#servers;
    const options = { withoutProbe: (await probe.have())?.reason, declared: this.#plan.declared };
    const { lacks } = await findCapabilities(preparing, this.#target, this.#sandbox, options, wanted);
    const before = untriedOf(this.#target);
    const after = untriedOf({ ...this.#target, lacks });
    const isFound = (name: string) => before.some((one) => one === name) && !after.some((one) => one === name);
    const known = Object.entries(this.#target.lacks).filter(([name]) => !isFound(name));
    const found = Object.entries(lacks).filter(([name]) => isFound(name));
    this.#target = { ...this.#target, lacks: Object.fromEntries([...known, ...found]) };
  }
}
