import type { SeenAnswer } from '../check.ts';
import type { RecordedExchange } from '../events.ts';
import type { FinishedExchange } from '../recording/recorder.ts';
import type { SpillWriter } from './spill.ts';

/** The exchanges that one check, trial or question has finished: what evidence is taken from. */
export class Finished {
  readonly #exchanges: FinishedExchange[] = [];

  /** Takes an exchange when it has ended. */
  readonly sink = (exchange: FinishedExchange): void => {
    this.#exchanges.push(exchange);
  };

  /** The answers among them, for checks that look at what others exchanged. */
  seen(): SeenAnswer[] {
    return this.#exchanges.flatMap(({ id, request: { method, path }, status }) => {
      return status === undefined ? [] : [{ id, method, path, status }];
    });
  }

  /** In the order in which they began. */
  records(): RecordedExchange[] {
    return this.#inOrder().map(({ record }) => record());
  }

  /**
   * The evidence of a failure with the request whose effect it looked at: the last that changed something before a look
   * that decided.
   */
  withChange(evidence: readonly string[]): readonly string[] {
    const before = this.#inOrder();
    const at = before.findIndex(({ id }) => id === evidence.at(-1));
    if (at < 0 || !isLook(before[at])) return evidence;
    const change = before.slice(0, at).findLast((exchange) => !isLook(exchange));
    return !change || evidence.includes(change.id) ? evidence : [change.id, ...evidence];
  }

  keepAll(spilled: SpillWriter): void {
    for (const { record } of this.#inOrder()) spilled.write(record());
  }

  /** Keeps the evidence of a verdict, and every server error. */
  keepEvidence(spilled: SpillWriter, evidence: readonly string[]): void {
    const wanted = new Set(evidence);
    for (const { id, status = 0, record } of this.#exchanges) {
      if (status >= 500 || wanted.has(id)) spilled.write(record());
    }
  }

  #inOrder(): FinishedExchange[] {
    return this.#exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
  }
}

function isLook(exchange: FinishedExchange | undefined): boolean {
  return exchange?.request.method === 'GET' || exchange?.request.method === 'HEAD';
}

/** Exchanges are numbered in the order in which they begin. */
function numberOf({ id }: FinishedExchange): number {
  return Number(id.slice(1));
}
