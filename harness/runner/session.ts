import type { Capability } from '../../specs/capabilities.ts';
import { allEndpoints } from '../../specs/catalogue.ts';
import { type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import { Routes } from '../../specs/routes.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn, isApiVersion, oldestVersion } from '../../specs/versions.ts';
import { type Check, type CheckContext, type SeenAnswer, serverOf, type Tried, whyNotOn } from '../check.ts';
import { Engine } from '../engine/engine.ts';
import type { Result } from '../events.ts';
import type { Fault } from '../faults/fault.ts';
import { faultyTransport } from '../faults/faulty-transport.ts';
import type { Company, Latitude } from '../latitudes/latitude.ts';
import { latitudeOf } from '../latitudes/latitudes.ts';
import { latitudinalTransport } from '../latitudes/latitudinal-transport.ts';
import { untilFailure } from '../property/generation.ts';
import { type FinishedExchange, Recorder, type RecorderOptions } from '../recording/recorder.ts';
import { Redactor } from '../recording/redact.ts';
import { guarded } from '../sandbox/foreign.ts';
import { Journal } from '../sandbox/journal.ts';
import { loadProbe } from '../sandbox/probe-image.ts';
import { ProbeOnDemand } from '../sandbox/probe-on-demand.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { type Absence, absenceInWords } from '../serving/absence.ts';
import { type AskedWith, Serving } from '../serving/serving.ts';
import { statingRule } from '../serving/stating-rule.ts';
import { findCapabilities, untriedOf } from '../target/capabilities.ts';
import { lookedAt } from '../target/looked-at.ts';
import type { Target } from '../target/target.ts';
import { signOfLife } from '../token/identify.ts';
import { TokenClient } from '../token/token-client.ts';
import type { TokenServer } from '../token/token-server.ts';
import { boundedTransport, preparingMs } from '../transport/bounded-transport.ts';
import { ImageGate } from '../transport/image-gate.ts';
import { Patience } from '../transport/patience.ts';
import { undiciTransport } from '../transport/undici-transport.ts';
import type { Transport } from '../transport/wire.ts';
import { type Decision, isToldOf, judge } from '../verdict/judge.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Deviation, NotApplicable } from '../verdict/outcomes.ts';
import { EndingTransport } from './ending-transport.ts';
import type { FixtureUsers, User } from './fixture-users.ts';
import { type FixtureOptions, Fixtures } from './fixtures.ts';
import { Health, type HealthOptions } from './health.ts';
import type { Plan } from './plan.ts';
import { resultOf } from './result.ts';
import { Scope } from './scope.ts';
import { SpillWriter } from './spill.ts';
import type { Witnesses } from './witness.ts';

const removeMs = 30_000;
/** Bound of an exchange that asks whether an endpoint is served. */
const servingMs = 10_000;
const routes = new Routes(allEndpoints.filter(({ server }) => server === undefined));
/** Bound of an exchange when a check runs under a fault that it does not name. */
const othersMs = 5_000;
/** How long the end of a run waits for what its checks are just making. */
const makingMs = 10_000;

/** The token server of a run. */
interface TokenSide {
  readonly server: TokenServer;
  readonly transport: Transport;
  readonly checks: EndingTransport;
  readonly health: Health;
}

export interface SessionOptions {
  /** Told of what checks exchange with a daemon without a fault. */
  readonly witnesses?: Witnesses | undefined;
  /** Tells which fixtures are used again; without it all are held to the end. */
  readonly users?: FixtureUsers | undefined;
  /** Told of every use of a fixture, by a rule's check or by the making of another fixture. */
  readonly used?: FixtureOptions['used'];
}

/** Runs checks against the plan's target, one at a time or many at once. */
export class Session {
  readonly #plan: Plan;
  readonly #transport: Transport;
  /** What goes on at the target meanwhile that is not the run's. */
  readonly #company: readonly Company[];
  /** What checks send goes through this one. */
  readonly #checks: EndingTransport;
  readonly #sandbox: Sandbox;
  readonly #probe: ProbeOnDemand;
  readonly #redactor: Redactor;
  /** Of the token server's exchanges: it learns every token that is given. */
  readonly #tokenRedactor: Redactor;
  readonly #health: Health;
  readonly #serving: Serving;
  readonly #tokens: TokenSide | undefined;
  /** The token endpoint has no API version, so that its rules are judged once for all of them. */
  readonly #judgedOnce = new Map<string, Promise<Decision>>();
  readonly #shared = new Map<ApiVersion, Fixtures>();
  #sharedByAll: Fixtures | undefined;
  /** With the daemon as it is; under a fault it may do anything. */
  readonly #patience = new Patience();
  readonly #seen = new Map<ApiVersion, SeenAnswer[]>();
  /** Rules whose checks failed or were blocked, by their version. */
  readonly #toldOf = new Map<ApiVersion, Set<string>>();
  readonly #witnesses: Witnesses | undefined;
  readonly #users: FixtureUsers | undefined;
  readonly #used: SessionOptions['used'];
  readonly #endedEarly: Promise<void>;
  readonly #spilled: SpillWriter;
  /** With what was found of it by now. */
  #target: Target;
  #finding: Promise<void> = Promise.resolve();
  #tellEnd = () => {};
  #exchanges = 0;
  #deathsTold = 0;
  #ending = false;

  constructor(plan: Plan, { witnesses, users, used }: SessionOptions = {}) {
    this.#plan = plan;
    this.#users = users;
    this.#used = used;
    this.#witnesses = witnesses;
    this.#spilled = new SpillWriter(plan.spillFile);
    const wire = undiciTransport(plan.target.address);
    const latitudes = plan.latitudes.map(latitudeOf);
    const api = plan.apis.at(-1) ?? oldestVersion;
    this.#company = latitudes.flatMap(({ company }) => company?.(wire, api) ?? []);
    // What an engine seems to take longer for holds up no change of images, which would make the run many times as long.
    this.#transport = latitudinalTransport(new ImageGate(guarded(wire, plan.foreign)), latitudes);
    this.#target = plan.target;
    const journal = new Journal(plan.journalDirectory, plan.run);
    this.#probe = new ProbeOnDemand(plan.hasImage, () =>
      loadProbe(this.#preparing, plan.target, new Sandbox(journal, plan.image)),
    );
    this.#sandbox = new Sandbox(
      journal,
      plan.image,
      () => this.#probe.want(),
      () => this.#probe.missing,
    );
    this.#checks = new EndingTransport(this.#probe.before(this.#transport));
    this.#redactor = new Redactor(plan.secrets);
    this.#tokenRedactor = new Redactor(plan.secrets);
    const ping = { method: 'GET', path: `/v${plan.apis[0] ?? oldestVersion}/_ping`, headers: {} };
    this.#health = new Health(this.#transport, ping, this.#supervised());
    this.#serving = new Serving((asked) => this.#askingWhatIsServed(asked));
    this.#tokens = plan.tokenServer && tokenSide(plan.tokenServer, latitudes);
    this.#endedEarly = new Promise((resolve) => {
      this.#tellEnd = resolve;
    });
  }

  /** How the target died, when it came back since this was asked last. */
  takeDeath(): string | undefined {
    const { deaths } = this.#health;
    if (deaths.length === this.#deathsTold) return undefined;
    this.#deathsTold = deaths.length;
    return deaths.at(-1);
  }

  /** Why the target, or the token server, is gone, once it is. */
  get lost(): string | undefined {
    return this.#health.lost ?? this.#tokens?.health.lost;
  }

  /** Runs one check in one version, with a fault between it and the daemon when one is given. */
  async run(check: Check, api: ApiVersion, fault?: Fault): Promise<Result> {
    try {
      return await this.#run(check, api, fault);
    } finally {
      if (!fault) this.#over({ rule: check.rule.id, api });
    }
  }

  /** Fixtures that only this check was still to use end. */
  #over(user: User): void {
    this.#users?.over(user);
    this.#shared.get(user.api)?.released(user);
  }

  /** A daemon with a fault, for several checks of one endpoint: what they share is made on it once. */
  under(fault: Fault, { rule, ...check }: Check, api: ApiVersion): UnderFault {
    const transports = this.#faulty({ rule, ...check }, fault);
    const fixtures = this.#fixtures(`${rule.id} (fixtures)`, api, transports, { boundMs: this.#othersMs });
    return {
      run: (one) => this.#run(one, api, fault, fixtures),
      end: () => fixtures.end(),
    };
  }

  async #run(check: Check, api: ApiVersion, fault: Fault | undefined, shared?: Fixtures): Promise<Result> {
    const started = performance.now();
    const { rule } = check;
    const isOfEngine = serverOf(rule) === 'engine';
    const judged = isOfEngine ? this.#decide(check, api, fault, shared) : this.#decideOnce(check, api, fault);
    const decision = await judged;
    if (!fault) this.#tell(rule, api, decision);
    const redactor = isOfEngine ? this.#redactor : this.#tokenRedactor;
    return resultOf(rule, api, decision, redactor, Math.round(performance.now() - started));
  }

  /** Keeps what properties need not tell again. */
  #tell({ id, kind }: Rule, api: ApiVersion, { verdict }: Decision): void {
    if (!isToldOf({ kind, verdict })) return;
    this.#toldOf.set(api, (this.#toldOf.get(api) ?? new Set()).add(id));
  }

  /** How the target, as it is without a fault, shows that it does not serve an endpoint; undefined when it does. */
  absence(endpoint: Endpoint, api: ApiVersion): Promise<Absence | undefined> {
    return this.#serving.absence(endpoint, api);
  }

  /** Ends the checks that run, and lets no other begin. What they made is left to the clean-up of the run. */
  endEarly(): void {
    this.#ending = true;
    void this.#checks.end(makingMs);
    void this.#tokens?.checks.end(makingMs);
    this.#tellEnd();
  }

  /** Removes the shared fixtures and closes every connection. */
  async close(): Promise<void> {
    if (this.#health.lost === undefined) await this.#checks.end(makingMs);
    for (const fixtures of this.#shared.values()) await fixtures.end();
    await this.#sharedByAll?.end();
    await Promise.all(this.#company.map((company) => company.end()));
    await this.#transport.close();
    await this.#tokens?.transport.close();
    this.#spilled.close();
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
    if (this.#ending) return { ...none, verdict: 'blocked', reason: 'the run ended before this check' };
    const ended = this.#endedEarly.then(() => undefined);
    const absent = await Promise.race([this.#ofAbsentEndpoint(check, api), ended]);
    if (absent) return absent;
    await this.#findFor(check, api);
    const unfit = whyNotOn(check, this.#target, api);
    if (unfit !== undefined) return { ...none, verdict: 'skip', reason: unfit };
    const transports = fault ? this.#faulty(check, fault) : this.#transports;
    const finished: FinishedExchange[] = [];
    const scope = this.#scope(check.rule.id, api, transports, {
      boundMs: shared && this.#othersMs,
      sink: (exchange) => finished.push(exchange),
    });
    let evidence: readonly string[] | undefined;
    // Under a fault nothing is shared, so that fixtures meet the faulty daemon too.
    const own = fault && !shared ? this.#fixtures(`${check.rule.id} (fixtures)`, api, transports) : undefined;
    const fixtures = shared ?? own ?? this.#sharedIn(api);
    const user = {};
    try {
      const context: CheckContext = {
        rule: check.rule,
        generation: fault ? untilFailure(this.#plan.generation) : this.#plan.generation,
        toldOf: () => (fault ? [] : [...(this.#toldOf.get(api) ?? [])]),
        seen: () => this.#seenIn(api),
        trial: (run) => this.#trial(check, api, transports, run),
        engine: scope.engine,
        get tokens() {
          return scope.tokens;
        },
        api,
        target: this.#target,
        toRegistry: fault?.toRegistry,
        use: (fixture) => fixtures.use(fixture, user, check.rule.id),
      };
      const run = () => judge(check.rule, () => check.run(context), api);
      const judged = fault || !this.#witnesses ? run() : this.#witnesses.check(check, api, run);
      const decision = await Promise.race([judged, this.#endedEarly]);
      if (!decision) return { ...none, verdict: 'blocked', reason: 'the run was ended during this check' };
      const healthy = await withHealth(health, decision, deathsBefore);
      if (healthy.verdict === 'pass') evidence = healthy.evidence;
      return healthy;
    } finally {
      await this.#end(scope);
      if (!fault && !check.last) this.#seenIn(api).push(...finished.flatMap(seenAnswer));
      // How a check came to what is no pass is told by all that it exchanged.
      const wanted = evidence && !this.#plan.allExchanges ? new Set(evidence) : undefined;
      for (const { id, status = 0, record } of finished) {
        if (status >= 500 || wanted?.has(id) !== false) this.#spilled.write(record());
      }
      fixtures.released(user);
      await own?.end();
    }
  }

  /** The verdict on a rule of an endpoint that the daemon, as it is without a fault, does not serve. */
  async #ofAbsentEndpoint({ rule }: Check, api: ApiVersion): Promise<Decision | undefined> {
    const { endpoint } = rule;
    if (!endpoint || serverOf(rule) !== 'engine' || this.#target.absent.engine !== undefined) return undefined;
    const absence = await this.absence(endpoint, api);
    if (!absence) return undefined;
    return judge(
      rule,
      async () => {
        if (statingRule(endpoint, api) !== rule) throw new NotApplicable(absenceInWords(absence));
        currentJudgement().asserted([absence.evidence]);
        throw new Deviation(`${absence.endpoint} to be served`, absence.said);
      },
      api,
    );
  }

  #askingWhatIsServed(api: ApiVersion): AskedWith {
    const transports = { engine: this.#checks, authorization: undefined, isFaulty: true };
    const boundMs = Math.min(this.#plan.timeoutMs, servingMs);
    const finished: FinishedExchange[] = [];
    const sink = (exchange: FinishedExchange) => finished.push(exchange);
    const options = { boundMs, sink, takesAllForServed: true };
    const scope = this.#scope('what the target serves', api, transports, options);
    return {
      engine: scope.engine,
      end: async (isAbsent) => {
        await this.#end(scope);
        if (isAbsent) for (const { record } of finished) this.#spilled.write(record());
      },
    };
  }

  async #whyNotServed(method: string, path: string): Promise<string | undefined> {
    const endpoint = routes.find(method, path);
    const [, api = ''] = /^\/v([\d.]+)\//.exec(path) ?? [];
    const isKnown = isApiVersion(api) && this.#target.serves.includes(api);
    if (!endpoint || !isKnown || !holdsIn(endpoint, api)) return undefined;
    const absence = await this.absence(endpoint, api);
    return absence && absenceInWords(absence);
  }

  /** A transport for what makes the target ready. */
  get #preparing(): Transport {
    return boundedTransport(this.#transport, preparingMs(this.#plan.timeoutMs));
  }

  /** Finds out what the check looks at in the target and the chosen rules do not need, so that it is not known yet. */
  async #findFor(check: Check, api: ApiVersion): Promise<void> {
    for (let wanted = this.#unknownTo(check, api); wanted.length > 0; wanted = this.#unknownTo(check, api)) {
      // One after another, as the containers that are tried have names of their own.
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
    const { corsOrigin, hostile } = this.#plan;
    const options = { withoutProbe: (await this.#probe.have())?.reason, corsOrigin, hostile };
    const { lacks } = await findCapabilities(this.#preparing, this.#target, this.#sandbox, options, wanted);
    const before = untriedOf(this.#target);
    const after = untriedOf({ ...this.#target, lacks });
    const isFound = (name: string) => before.some((one) => one === name) && !after.some((one) => one === name);
    const known = Object.entries(this.#target.lacks).filter(([name]) => !isFound(name));
    const found = Object.entries(lacks).filter(([name]) => isFound(name));
    this.#target = { ...this.#target, lacks: Object.fromEntries([...known, ...found]) };
  }

  /** Many faults make others' checks wait in vain, so that these have a tighter bound. */
  get #othersMs(): number {
    return Math.min(this.#plan.timeoutMs, othersMs);
  }

  #seenIn(api: ApiVersion): SeenAnswer[] {
    const seen = this.#seen.get(api) ?? [];
    this.#seen.set(api, seen);
    return seen;
  }

  async #trial(
    { rule }: Check,
    api: ApiVersion,
    transports: Transports,
    run: Parameters<CheckContext['trial']>[0],
  ): Promise<Tried> {
    const finished: FinishedExchange[] = [];
    let begun = 0;
    const nextId = () => {
      begun++;
      return `x${++this.#exchanges}`;
    };
    const scope = this.#scope(rule.id, api, transports, { nextId, sink: (exchange) => finished.push(exchange) });
    try {
      await run(
        scope.engine,
        () => begun,
        () => scope.tokens,
      );
    } finally {
      await this.#end(scope);
    }
    finished.sort((one, other) => numberOf(one) - numberOf(other));
    const keep = () => {
      for (const { record } of finished) this.#spilled.write(record());
    };
    if (this.#plan.allExchanges) keep();
    return {
      exchanges: () => finished.map(({ record }) => record()),
      keep: this.#plan.allExchanges ? () => {} : keep,
    };
  }

  get #transports(): Transports {
    const engine = this.#witnesses?.watch(this.#checks) ?? this.#checks;
    return { engine, authorization: this.#tokens?.checks };
  }

  #faulty(check: Check, fault: Fault): Transports {
    const endpoint = check.rule.endpoint;
    if (!endpoint && fault.on === undefined) {
      throw new Error(`the fault '${fault.name}' of ${check.rule.id} has to name an endpoint with on(…)`);
    }
    const { engine, authorization } = this.#transports;
    if (endpoint?.server === 'authorization') {
      // The user says where the endpoint is on its server.
      const title = `${endpoint.method} ${this.#tokens?.server.path ?? endpoint.path}`;
      return { engine, isFaulty: true, authorization: authorization && faultyTransport(authorization, fault, title) };
    }
    const engineWithFault = faultyTransport(engine, fault, endpoint ? endpointTitle(endpoint) : '');
    return { engine: engineWithFault, authorization, isFaulty: true };
  }

  #healthOf({ rule }: Check): Health {
    return (serverOf(rule) === 'authorization' && this.#tokens?.health) || this.#health;
  }

  /** What is done for a target that a supervisor starts again. */
  #supervised(): HealthOptions | undefined {
    const { restartMs, loadsImage } = this.#plan;
    if (restartMs === 0) return undefined;
    const cameBack = async () => {
      // What they hold was made before, and may be gone.
      for (const fixtures of [...this.#shared.values(), this.#sharedByAll]) fixtures?.forget();
      return loadsImage ? (await this.#probe.again())?.reason : undefined;
    };
    return { waitMs: restartMs, cameBack };
  }

  /** What a daemon that is gone does not let go stays in the journal; a run that ends early removes all at once. */
  #end(scope: Scope): Promise<void> {
    const removes = this.#health.lost === undefined && !this.#ending;
    const boundMs = Math.min(removeMs, preparingMs(this.#plan.timeoutMs));
    return scope.end(removes ? this.#transport : undefined, this.#plan.run, boundMs);
  }

  /** What the checks of one version share; witnesses are asked of every version by itself. */
  #sharedIn(api: ApiVersion): Fixtures {
    const known = this.#shared.get(api);
    if (known) return known;
    const users = this.#users;
    const newest = this.#plan.apis.at(-1);
    if (!this.#witnesses && newest !== undefined) {
      const of = 'shared fixtures of all versions';
      this.#sharedByAll ??= this.#fixtures(of, newest, this.#transports, { users, areOfAll: true });
    }
    const ofAll = this.#sharedByAll;
    const made = this.#fixtures(`shared fixtures of ${api}`, api, this.#transports, { users, ofAll });
    this.#shared.set(api, made);
    return made;
  }

  #fixtures(
    madeFor: string,
    api: ApiVersion,
    transports: Transports,
    { boundMs, ...options }: Pick<FixtureOptions, 'users' | 'ofAll' | 'areOfAll'> & Pick<ScopeOptions, 'boundMs'> = {},
  ): Fixtures {
    return new Fixtures({
      ...options,
      api,
      open: () => this.#scope(madeFor, api, transports, { boundMs }),
      end: (scope) => this.#end(scope),
      target: () => this.#target,
      witnesses: this.#witnesses,
      used: this.#used,
    });
  }

  #scope(
    madeFor: string,
    api: ApiVersion,
    transports: Transports,
    {
      boundMs = this.#plan.timeoutMs,
      takesAllForServed = false,
      nextId = () => `x${++this.#exchanges}`,
      sink = ({ record }) => this.#spilled.write(record()),
    }: ScopeOptions = {},
  ): Scope {
    const { engine: transport, authorization } = transports;
    const kept = { nextId, sink };
    const { address } = this.#target;
    const recorder = new Recorder(madeFor, { ...kept, address, redactor: this.#redactor });
    const engine = new Engine({
      api,
      target: this.#target,
      sandbox: this.#sandbox,
      transport,
      recorder,
      boundMs,
      patience: transports.isFaulty ? undefined : this.#patience,
      whyNotServed: takesAllForServed ? undefined : (method, path) => this.#whyNotServed(method, path),
    });
    const { server } = this.#tokens ?? {};
    if (!server || !authorization) return new Scope(engine, recorder);
    const redactor = this.#tokenRedactor;
    const ofTokens = new Recorder(madeFor, { ...kept, address: server.address, redactor });
    const tokens = new TokenClient({ server, transport: authorization, recorder: ofTokens, redactor, boundMs });
    return new Scope(engine, recorder, tokens);
  }
}

/** A verdict that came while the target died says nothing of the rule. */
async function withHealth(health: Health, decision: Decision, deathsBefore: number): Promise<Decision> {
  if (decision.broken) await health.look();
  // What was generated shows no deviation then.
  const { generated: _, ...rest } = decision;
  const blocked = { ...rest, verdict: 'blocked', expected: '', actual: '' } as const;
  if (health.lost !== undefined && decision.broken) return { ...blocked, reason: `the target is gone: ${health.lost}` };
  if (health.deaths.length === deathsBefore) return decision;
  return {
    ...blocked,
    reason: `the target died and came back meanwhile: ${health.deaths.at(-1)}`,
  };
}

function seenAnswer({ id, request: { method, path }, status }: FinishedExchange): SeenAnswer[] {
  return status === undefined ? [] : [{ id, method, path, status }];
}

/** A daemon with a fault as several checks see it. */
export interface UnderFault {
  run(check: Check): Promise<Result>;
  end(): Promise<void>;
}

/** What is special about a scope. */
interface ScopeOptions extends Partial<Pick<RecorderOptions, 'nextId' | 'sink'>> {
  /** Bound of one exchange in milliseconds. */
  readonly boundMs?: number | undefined;
  readonly takesAllForServed?: boolean;
}

/** Exchanges are numbered in the order in which they begin. */
function numberOf({ id }: FinishedExchange): number {
  return Number(id.slice(1));
}

/** How the servers are reached, each through the fault if it is the one that has it. */
interface Transports {
  readonly engine: Transport;
  readonly authorization: Transport | undefined;
  readonly isFaulty?: boolean;
}

function tokenSide(server: TokenServer, latitudes: readonly Latitude[]): TokenSide {
  const transport = latitudinalTransport(undiciTransport(server.address), latitudes);
  const checks = new EndingTransport(transport);
  return { server, transport, checks, health: new Health(transport, signOfLife(server)) };
}
