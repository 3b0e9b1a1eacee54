import { AsyncLocalStorage } from 'node:async_hooks';
import type { LaterForm, Rule } from '../../specs/rule.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import type { Generated } from '../property/generation.ts';

/** What one run of a check has asserted so far, and on which exchanges. */
export class Judgement {
  /** The version under test; undefined outside a check. */
  readonly api: ApiVersion | undefined;
  assertions = 0;
  readonly observations: string[] = [];
  /** What a reader of a pass should know. */
  readonly notes: string[] = [];
  /** How a generated test failed. */
  generated: Generated | undefined;
  readonly #evidence = new Set<string>();
  readonly #unused = new Set<string>();

  constructor(api?: ApiVersion) {
    this.api = api;
  }

  /** An expectation was created; it has to be used before the check ends. */
  expecting(what: string): () => void {
    this.#unused.add(what);
    return () => this.#unused.delete(what);
  }

  asserted(evidence: readonly string[]): void {
    this.assertions++;
    this.judged(evidence);
  }

  judged(evidence: readonly string[]): void {
    for (const id of evidence) {
      // The decisive exchange comes last.
      this.#evidence.delete(id);
      this.#evidence.add(id);
    }
  }

  get evidence(): string[] {
    return [...this.#evidence];
  }

  get unused(): string[] {
    return [...this.#unused];
  }
}

const current = new AsyncLocalStorage<Judgement>();

export function withJudgement<T>(judgement: Judgement, run: () => T): T {
  return current.run(judgement, run);
}

const besides = new AsyncLocalStorage<LaterForm | undefined>();

/** Judges by a rule in a version: what a row of Document 4 additionally allows there passes. */
export function judgingBy<T>({ later }: Pick<Rule, 'later'>, api: ApiVersion | undefined, run: () => T): T {
  const allowed = later && api && atLeast(api, later.since) ? later : undefined;
  // A store that is used once makes every promise dearer from then on, and most runs need none.
  return allowed === passesBesides() ? run() : besides.run(allowed, run);
}

/** What the version allows in addition to the judged rule. */
export function passesBesides(): LaterForm | undefined {
  return besides.getStore();
}

/** The judgement of the running check. @throws outside a check */
export function currentJudgement(): Judgement {
  const judgement = current.getStore();
  if (!judgement) throw new Error('expect was called outside of a check');
  return judgement;
}
