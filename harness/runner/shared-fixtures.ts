import type { ApiVersion } from '../../specs/versions.ts';
import type { RecorderOptions } from '../recording/recorder.ts';
import type { Target } from '../target/target.ts';
import type { FixtureUsers, User } from './fixture-users.ts';
import { type FixtureOptions, Fixtures } from './fixtures.ts';
import type { Plan } from './plan.ts';
import type { ScopeOptions, Scopes } from './scopes.ts';
import type { Servers, Transports } from './servers.ts';
import type { Witnesses } from './witness.ts';

export interface SharedFixturesOptions {
  readonly plan: Plan;
  readonly servers: Servers;
  readonly scopes: Scopes;
  readonly target: () => Target;
  readonly witnesses: Witnesses | undefined;
  /** Knows which fixtures will be used again; without it all are kept to the end. */
  readonly users: FixtureUsers | undefined;
  /** Called for every use of a fixture, by a rule's check or by another fixture. */
  readonly used: FixtureOptions['used'];
  readonly whileMade: FixtureOptions['whileMade'];
  /** Takes the exchanges of the fixtures that the checks of a version share. */
  readonly sinkOf: (api: ApiVersion) => RecorderOptions['sink'];
}

/**
 * The fixtures of a run: those that its checks share, per version or over all versions, and those of faulty daemons.
 */
export class SharedFixtures {
  readonly #options: SharedFixturesOptions;
  readonly #byVersion = new Map<ApiVersion, Fixtures>();
  #ofAll: Fixtures | undefined;

  constructor(options: SharedFixturesOptions) {
    this.#options = options;
  }

  /** The fixtures shared by the checks of one version; with witnesses, each version makes its own. */
  in(api: ApiVersion): Fixtures {
    const known = this.#byVersion.get(api);
    if (known) return known;
    const { plan, servers, witnesses, users, sinkOf } = this.#options;
    const newest = plan.apis.at(-1);
    if (!witnesses && newest !== undefined) {
      const of = 'shared fixtures of all versions';
      this.#ofAll ??= this.made(of, newest, servers.asTheyAre, { users, areOfAll: true, sink: sinkOf(newest) });
    }
    const ofAll = this.#ofAll;
    const made = this.made(`shared fixtures of ${api}`, api, servers.asTheyAre, { users, ofAll, sink: sinkOf(api) });
    this.#byVersion.set(api, made);
    return made;
  }

  /** Fixtures that nobody else uses. */
  made(
    madeFor: string,
    api: ApiVersion,
    transports: Transports,
    {
      boundMs,
      sink,
      ...options
    }: Pick<FixtureOptions, 'users' | 'ofAll' | 'areOfAll'> & Pick<ScopeOptions, 'boundMs' | 'sink'> = {},
  ): Fixtures {
    const { scopes, target, witnesses, used, whileMade } = this.#options;
    return new Fixtures({
      ...options,
      api,
      open: () => scopes.open(madeFor, api, transports, { boundMs, ...(sink && { sink }) }),
      end: (scope) => scopes.end(scope),
      toRegistry: transports.toRegistry,
      target,
      witnesses,
      used,
      whileMade,
    });
  }

  /** A check is over: fixtures without further users end. */
  over(user: User): void {
    if (this.#options.users?.over(user)) this.#byVersion.get(user.api)?.endUnused();
  }

  /** Forgets what was made, as the daemon that had it is gone. */
  forget(): void {
    for (const fixtures of [...this.#byVersion.values(), this.#ofAll]) fixtures?.forget();
  }

  async end(): Promise<void> {
    for (const fixtures of this.#byVersion.values()) await fixtures.end();
    await this.#ofAll?.end();
  }
}
