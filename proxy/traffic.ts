import type { ClientDeviation, RecordedExchange, Result, Traffic as TrafficFacts } from '../harness/events.ts';
import { undocumentedPaths } from '../harness/expect/undocumented.ts';
import type { Redactor } from '../harness/recording/redact.ts';
import { type JsonValue, parseJson } from '../harness/streams/json.ts';
import { toNeutral } from '../harness/target/dialect.ts';
import { judgedVersions } from '../harness/target/judged-versions.ts';
import type { Target } from '../harness/target/target.ts';
import { answerOf } from '../specs/endpoint.ts';
import { engineRoutes } from '../specs/known-routes.ts';
import type { Rule } from '../specs/rule.ts';
import { resolve } from '../specs/schema.ts';
import { type ApiVersion, holdsIn, isApiVersion } from '../specs/versions.ts';
import { Clients } from './clients.ts';
import { ruleNamed, type Subject } from './judge/subject.ts';
import { Ledger } from './ledger.ts';
import type { RequestHead } from './observe/observed.ts';

export interface TrafficOptions {
  readonly target: Target;
  readonly apis: readonly ApiVersion[];
  readonly rules: readonly Rule[];
  readonly redactor: Redactor;
  /** Whether to keep exchanges that no verdict depends on. */
  readonly keepAll: boolean;
  /** Receives the record of an exchange that is kept. */
  readonly keep: (record: RecordedExchange) => void;
  readonly violated: (result: Result) => void;
  readonly clientDeviated: (deviation: ClientDeviation) => void;
  readonly say: (line: string) => void;
}

/** A client can name any number of versions. */
const mostReasons = 100;

/** Reads and judges everything that passes through a proxy. */
export class Traffic {
  readonly ledger: Ledger;
  readonly clients: Clients;
  readonly target: Target;
  readonly redactor: Redactor;
  readonly keepAll: boolean;
  readonly keep: TrafficOptions['keep'];
  readonly #say: TrafficOptions['say'];
  readonly #apis: readonly ApiVersion[];
  readonly #seen = new Set<ApiVersion>();
  readonly #notJudged = new Map<string, number>();
  #connections = 0;
  #exchanges = 0;

  constructor(options: TrafficOptions) {
    this.target = options.target;
    this.redactor = options.redactor;
    this.keepAll = options.keepAll;
    this.keep = options.keep;
    this.#say = options.say;
    this.#apis = options.apis;
    this.ledger = new Ledger(options.rules, options.apis, options.violated);
    this.clients = new Clients(options.clientDeviated);
  }

  /** Counts a connection. */
  connected(): void {
    this.#connections++;
  }

  /** Counts an exchange. @returns its identifier */
  begun(): string {
    return `x${++this.#exchanges}`;
  }

  /** Notes that a connection can no longer be judged. */
  unread(connection: number, why: string): void {
    this.#say(`connection ${connection} is still passed on, but no longer judged: ${why}`);
  }

  /** What a request is judged as, if at all, and whether its endpoint has a stream in both directions. */
  subjectOf(request: RequestHead, sent: () => JsonValue | undefined): { subject?: Subject; isStream: boolean } {
    const endpoint = engineRoutes.find(request.method, request.target);
    const isStream = endpoint?.answers[101] !== undefined;
    const [, version] = /^\/v(\d+\.\d+)\//.exec(request.target) ?? [];
    const notJudged = (reason: string) => {
      this.#leaveOut(reason);
      return { isStream };
    };
    if (version === undefined) return notJudged('no API version in the path');
    if (!isApiVersion(version)) return notJudged(`API version ${version}, which the contract does not have`);
    if (!this.#apis.includes(version)) return notJudged(`API version ${version}, ${this.#whyNot(version)}`);
    if (!endpoint) return notJudged(`no endpoint of the documents (API version ${version})`);
    if (!holdsIn(endpoint, version)) return notJudged(`an endpoint of a later version (API version ${version})`);
    this.#seen.add(version);
    const query = new URLSearchParams(/\?(.*)$/s.exec(request.target)?.[1] ?? '');
    const subject: Subject = {
      endpoint,
      api: version,
      request,
      query,
      get sent() {
        return sent();
      },
    };
    return { subject, isStream };
  }

  /** Records the undocumented fields of an answer. @returns whether a verdict depends on the exchange */
  observeFields({ endpoint, api }: Subject, status: number, body: Buffer, exchange: string): boolean {
    const rule = ruleNamed(`${endpoint.id}.undocumented`);
    const schema = answerOf(endpoint, status, api)?.schema;
    if (!rule || !schema || status >= 300) return false;
    const fields = undocumentedIn(body, (json) => {
      const { items } = resolve(schema);
      const objects = Array.isArray(json) && items ? json : [json];
      return objects.flatMap((object) => {
        return undocumentedPaths(toNeutral(this.target.dialect, object), items ?? schema, api);
      });
    });
    return fields !== undefined && this.ledger.observe(rule, fields, api, exchange);
  }

  /** The judged versions that had traffic; if none had, those of them that a run would judge. */
  versions(): readonly ApiVersion[] {
    const seen = this.#apis.filter((api) => this.#seen.has(api));
    return seen.length > 0 ? seen : judgedVersions(undefined, this.#apis);
  }

  #whyNot(version: ApiVersion): string {
    return this.target.serves.includes(version) ? 'not in --api' : 'which the daemon does not serve';
  }

  #leaveOut(reason: string): void {
    const isTold = this.#notJudged.has(reason) || this.#notJudged.size < mostReasons;
    const told = isTold ? reason : 'another reason';
    this.#notJudged.set(told, (this.#notJudged.get(told) ?? 0) + 1);
  }

  /** Everything that is known when the traffic has ended. */
  facts(): TrafficFacts {
    return {
      connections: this.#connections,
      exchanges: this.#exchanges,
      notJudged: Object.fromEntries([...this.#notJudged].toSorted(([, one], [, other]) => other - one)),
      clients: this.clients.all().map((one) => ({ ...one, actual: this.redactor.text(one.actual) })),
    };
  }
}

function undocumentedIn(body: Buffer, pathsIn: (json: JsonValue) => string[]): string[] | undefined {
  try {
    return pathsIn(parseJson(body.toString('utf8')));
  } catch {
    return undefined; // The rules of its fields judge that it is not JSON.
  }
}
