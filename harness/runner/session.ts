import { appendFileSync } from 'node:fs';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { type Check, type CheckContext, type Fixture, whyNotOn } from '../check.ts';
import { Engine } from '../engine/engine.ts';
import type { RecordedExchange, Result } from '../events.ts';
import type { Fault } from '../faults/fault.ts';
import { faultyTransport } from '../faults/faulty-transport.ts';
import { Recorder } from '../recording/recorder.ts';
import { Redactor } from '../recording/redact.ts';
import { guarded } from '../sandbox/foreign.ts';
import { Journal } from '../sandbox/journal.ts';
import { removeMade } from '../sandbox/remove.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { TransportError } from '../transport/errors.ts';
import { ImageGate } from '../transport/image-gate.ts';
import { undiciTransport } from '../transport/undici-transport.ts';
import type { Transport } from '../transport/wire.ts';
import { type Decision, judge } from '../verdict/judge.ts';
import { Judgement, withJudgement } from '../verdict/judgement.ts';
import { Blocked, Deviation, NotApplicable } from '../verdict/outcomes.ts';
import { EndingTransport } from './ending-transport.ts';
import { Health } from './health.ts';
import type { Plan } from './plan.ts';

const removeMs = 30_000;
/** How long the end of a run waits for what its checks are just making. */
const makingMs = 10_000;

