import type { ApiVersion } from '../../specs/versions.ts';
import type { CheckContext, Tried } from '../check.ts';
import { Engine } from '../engine/engine.ts';
import { Recorder, type RecorderOptions } from '../recording/recorder.ts';
import { Redactor } from '../recording/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Target } from '../target/target.ts';
import { TokenClient } from '../token/token-client.ts';
import { Patience, type WhileIdle } from '../transport/patience.ts';
import { Finished } from './finished.ts';
import { isSlow } from './pace.ts';
import type { Plan } from './plan.ts';
import { Removals } from './removals.ts';
import { Scope } from './scope.ts';
import type { Servers, Transports } from './servers.ts';
import type { SpillWriter } from './spill.ts';

/** What the scopes of a run need. */
export interface ScopesOptions {
  readonly plan: Plan;
  readonly servers: Servers;
  readonly sandbox: Sandbox;
  readonly spilled: SpillWriter;
  /** The target, with what has been found out about it so far. */
  readonly target: () => Target;
  /** Whether what a scope made is removed when it ends; otherwise it is left to the end of the run. */
  readonly removes: () => boolean;
  /** Why the target, as it is without a fault, does not serve a path; undefined when it does. */
  readonly whyNotServed: (method: string, path: string) => Promise<string | undefined>;
  /** Lets another check begin until something is over. */
  readonly whileIdle?: WhileIdle | undefined;
}

/** Options for one scope. */
export interface ScopeOptions extends Partial<Pick<RecorderOptions, 'nextId' | 'sink'>> {
  /** Bound of one exchange in milliseconds. */
  readonly boundMs?: number | undefined;
  readonly takesAllForServed?: boolean;
}

/** Opens and ends the scopes of a run, and numbers its exchanges. */
export class Scopes {
  readonly redactor: Redactor;
  /** For the token server's exchanges: it learns every issued token. */
  readonly tokenRedactor: Redactor;
  readonly #options: ScopesOptions;
  /** For the daemon as it is; under a fault it may behave in any way. */
  readonly #patience: Patience;
  readonly #removals: Removals;
  #exchanges = 0;

  constructor(options: ScopesOptions) {
    this.#options = options;
    const { target, timeoutMs } = options.plan;
    const cuts = !isSlow(target, timeoutMs);
    this.#patience = new Patience(options.whileIdle, { cuts });
    this.#removals = new Removals(timeoutMs, { cuts });
    this.redactor = new Redactor(options.plan.secrets);
    this.tokenRedactor = new Redactor(options.plan.secrets);
  }

  /** @param madeFor the name in the records of its exchanges */
  open(
    madeFor: string,
    api: ApiVersion,
    { engine: transport, authorization, isFaulty }: Transports,
    options: ScopeOptions = {},
  ): Scope {
    const { plan, servers, sandbox, spilled, whyNotServed } = this.#options;
    const { boundMs = plan.timeoutMs, takesAllForServed = false, nextId = () => this.#nextId() } = options;
    const sink = options.sink ?? (({ record }) => spilled.write(record));
    const target = this.#options.target();
    const recorder = new Recorder(madeFor, { nextId, sink, address: target.address, redactor: this.redactor });
    const engine = new Engine({
      boundMs,
      api,
      target,
      sandbox,
      transport,
      recorder,
      patience: isFaulty ? undefined : this.#patience,
      whyNotServed: takesAllForServed ? undefined : whyNotServed,
    });
    const { server } = servers.tokens ?? {};
    if (!server || !authorization) return new Scope(engine, recorder);
    const redactor = this.tokenRedactor;
    const ofTokens = new Recorder(madeFor, { nextId, sink, address: server.address, redactor });
    return new Scope(
      engine,
      recorder,
      new TokenClient({ boundMs, server, transport: authorization, recorder: ofTokens, redactor }),
    );
  }

  /**
   * What a dead daemon does not remove stays in the journal; a run that ends early removes everything at once, and so does
   * one whose daemon hangs, when it ends.
   */
  async end(scope: Scope): Promise<void> {
    const { plan, servers, removes } = this.#options;
    const begunAt = performance.now();
    const transport = removes() && !this.#patience.hangs ? servers.engine : undefined;
    this.#removals.ended(begunAt, await scope.end(transport, plan.run, this.#removals.boundMs));
  }

  /** Tries a property once, in a scope of its own. */
  async trial(
    madeFor: string,
    api: ApiVersion,
    transports: Transports,
    run: Parameters<CheckContext['trial']>[0],
  ): Promise<Tried> {
    const { plan, spilled } = this.#options;
    const finished = new Finished();
    let begun = 0;
    const nextId = () => {
      begun++;
      return this.#nextId();
    };
    const scope = this.open(madeFor, api, transports, { nextId, sink: finished.sink });
    try {
      await run(
        scope.engine,
        () => begun,
        () => scope.tokens,
      );
    } finally {
      await this.end(scope);
    }
    const keep = () => finished.keepAll(spilled);
    const keepsAll = plan.keeps === 'all';
    if (keepsAll) keep();
    return { exchanges: () => finished.records(), keep: keepsAll ? () => {} : keep };
  }

  #nextId(): string {
    return `x${++this.#exchanges}`;
  }
}
