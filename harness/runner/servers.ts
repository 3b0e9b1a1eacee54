import { endpointTitle } from '../../specs/endpoint.ts';
import { type ApiVersion, oldestVersion } from '../../specs/versions.ts';
import type { Check } from '../check.ts';
import type { Fault } from '../faults/fault.ts';
import { faultyTransport } from '../faults/faulty-transport.ts';
import type { Company, Latitude } from '../latitudes/latitude.ts';
import { latitudeOf } from '../latitudes/latitudes.ts';
import { latitudinalTransport } from '../latitudes/latitudinal-transport.ts';
import type { Garbled } from '../registry/registry.ts';
import { guarded } from '../sandbox/foreign.ts';
import type { ProbeOnDemand } from '../sandbox/probe-on-demand.ts';
import { signOfLife } from '../token/identify.ts';
import type { TokenServer } from '../token/token-server.ts';
import { boundedTransport, preparingMs } from '../transport/bounded-transport.ts';
import { ImageGate } from '../transport/image-gate.ts';
import { undiciTransport } from '../transport/undici-transport.ts';
import type { Transport } from '../transport/wire.ts';
import { EndingTransport } from './ending-transport.ts';
import { Health } from './health.ts';
import type { Plan } from './plan.ts';
import type { Witnesses } from './witness.ts';

/** How long the end of a run waits for what its checks are currently making. */
const makingMs = 10_000;

/** How the servers are reached; the one with a fault is reached through it. */
export interface Transports {
  readonly engine: Transport;
  readonly authorization: Transport | undefined;
  readonly isFaulty?: boolean;
  /** How a faulty daemon's requests reach a registry that a check or a fixture runs. */
  readonly toRegistry?: Garbled | undefined;
}

/** The token server of a run. */
interface TokenSide {
  readonly server: TokenServer;
  readonly transport: Transport;
  readonly checks: EndingTransport;
  readonly health: Health;
}

/** The servers of a run, and the transports to them: plain, under latitudes, and with a fault in between. */
export class Servers {
  /** To the engine, for everything except checks: supervision, preparation and clean-up. */
  readonly engine: Transport;
  /** To the engine, for preparation. */
  readonly preparing: Transport;
  readonly tokens: TokenSide | undefined;
  /** Loads the probe image before a check uses it. */
  readonly probe: ProbeOnDemand;
  readonly #company: readonly Company[];
  readonly #checks: EndingTransport;
  readonly #witnesses: Witnesses | undefined;

  constructor(plan: Plan, probeOver: (preparing: Transport) => ProbeOnDemand, witnesses?: Witnesses) {
    const wire = undiciTransport(plan.target.address);
    const latitudes = plan.latitudes.map(latitudeOf);
    const api: ApiVersion = plan.apis.at(-1) ?? oldestVersion;
    this.#company = latitudes.flatMap(({ company }) => company?.(wire, api) ?? []);
    // The simulated slowness does not delay changes of images, which would make the run many times as long.
    this.engine = latitudinalTransport(new ImageGate(guarded(wire, plan.foreign)), latitudes);
    this.preparing = boundedTransport(this.engine, preparingMs(plan.timeoutMs));
    this.probe = probeOver(this.preparing);
    this.#checks = new EndingTransport(this.probe.before(this.engine));
    this.tokens = plan.tokenServer && tokenSide(plan.tokenServer, latitudes);
    this.#witnesses = witnesses;
  }

  /** For checks of the unmodified servers. */
  get asTheyAre(): Transports {
    const engine = this.#witnesses?.watch(this.#checks) ?? this.#checks;
    return { engine, authorization: this.tokens?.checks };
  }

  /** For requests outside checks, which no witness sees. */
  get unwitnessed(): Transports {
    return { engine: this.#checks, authorization: undefined, isFaulty: true };
  }

  /** For a check under a fault. @throws when neither the check nor the fault names an endpoint */
  under(fault: Fault, { rule }: Pick<Check, 'rule'>): Transports {
    const { endpoint } = rule;
    if (!endpoint && fault.on === undefined) {
      throw new Error(`the fault '${fault.name}' of ${rule.id} must name an endpoint with on(…)`);
    }
    const { engine, authorization } = this.asTheyAre;
    const faulty = { isFaulty: true, toRegistry: fault.toRegistry };
    if (endpoint?.server === 'authorization') {
      // The user specifies where the endpoint is on its server.
      const title = `${endpoint.method} ${this.tokens?.server.path ?? endpoint.path}`;
      return { ...faulty, engine, authorization: authorization && faultyTransport(authorization, fault, title) };
    }
    const engineWithFault = faultyTransport(engine, fault, endpoint ? endpointTitle(endpoint) : '');
    return { ...faulty, engine: engineWithFault, authorization };
  }

  /** Ends the exchanges of checks, and prevents new ones. Waits a while for what they are currently making. */
  async endChecks(): Promise<void> {
    await Promise.all([this.#checks.end(makingMs), this.tokens?.checks.end(makingMs)]);
  }

  /** Waits a while for what the engine's checks are currently making. */
  async endMaking(): Promise<void> {
    await this.#checks.end(makingMs);
  }

  /** Ends other activity at the target, and closes every connection. */
  async close(): Promise<void> {
    await Promise.all(this.#company.map((company) => company.end()));
    await this.engine.close();
    await this.tokens?.transport.close();
  }
}

function tokenSide(server: TokenServer, latitudes: readonly Latitude[]): TokenSide {
  const transport = latitudinalTransport(undiciTransport(server.address), latitudes);
  const checks = new EndingTransport(transport);
  return { server, transport, checks, health: new Health(transport, signOfLife(server)) };
}
