import type { Endpoint } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, oldestVersion } from '../../specs/versions.ts';
import { type Check, type CheckContext, type SeenAnswer, serverOf, whyNotOn } from '../check.ts';
import type { Result } from '../events.ts';
import type { Fault } from '../faults/fault.ts';
import { untilFailure } from '../property/generation.ts';
import { Journal } from '../sandbox/journal.ts';
import { loadProbe } from '../sandbox/probe-image.ts';
import { ProbeOnDemand } from '../sandbox/probe-on-demand.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import type { Absence } from '../serving/absence.ts';
import type { WhileIdle } from '../transport/patience.ts';
import { type Decision, isToldOf, judge } from '../verdict/judge.ts';
import { EarlyEnd } from './early-end.ts';
import { answerIn, Finished } from './finished.ts';
import type { Fixtures } from './fixtures.ts';
import { Health, type HealthOptions } from './health.ts';
import { KnownTarget } from './known-target.ts';
import type { Places } from './places.ts';
import type { Plan } from './plan.ts';
import { resultOf } from './result.ts';
import { Scopes } from './scopes.ts';
import { Served } from './served.ts';
import { Servers } from './servers.ts';
import { SharedFixtures, type SharedFixturesOptions } from './shared-fixtures.ts';
import { SpillWriter } from './spill.ts';
import type { Witnesses } from './witness.ts';

/** Bound of an exchange when a check runs under a fault that it does not name, in milliseconds. */
const othersMs = 5_000;

export interface SessionOptions extends Partial<Pick<SharedFixturesOptions, 'users' | 'used'>> {
  /** Called with what checks exchange with a daemon without a fault. */
  readonly witnesses?: Witnesses | undefined;
  /** Where the checks run, if they are limited. */
  readonly places?: Places;
}

/** A faulty daemon for several checks. */
export interface UnderFault {
  run(check: Check): Promise<Result>;
  end(): Promise<void>;
}

/**
 * Decides rules by running their checks against the plan's target, one at a time or concurrently. `servers.ts` has the
 * transports, `scopes.ts` the lifetimes of checks, `shared-fixtures.ts` what checks share, and `finished.ts` what
 * becomes evidence.
 */
export class Session {
  readonly #plan: Plan;
  readonly #servers: Servers;
  readonly #scopes: Scopes;
  readonly #sandbox: Sandbox;
  readonly #fixtures: SharedFixtures;
  readonly #known: KnownTarget;
  readonly #served: Served;
  readonly #health: Health;
  readonly #witnesses: Witnesses | undefined;
  readonly #spilled: SpillWriter;
  /** The token endpoint has no API version, so its rules are judged once for all of them. */
  readonly #judgedOnce = new Map<string, Promise<Decision>>();
  readonly #seen = new Map<ApiVersion, SeenAnswer[]>();
  /** Rules whose checks failed or were blocked, by version. */
  readonly #toldOf = new Map<ApiVersion, Set<string>>();
  readonly #earlyEnd = new EarlyEnd();
  #deathsTold = 0;

