import type { Endpoint } from '../../specs/endpoint.ts';
import { routes } from '../../specs/known-routes.ts';
import type { SeenAnswer } from '../check.ts';
import type { RecordedExchange } from '../events.ts';
import type { FinishedExchange } from '../recording/recorder.ts';
import type { SpillWriter } from './spill.ts';

/** The answer of an exchange; undefined when no head came. */
export function answerIn({ id, request: { method, path }, status }: FinishedExchange): SeenAnswer | undefined {
  return status === undefined ? undefined : { id, method, path, status };
}

/** The finished exchanges of one check, trial or question, from which evidence is taken. */
export class Finished {
  readonly #exchanges: FinishedExchange[] = [];

  /** Takes an exchange when it has ended. */
  readonly sink = (exchange: FinishedExchange): void => {
    this.#exchanges.push(exchange);
  };

  /** Their answers, for checks that look at what others exchanged. */
  seen(): SeenAnswer[] {
    return this.#exchanges.flatMap((exchange) => answerIn(exchange) ?? []);
  }

  /** In the order in which they began. */
  records(): RecordedExchange[] {
    return this.#inOrder().map(({ record }) => record());
  }

  /**
   * The evidence of a failure, together with the requests whose effect it shows: the last change before a decisive read, and
   * the last request to the rule's own endpoint before one to another.
   */
  withChange(evidence: readonly string[], own?: Endpoint): readonly string[] {
    const all = this.#inOrder();
    const at = all.findIndex(({ id }) => id === evidence.at(-1));
    const decided = all[at];
    if (!decided) return evidence;
    const before = all.slice(0, at);
    const isElsewhere = own !== undefined && endpointOf(decided) !== own;
    const asked = isElsewhere ? before.findLast((exchange) => endpointOf(exchange) === own) : undefined;
    const changed = isLook(decided) ? before.findLast((exchange) => !isLook(exchange)) : undefined;
    const shown = before.filter((exchange) => exchange === asked || exchange === changed).map(({ id }) => id);
    return [...shown.filter((id) => !evidence.includes(id)), ...evidence];
  }

  keepAll(spilled: SpillWriter): void {
    for (const { record } of this.#inOrder()) spilled.write(record);
  }

  /** Keeps the evidence of a verdict, and every server error. */
  keepEvidence(spilled: SpillWriter, evidence: readonly string[]): void {
    const wanted = new Set(evidence);
    for (const { id, status = 0, record } of this.#exchanges) {
      if (status >= 500 || wanted.has(id)) spilled.write(record);
    }
  }

  #inOrder(): FinishedExchange[] {
    return this.#exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
  }
}

function endpointOf({ request: { method, path } }: FinishedExchange): Endpoint | undefined {
  return routes.find(method, path);
}

function isLook(exchange: FinishedExchange | undefined): boolean {
  return exchange?.request.method === 'GET' || exchange?.request.method === 'HEAD';
}

/** Exchanges are numbered in the order in which they begin. */
function numberOf({ id }: FinishedExchange): number {
  return Number(id.slice(1));
}