/** Runs checks against the plan's target, one at a time or many at once. */
export class Session {
  readonly #plan: Plan;
  readonly #transport: Transport;
  /** What checks send goes through this one. */
  readonly #checks: EndingTransport;
  readonly #sandbox: Sandbox;
  readonly #redactor: Redactor;
  readonly #health: Health;
  readonly #shared = new Map<string, Scope>();
  readonly #endedEarly: Promise<void>;
  #tellEnd = () => {};
  #exchanges = 0;
  #ending = false;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#transport = new ImageGate(guarded(undiciTransport(plan.target.address), plan.foreign));
    this.#checks = new EndingTransport(this.#transport);
    this.#sandbox = new Sandbox(new Journal(plan.journalDirectory, plan.run), plan.image);
    this.#redactor = new Redactor(plan.secrets);
    this.#health = new Health(this.#transport, plan.apis[0] ?? '1.20');
    this.#endedEarly = new Promise((resolve) => {
      this.#tellEnd = resolve;
    });
  }

  /** Why the target is gone, once it is. */
  get lost(): string | undefined {
    return this.#health.lost;
  }

  /** Runs one check in one version, with a fault between it and the daemon when one is given. */
  async run(check: Check, api: ApiVersion, fault?: Fault): Promise<Result> {
    const started = performance.now();
    const { broken: _, ...decision } = await this.#decide(check, api, fault);
    const { rule } = check;
    return {
      rule: rule.id,
      api,
      kind: rule.kind,
      area: rule.area,
      ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }),
      ...decision,
      durationMs: Math.round(performance.now() - started),
    };
  }

  /** Ends the checks that run, and lets no other begin. What they made is left to the clean-up of the run. */
  endEarly(): void {
    this.#ending = true;
    void this.#checks.end(makingMs);
    this.#tellEnd();
  }

  /** Removes the shared fixtures and closes every connection. */
  async close(): Promise<void> {
    if (this.lost === undefined) await this.#checks.end(makingMs);
    for (const scope of this.#shared.values()) await this.#end(scope);
    await this.#transport.close();
  }

  async #decide(check: Check, api: ApiVersion, fault: Fault | undefined): Promise<Decision> {
    const none = { level: check.rule.level, expected: '', actual: '', evidence: [], assertions: 0, broken: false };
    if (this.lost !== undefined) return { ...none, verdict: 'blocked', reason: `the target is gone: ${this.lost}` };
    if (this.#ending) return { ...none, verdict: 'blocked', reason: 'the run ended before this check' };
    const unfit = whyNotOn(check, this.#plan.target, api);
    if (unfit !== undefined) return { ...none, verdict: 'skip', reason: unfit };
    const transport = fault ? this.#faulty(check, fault) : this.#checks;
    const scope = this.#scope(check.rule.id, api, transport);
    // Under a fault nothing is shared, so that fixtures meet the faulty daemon too.
    const fixtures = fault ? this.#scope(`${check.rule.id} (fixtures)`, api, transport) : this.#sharedScope(api);
    try {
      const context: CheckContext = {
        engine: scope.engine,
        api,
        target: this.#plan.target,
        use: (fixture) => fixtures.use(fixture, this.#plan),
      };
      const judged = judge(check.rule, () => check.run(context));
      const decision = await Promise.race([judged, this.#endedEarly]);
      if (!decision) return { ...none, verdict: 'blocked', reason: 'the run was ended during this check' };
      return await this.#withHealth(decision);
    } finally {
      await this.#end(scope);
      if (fault) await this.#end(fixtures);
    }
  }

  #faulty(check: Check, fault: Fault): Transport {
    const endpoint = check.rule.endpoint;
    if (!endpoint && fault.on === undefined) {
      throw new Error(`the fault '${fault.name}' of ${check.rule.id} has to name an endpoint with on(…)`);
    }
    return faultyTransport(this.#checks, fault, endpoint ? endpointTitle(endpoint) : '');
  }

  /** A verdict that came while the target died says nothing of the rule. */
  async #withHealth(decision: Decision): Promise<Decision> {
    if (!decision.broken) return decision;
    await this.#health.look();
    if (this.lost === undefined) return decision;
    return { ...decision, verdict: 'blocked', reason: `the target is gone: ${this.lost}` };
  }

  /** What a daemon that is gone does not let go stays in the journal; a run that ends early removes all at once. */
  #end(scope: Scope): Promise<void> {
    const removes = this.lost === undefined && !this.#ending;
    return scope.end(removes ? this.#transport : undefined, this.#plan.run);
  }

  #sharedScope(api: ApiVersion): Scope {
    const known = this.#shared.get(api);
    if (known) return known;
    const scope = this.#scope(`shared fixtures of ${api}`, api, this.#checks);
    this.#shared.set(api, scope);
    return scope;
  }

  #scope(madeFor: string, api: ApiVersion, transport: Transport): Scope {
    const recorder = new Recorder(madeFor, {
      address: this.#plan.target.address,
      redactor: this.#redactor,
      nextId: () => `x${++this.#exchanges}`,
      sink: (record) => this.#spill(record),
    });
    const engine = new Engine({
      api,
      target: this.#plan.target,
      sandbox: this.#sandbox,
      transport,
      recorder,
      boundMs: this.#plan.timeoutMs,
    });
    return new Scope(engine, recorder);
  }

  #spill(record: RecordedExchange): void {
    appendFileSync(this.#plan.spillFile, `${JSON.stringify(record)}\n`);
  }
}

/** The life of one check, or of the shared fixtures of one version, on the daemon. */
class Scope {
  readonly engine: Engine;
  readonly #recorder: Recorder;
  readonly #fixtures = new Map<Fixture<unknown>, Promise<unknown>>();

  constructor(engine: Engine, recorder: Recorder) {
    this.engine = engine;
    this.#recorder = recorder;
  }

  async use<T>(fixture: Fixture<T>, plan: Plan): Promise<T> {
    const known = this.#fixtures.get(fixture) as Promise<T> | undefined;
    if (known) return known;
    const context: CheckContext = {
      engine: this.engine,
      api: this.engine.api,
      target: plan.target,
      use: (inner) => this.use(inner, plan),
    };
    // Made under a judgement of its own: what a fixture asserts is no evidence for the rule that came first.
    const made = withJudgement(new Judgement(), () => fixture.make(context)).catch((error: unknown) => {
      throw blocking(fixture.name, error);
    });
    this.#fixtures.set(fixture, made);
    return made;
  }

  /** Ends what is open and removes what was made. What the daemon does not let go is left to the end of the run. */
  async end(transport: Transport | undefined, run: string): Promise<void> {
    await Promise.allSettled(this.#fixtures.values());
    this.engine.close();
    this.#recorder.finish();
    if (!transport) return;
    const asked = { transport, api: this.engine.api, boundMs: removeMs };
    try {
      for (const made of this.engine.leftovers) await removeMade(asked, run, made);
    } catch (error) {
      // The daemon gave no answer; asking it about each of the others could take as long again.
      if (!(error instanceof TransportError)) throw error;
    }
  }
}

function blocking(name: string, error: unknown): unknown {
  if (error instanceof Deviation || error instanceof TransportError || error instanceof Blocked) {
    return new Blocked(`${name} could not be had: ${error.message}`, { cause: error });
  }
  return error instanceof NotApplicable ? error : new Error(`the fixture ${name} failed`, { cause: error });
}