  constructor(plan: Plan, { witnesses, users, used, places }: SessionOptions = {}) {
    this.#plan = plan;
    this.#witnesses = witnesses;
    this.#spilled = new SpillWriter(plan.keeps === 'nothing' ? undefined : plan.spillFile);
    const journal = new Journal(plan.journalDirectory, plan.run);
    const probeOver: ConstructorParameters<typeof Servers>[1] = (preparing) =>
      new ProbeOnDemand(plan.hasImage, () => loadProbe(preparing, plan.target, new Sandbox(journal, plan.image)));
    const servers = new Servers(plan, probeOver, witnesses);
    const { probe } = servers;
    const sandbox = new Sandbox(
      journal,
      plan.image,
      () => probe.want(),
      () => probe.missing,
    );
    this.#servers = servers;
    this.#sandbox = sandbox;
    this.#known = new KnownTarget(plan, servers, sandbox);
    const target = () => this.#known.target;
    const common = { plan, servers, target, spilled: this.#spilled };
    const whileIdle: WhileIdle | undefined = places && ((waits) => places.lentDuring(waits));
    const whileMade: WhileIdle | undefined = places && ((waits) => places.leftDuring(waits));
    this.#scopes = new Scopes({
      ...common,
      sandbox,
      removes: () => this.#health.lost === undefined && !this.#earlyEnd.hasCome,
      whyNotServed: (method, path) => this.#served.whyNot(method, path),
      whileIdle,
    });
    this.#served = new Served({ ...common, scopes: this.#scopes });
    const sinkOf: SharedFixturesOptions['sinkOf'] = (api) => (exchange) => {
      this.#spilled.write(exchange.record);
      const answer = answerIn(exchange);
      if (answer) this.#seenIn(api).push(answer);
    };
    this.#fixtures = new SharedFixtures({
      ...common,
      ...{ scopes: this.#scopes, witnesses, users, used, whileMade, sinkOf },
    });
    const ping = { method: 'GET', path: `/v${plan.apis[0] ?? oldestVersion}/_ping`, headers: {} };
    this.#health = new Health(servers.engine, ping, this.#supervised());
  }

  /** How the target died, if it came back since the last call. */
  takeDeath(): string | undefined {
    const { deaths } = this.#health;
    if (deaths.length === this.#deathsTold) return undefined;
    this.#deathsTold = deaths.length;
    return deaths.at(-1);
  }

  /** Why the target, or the token server, is gone, once it is. */
  get lost(): string | undefined {
    return this.#health.lost ?? this.#servers.tokens?.health.lost;
  }

  /** How the target, as it is without a fault, shows that it does not serve an endpoint; undefined when it does. */
  absence(endpoint: Endpoint, api: ApiVersion): Promise<Absence | undefined> {
    return this.#served.absence(endpoint, api);
  }

  /** Runs one check in one version, optionally with a fault between it and the daemon. */
  async run(check: Check, api: ApiVersion, fault?: Fault): Promise<Result> {
    try {
      return await this.#run(check, api, fault);
    } finally {
      if (!fault) this.#fixtures.over({ rule: check.rule.id, api });
    }
  }

  /** A faulty daemon for several checks of one endpoint: what they share is made on it once. */
  under(fault: Fault, { rule }: Check, api: ApiVersion): UnderFault {
    const transports = this.#servers.under(fault, { rule });
    const fixtures = this.#fixtures.made(`${rule.id} (fixtures)`, api, transports, { boundMs: this.#othersMs });
    return {
      run: (one) => this.#run(one, api, fault, fixtures),
      end: () => fixtures.end(),
    };
  }

  /** Ends the running checks, and starts no others. What they made is left to the run's clean-up. */
  endEarly(): void {
    void this.#servers.endChecks();
    this.#earlyEnd.come();
  }

  /** Removes the shared fixtures and closes every connection. */
  async close(): Promise<void> {
    if (this.#health.lost === undefined) await this.#servers.endMaking();
    await this.#fixtures.end();
    await this.#servers.close();
    this.#spilled.close();
  }

  async #run(check: Check, api: ApiVersion, fault: Fault | undefined, shared?: Fixtures): Promise<Result> {
    const started = performance.now();
    const { rule } = check;
    const isOfEngine = serverOf(rule) === 'engine';
    const judged = isOfEngine ? this.#decide(check, api, fault, shared) : this.#decideOnce(check, api, fault);
    const decision = await judged;
    if (!fault) this.#tell(rule, api, decision);
    const { redactor, tokenRedactor } = this.#scopes;
    const tookMs = Math.round(performance.now() - started);
    return resultOf(rule, api, decision, isOfEngine ? redactor : tokenRedactor, tookMs, this.#sandbox);
  }

  /** Records what properties need not report again. */
  #tell({ id, kind }: Rule, api: ApiVersion, { verdict }: Decision): void {
    if (!isToldOf({ kind, verdict })) return;
    this.#toldOf.set(api, (this.#toldOf.get(api) ?? new Set()).add(id));
  }

  #decideOnce(check: Check, api: ApiVersion, fault: Fault | undefined): Promise<Decision> {
    const key = JSON.stringify([check.rule.id, fault?.name]);
    const known = this.#judgedOnce.get(key) ?? this.#decide(check, api, fault);
    this.#judgedOnce.set(key, known);
    return known;
  }

  async #decide(check: Check, api: ApiVersion, fault: Fault | undefined, shared?: Fixtures): Promise<Decision> {
    const none = { level: check.rule.level, expected: '', actual: '', evidence: [], assertions: 0, broken: false };
    const health = this.#healthOf(check);
    await health.known();
    const { lost, deaths } = health;
    const deathsBefore = deaths.length;
    if (lost !== undefined) return { ...none, verdict: 'blocked', reason: `the target is gone: ${lost}` };
    if (this.#earlyEnd.hasCome) return { ...none, verdict: 'blocked', reason: 'the run ended before this check' };
    const absent = await this.#earlyEnd.unless(this.#served.decisionOn(check, api));
    if (absent) return absent;
    await this.#known.findFor(check, api);
    const unfit = whyNotOn(check, this.#known.target, api);
    if (unfit !== undefined) return { ...none, verdict: 'skip', reason: unfit };
    const transports = fault ? this.#servers.under(fault, check) : this.#servers.asTheyAre;
    const finished = new Finished();
    const scope = this.#scopes.open(check.rule.id, api, transports, {
      boundMs: shared && this.#othersMs,
      sink: finished.sink,
    });
    let evidence: readonly string[] | undefined;
    // Under a fault nothing is shared, so that fixtures, too, use the faulty daemon.
    const own = fault && !shared ? this.#fixtures.made(`${check.rule.id} (fixtures)`, api, transports) : undefined;
    const fixtures = shared ?? own ?? this.#fixtures.in(api);
    const user = {};
    try {
      const context: CheckContext = {
        rule: check.rule,
        generation: fault ? untilFailure(this.#plan.generation) : this.#plan.generation,
        toldOf: () => (fault ? [] : [...(this.#toldOf.get(api) ?? [])]),
        // A fault changes what is asked under it, not what was seen before.
        seen: () => (fault ? [] : this.#seenIn(api)),
        trial: (run) => this.#scopes.trial(check.rule.id, api, transports, run),
        engine: scope.engine,
        get tokens() {
          return scope.tokens;
        },
        api,
        target: this.#known.target,
        toRegistry: transports.toRegistry,
        use: (fixture) => fixtures.use(fixture, user, check.rule.id),
      };
      const run = () => judge(check.rule, () => check.run(context), api);
      const judged = fault || !this.#witnesses ? run() : this.#witnesses.check(check, api, run);
      const decision = await this.#earlyEnd.unless(judged);
      if (!decision) return { ...none, verdict: 'blocked', reason: 'the run was ended during this check' };
      const healthy = await withHealth(health, decision, deathsBefore);
      if (healthy.verdict === 'pass') evidence = healthy.evidence;
      if (healthy.verdict !== 'fail') return healthy;
      return { ...healthy, evidence: finished.withChange(healthy.evidence, check.rule.endpoint) };
    } finally {
      await this.#scopes.end(scope);
      if (!fault && !check.last) this.#seenIn(api).push(...finished.seen());
      // Every exchange may help to explain a check that did not pass.
      if (evidence && this.#plan.keeps !== 'all') finished.keepEvidence(this.#spilled, evidence);
      else finished.keepAll(this.#spilled);
      fixtures.released(user);
      await own?.end();
    }
  }

  /** Many faults make other checks wait in vain, so these have a tighter bound. */
  get #othersMs(): number {
    return Math.min(this.#plan.timeoutMs, othersMs);
  }

  #seenIn(api: ApiVersion): SeenAnswer[] {
    const seen = this.#seen.get(api) ?? [];
    this.#seen.set(api, seen);
    return seen;
  }

  #healthOf({ rule }: Check): Health {
    return (serverOf(rule) === 'authorization' && this.#servers.tokens?.health) || this.#health;
  }

  /** What to do about a target that a supervisor restarts. */
  #supervised(): HealthOptions | undefined {
    const { restartMs, loadsImage } = this.#plan;
    if (restartMs === 0) return undefined;
    const cameBack = async () => {
      // They hold things made before the restart, which may be gone.
      this.#fixtures.forget();
      return loadsImage ? (await this.#servers.probe.again())?.reason : undefined;
    };
    return { waitMs: restartMs, cameBack };
  }
}

/** A verdict that came while the target was dying says nothing about the rule. */
async function withHealth(health: Health, decision: Decision, deathsBefore: number): Promise<Decision> {
  if (decision.broken) await health.look();
  // Then the generated input shows no deviation.
  const { generated: _, ...rest } = decision;
  const blocked = { ...rest, verdict: 'blocked', expected: '', actual: '' } as const;
  if (health.lost !== undefined && decision.broken) return { ...blocked, reason: `the target is gone: ${health.lost}` };
  if (health.deaths.length === deathsBefore) return decision;
  return {
    ...blocked,
    reason: `the target died and came back meanwhile: ${health.deaths.at(-1)}`,
  };
}
