import type { Answered } from '../../harness/engine/exchange.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { ObjectDecoder, ObjectViolation } from '../../harness/streams/objects.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';
import type { Endpoint } from '../../specs/endpoint.ts';
import { holdsIn } from '../../specs/versions.ts';
import { fieldFindings, fieldRulesOf } from './field-findings.ts';
import { deviationIn, type Finding, finding, type PassiveCheck, ruleNamed, type Subject } from './subject.ts';

/** Judges an answer that is a sequence of JSON objects, each as soon as it has come. */
export class ObjectStreamJudge {
  readonly #subject: Subject;
  readonly #answer: Answered;
  readonly #report: (finding: Finding) => void;
  readonly #decoder = new ObjectDecoder();
  #objects = 0;
  #isReadable = true;

  constructor(subject: Subject, answer: Answered, report: (finding: Finding) => void) {
    this.#subject = subject;
    this.#answer = answer;
    this.#report = report;
  }

  push(bytes: Buffer): void {
    this.#read(() => {
      for (const { value } of this.#decoder.push(bytes)) this.#judge(value);
    });
  }

  /** The answer is complete. */
  end(): void {
    this.#read(() => this.#decoder.end());
  }

  #judge(object: JsonValue): void {
    const { endpoint, api } = this.#subject;
    this.#objects++;
    if (this.#objects === 1) this.#inARow();
    // The first stats object has no previous reading (interpretation `precpu-first`).
    if (endpoint.id === 'containers.stats' && this.#objects === 1) return;
    for (const found of fieldFindings(fieldRulesOf(endpoint), api, object)) this.#report(found);
    for (const { rule, applies, path } of absences(endpoint)) {
      if (!holdsIn(rule, api) || !isObject(object) || !applies(object)) continue;
      const value = object[path];
      this.#report(
        finding(
          rule,
          deviationIn(() => expectValue(path, value, [this.#answer]).toBeAbsent()),
        ),
      );
    }
  }

  #read(read: () => void): void {
    if (!this.#isReadable) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof ObjectViolation)) throw error;
      this.#isReadable = false;
      this.#inARow(new Deviation('JSON objects one after another', error.message));
    }
  }

  #inARow(deviation?: Deviation): void {
    const rule = ruleNamed(`${this.#subject.endpoint.id}.objects-in-a-row`);
    if (rule && holdsIn(rule, this.#subject.api)) this.#report(finding(rule, deviation));
  }
}

/** A member that an object of the stream must not have. */
interface Absence {
  readonly rule: PassiveCheck['rule'];
  readonly path: string;
  readonly applies: (object: Readonly<Record<string, JsonValue>>) => boolean;
}

const ofNetwork: Absence['applies'] = ({ Type }) => Type === 'network';

const members: Readonly<Record<string, readonly (Omit<Absence, 'rule'> & { readonly name: string })[]>> = {
  events: [
    { name: 'no-status-of-network', path: 'status', applies: ofNetwork },
    { name: 'no-id-of-network', path: 'id', applies: ofNetwork },
  ],
};

export function absences(endpoint: Endpoint): Absence[] {
  return (members[endpoint.id] ?? []).flatMap(({ name, ...absence }) => {
    const rule = ruleNamed(`${endpoint.id}.${name}`);
    return rule ? [{ rule, ...absence }] : [];
  });
}
