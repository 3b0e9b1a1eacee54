import type { ApiVersion } from '../../specs/versions.ts';
import type { Fixture, FixtureContext } from '../check.ts';
import type { Garbled } from '../registry/registry.ts';
import type { Target } from '../target/target.ts';
import { TransportError } from '../transport/errors.ts';
import type { WhileIdle } from '../transport/patience.ts';
import { Judgement, withJudgement } from '../verdict/judgement.ts';
import { Blocked, Deviation, NotApplicable } from '../verdict/outcomes.ts';
import type { FixtureUsers } from './fixture-users.ts';
import type { Scope } from './scope.ts';
import type { Witnesses } from './witness.ts';

/** Where fixtures are made and how they end. */
export interface FixtureOptions {
  readonly api: ApiVersion;
  /** Where one fixture is made. */
  readonly open: () => Scope;
  readonly end: (scope: Scope) => Promise<void>;
  readonly target: () => Target;
  readonly witnesses?: Witnesses | undefined;
  /** Tells when a fixture has had its last user; without it all are kept to the end. */
  readonly users?: FixtureUsers | undefined;
  /** The fixtures that all versions share; absent where each makes its own. */
  readonly ofAll?: Fixtures | undefined;
  /** Whether these are the fixtures that all versions share. */
  readonly areOfAll?: boolean;
  /** Lets other checks run while a check waits for a fixture that another one makes. */
  readonly whileMade?: WhileIdle | undefined;
  /** How a faulty daemon's requests reach a registry that a fixture runs. */
  readonly toRegistry?: Garbled | undefined;
  /** Called with the names of a fixture and of the rule or fixture that uses it. */
  readonly used?: ((name: string, by: string) => void) | undefined;
}

interface Made {
  readonly promise: Promise<unknown>;
  /** Whether the promise is settled. */
  isThere: boolean;
  /** Absent for what was made elsewhere and is only bound to an engine here. */
  readonly scope: Scope | undefined;
  /** The running checks and fixtures that use it. */
  readonly usedBy: Set<object>;
}

/** The fixtures of one version of a run, of all versions, or of a faulty daemon. */
export class Fixtures {
  readonly #options: FixtureOptions;
  readonly #made = new Map<Fixture<unknown>, Made>();
  readonly #endings = new Set<Promise<void>>();
  #bindsTo: Scope | undefined;

  constructor(options: FixtureOptions) {
    this.#options = options;
  }

  /**
   * @param user whoever uses it, until it is `released`
   * @param name the rule or fixture that it is used for
   */
  use<T>(fixture: Fixture<T>, user: object, name: string): Promise<T> {
    const { witnesses, api, used } = this.#options;
    used?.(fixture.name, name);
    const had = () => this.#have(fixture, user);
    return witnesses ? witnesses.fixture(fixture, api, had) : had();
  }

  /** This user needs nothing any more; what nobody else uses, or will use, is removed from the daemon. */
  released(user: object): void {
    let isLast = false;
    for (const { usedBy } of this.#made.values()) {
      if (usedBy.delete(user) && usedBy.size === 0) isLast = true;
    }
    if (isLast) this.#endOwn();
    this.#options.ofAll?.released(user);
  }

  /** Removes from the daemon what nobody uses, or will use. To be called when no check is left that some of it waits for. */
  endUnused(): void {
    this.#endOwn();
    this.#options.ofAll?.endUnused();
  }

  /** Forgets what was made, as the daemon that had it is gone. */
  forget(): void {
    for (const { scope } of this.#made.values()) scope?.engine.close();
    this.#bindsTo?.engine.close();
    this.#made.clear();
  }

  /** Ends all of them, and waits for those that are already ending. */
  async end(): Promise<void> {
    for (const one of [...this.#made].toReversed()) await this.#end(...one);
    await Promise.all(this.#endings);
    if (this.#bindsTo) await this.#options.end(this.#bindsTo);
  }

  #have<T>(fixture: Fixture<T>, user: object): Promise<T> {
    const known = this.#made.get(fixture);
    if (known) {
      known.usedBy.add(user);
      // biome-ignore lint/plugin: what is kept for a fixture is what that fixture made
      return this.#waitedFor(known) as Promise<T>;
    }
    const { ofAll } = this.#options;
    return fixture.boundTo && ofAll ? this.#bind(fixture, ofAll, user) : this.#make(fixture, user);
  }

  /** While another check makes it, this one does nothing. */
  #waitedFor({ promise, isThere }: Made): Promise<unknown> {
    const { whileMade } = this.#options;
    return isThere || !whileMade ? promise : whileMade(() => promise);
  }

  async #bind<T>(fixture: Fixture<T>, ofAll: Fixtures, user: object): Promise<T> {
    let made: T;
    try {
      made = await ofAll.#have(fixture, user);
    } catch (error) {
      // What cannot be made in the version of the shared fixture may still be possible in this one.
      if (error instanceof Blocked)
        return this.#made.has(fixture) ? this.#have(fixture, user) : this.#make(fixture, user);
      throw error;
    }
    this.#bindsTo ??= this.#options.open();
    return fixture.boundTo ? fixture.boundTo(made, this.#bindsTo.engine) : made;
  }

  #make<T>(fixture: Fixture<T>, user: object): Promise<T> {
    const { api, open, target, areOfAll, toRegistry } = this.#options;
    const scope = open();
    const usedBy = new Set([user]);
    const context: FixtureContext = {
      engine: scope.engine,
      get tokens() {
        return scope.tokens;
      },
      api,
      target: target(),
      toRegistry,
      use: (inner) => {
        if (areOfAll && !inner.boundTo) {
          throw new Error(`${fixture.name} is shared by all versions, but uses ${inner.name}, which is not`);
        }
        return this.use(inner, usedBy, fixture.name);
      },
    };
    // Made under a judgement of its own: what a fixture asserts is not evidence for the first rule that uses it.
    const promise = withJudgement(new Judgement(), async () => fixture.make(context)).catch((error: unknown) => {
      throw blocking(fixture.name, error);
    });
    const made: Made = { promise, isThere: false, scope, usedBy };
    const settled = () => {
      made.isThere = true;
    };
    promise.then(settled, settled);
    this.#made.set(fixture, made);
    return promise;
  }

  #endOwn(): void {
    const { users, areOfAll, api } = this.#options;
    if (!users) return;
    for (const [fixture, made] of [...this.#made].toReversed()) {
      if (made.usedBy.size > 0 || users.awaits(fixture.name, areOfAll ? undefined : api)) continue;
      const ending = this.#end(fixture, made);
      this.#endings.add(ending);
      void ending.finally(() => this.#endings.delete(ending));
    }
  }

  async #end(fixture: Fixture<unknown>, { promise, scope, usedBy }: Made): Promise<void> {
    this.#made.delete(fixture);
    await promise.catch(() => {});
    if (scope) await this.#options.end(scope);
    this.released(usedBy);
  }
}

function blocking(name: string, error: unknown): unknown {
  if (error instanceof Deviation || error instanceof TransportError || error instanceof Blocked) {
    const shown = error instanceof TransportError ? undefined : error.shown;
    return new Blocked(`${name} could not be had: ${error.message}`, { cause: error, shown });
  }
  return error instanceof NotApplicable ? error : new Error(`the fixture ${name} failed`, { cause: error });
}
