import type { Answered } from '../../harness/engine/exchange.ts';
import { Exchange } from '../../harness/engine/exchange.ts';
import { pathStatOf } from '../../harness/engine/path-stat.ts';
import type { Dialect } from '../../harness/target/dialect.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';
import { allEndpoints } from '../../specs/catalogue.ts';
import { answerOf, type Endpoint, type Framing } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { holdsIn } from '../../specs/versions.ts';
import { bodyChecks } from './body-checks.ts';
import { fieldFindings, fieldRulesOf, unreadableFields } from './field-findings.ts';
import { FrameStreamJudge, frameRules } from './frame-stream.ts';
import { headChecks, statusChecks } from './head-checks.ts';
import { absences, ObjectStreamJudge } from './object-stream.ts';
import { deviationIn, type Finding, finding, type PassiveCheck, ruleNamed, type Subject } from './subject.ts';

const ofEngine = allEndpoints.filter(({ server }) => server === undefined);

const checks = new Map(
  ofEngine.map((endpoint) => [
    endpoint.id,
    {
      statuses: statusChecks(endpoint).filter(isJudged),
      heads: headChecks(endpoint).filter(isJudged),
      bodies: bodyChecks(endpoint).filter(isJudged),
      fields: fieldRulesOf(endpoint),
    },
  ]),
);

function isJudged({ rule }: { readonly rule: Rule }): boolean {
  return rule.level !== 'observe';
}

/** Every rule that traffic can decide. */
export function decidableRules(): ReadonlySet<Rule> {
  const all = ofEngine.flatMap((endpoint) => {
    const { statuses = [], heads = [], bodies = [], fields = [] } = checks.get(endpoint.id) ?? {};
    const streams = ['objects-in-a-row', ...frameRules.map((name) => `stream.${name}`)];
    const ofStreams = streams.flatMap((name) => ruleNamed(`${endpoint.id}.${name}`) ?? []);
    return [
      ...[...statuses, ...heads, ...bodies, ...absences(endpoint)].map(({ rule }) => rule),
      ...fields,
      ...ofStreams,
    ];
  });
  return new Set(all);
}

/** Judges the bytes after the head of an answer. */
interface StreamJudge {
  push(bytes: Buffer): void;
  end(): void;
}

/** Judges what a daemon answers in one exchange. */
export class ExchangeJudge {
  readonly #subject: Subject;
  readonly #answered: Answered;
  readonly #report: (finding: Finding) => void;
  readonly #stream: StreamJudge | undefined;

  constructor(subject: Subject, answered: Answered, report: (finding: Finding) => void) {
    this.#subject = subject;
    this.#answered = answered;
    this.#report = report;
    this.#stream = this.#streamJudge(framingOf(subject, answered.status));
    this.#decide(this.#checks.heads, answered);
    // A stream may never end; for any other answer the body helps to describe what came.
    if (this.#stream) this.#decide(this.#checks.statuses, answered);
    this.#judgePathStat();
  }

  get #checks() {
    return checks.get(this.#subject.endpoint.id) ?? { statuses: [], heads: [], bodies: [], fields: [] };
  }

  /** Bytes of the answer's body, or of the stream that the connection became. */
  push(bytes: Buffer): void {
    this.#stream?.push(bytes);
  }

  /**
   * The answer is complete.
   * @param body undefined when it was too large to be kept
   */
  end(body: Buffer | undefined, dialect: Dialect, redact: (text: string) => string): void {
    this.#stream?.end();
    if (this.#stream) return;
    if (!body) {
      this.#decide(this.#checks.statuses, this.#answered);
      return;
    }
    const { id, request, status } = this.#answered;
    // Headers were judged with the head.
    const exchange = new Exchange(id, request, { status, headers: [], body }, dialect, redact);
    this.#decide(this.#checks.statuses, exchange);
    this.#decide(this.#checks.bodies, exchange);
    if (framingOf(this.#subject, status) !== 'object' || status >= 300) return;
    this.#judgeFields(exchange);
  }

  #judgeFields(exchange: Exchange): void {
    const { fields } = this.#checks;
    const { api } = this.#subject;
    const unreadable = deviationIn(() => void exchange.json);
    const findings = unreadable ? unreadableFields(fields, api, unreadable) : fieldFindings(fields, api, exchange.json);
    for (const found of findings) this.#report(found);
  }

  /** The archive endpoints describe a path in a header, whose fields have rules like those of a body. */
  #judgePathStat(): void {
    const { endpoint, api } = this.#subject;
    if (this.#answered.status !== 200 || !pathStats.has(endpoint.id)) return;
    try {
      for (const found of fieldFindings(this.#checks.fields, api, pathStatOf(this.#answered))) this.#report(found);
    } catch (error) {
      // The rule of the header judges that it cannot be read.
      if (!(error instanceof Deviation)) throw error;
    }
  }

  #streamJudge(framing: Framing | undefined): StreamJudge | undefined {
    if (framing === 'objects') return new ObjectStreamJudge(this.#subject, this.#answered, this.#report);
    return framing === 'raw-stream' ? new FrameStreamJudge(this.#subject, this.#report) : undefined;
  }

  #decide<T extends Answered>(decisive: readonly PassiveCheck<T>[], answer: T): void {
    for (const { rule, decidedBy, assert } of decisive) {
      if (!holdsIn(rule, this.#subject.api)) continue;
      let isDecided = true;
      const deviation = deviationIn(() => {
        isDecided = decidedBy(this.#subject, answer);
        if (isDecided) assert(this.#subject, answer);
      });
      if (isDecided) this.#report(finding(rule, deviation));
    }
  }
}

const pathStats = new Set<Endpoint['id']>(['containers.archive-get', 'containers.archive-stat']);

function framingOf({ endpoint, api }: Subject, status: number): Framing | undefined {
  return answerOf(endpoint, status, api)?.body;
}
