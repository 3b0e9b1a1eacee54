import type { Endpoint } from '../../specs/endpoint.ts';
import { engineRoutes } from '../../specs/known-routes.ts';
import { type ApiVersion, holdsIn, isApiVersion } from '../../specs/versions.ts';
import { type Check, serverOf } from '../check.ts';
import { type Absence, absenceInWords } from '../serving/absence.ts';
import { type AskedWith, Serving } from '../serving/serving.ts';
import { statingRule } from '../serving/stating-rule.ts';
import type { Target } from '../target/target.ts';
import { type Decision, judge } from '../verdict/judge.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Deviation, NotApplicable } from '../verdict/outcomes.ts';
import { Finished } from './finished.ts';
import type { Plan } from './plan.ts';
import type { Scopes } from './scopes.ts';
import type { Servers } from './servers.ts';
import type { SpillWriter } from './spill.ts';

/** Bound of an exchange that finds out whether an endpoint is served, in milliseconds. */
const servingMs = 10_000;

export interface ServedOptions {
  readonly plan: Plan;
  readonly servers: Servers;
  readonly scopes: Scopes;
  readonly spilled: SpillWriter;
  readonly target: () => Target;
}

/** What the target of a run serves, without a fault, and the decisions that follow from it. */
export class Served {
  readonly #options: ServedOptions;
  readonly #serving = new Serving((api) => this.#askedWith(api));

  constructor(options: ServedOptions) {
    this.#options = options;
  }

  /** How the target shows that it does not serve an endpoint; undefined when it does. */
  absence(endpoint: Endpoint, api: ApiVersion): Promise<Absence | undefined> {
    return this.#serving.absence(endpoint, api);
  }

  /** Why a path is not served; undefined when it is, or when it is not in the contract. */
  async whyNot(method: string, path: string): Promise<string | undefined> {
    const endpoint = engineRoutes.find(method, path);
    const [, api = ''] = /^\/v([\d.]+)\//.exec(path) ?? [];
    const isKnown = isApiVersion(api) && this.#options.target().serves.includes(api);
    if (!endpoint || !isKnown || !holdsIn(endpoint, api)) return undefined;
    const absence = await this.absence(endpoint, api);
    return absence && absenceInWords(absence);
  }

  /** The verdict on a rule whose endpoint is not served; undefined for every other rule. */
  async decisionOn({ rule }: Check, api: ApiVersion): Promise<Decision | undefined> {
    const { endpoint } = rule;
    if (!endpoint || serverOf(rule) !== 'engine' || this.#options.target().absent.engine !== undefined)
      return undefined;
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

  #askedWith(api: ApiVersion): AskedWith {
    const { plan, servers, scopes, spilled } = this.#options;
    const finished = new Finished();
    const scope = scopes.open('what the target serves', api, servers.unwitnessed, {
      boundMs: Math.min(plan.timeoutMs, servingMs),
      sink: finished.sink,
      takesAllForServed: true,
    });
    return {
      engine: scope.engine,
      end: async (isAbsent) => {
        await scopes.end(scope);
        if (isAbsent) finished.keepAll(spilled);
      },
    };
  }
}
