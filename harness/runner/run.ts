import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { fingerprinted } from '../baseline/fingerprint.ts';
import type { Result, RunEnded, RunEvent } from '../events.ts';
import { plainResult } from '../verdict/plain-result.ts';
import { confirmFailures } from './confirm.ts';
import { judgedIn } from './judged-in.ts';
import type { CheckTest, Finished } from './messages.ts';
import type { RunOptions } from './options.ts';
import { paceOn } from './pace.ts';
import { readSpilled, SpillIndex } from './spill.ts';
import { type Stage, setStage } from './stage.ts';
import { type CheckWorker, startWorker } from './worker.ts';

/**
 * Judges a target: finds out what it is, loads the probe image, runs the checks, removes what was made, and reports
 * everything to the handlers as one stream of events.
 * @throws TargetUnreachable when nothing answers there
 * @throws UsageError when the target serves none of the contract's versions
 */
export async function run(asked: RunOptions): Promise<RunEnded> {
  // It loads the suites while the daemon is identified.
  const worker = startWorker(asked.entry, asked.rules);
  try {
    return await runOn(worker, asked);
  } finally {
    await worker.close();
  }
}

async function runOn(worker: CheckWorker, asked: RunOptions): Promise<RunEnded> {
  const started = Date.now();
  const events = new EventQueue(asked);
  const stage = await setStage(asked);
  const { concurrency, why: slow } = asked.paced
    ? paceOn(stage.target, asked.concurrency, asked.timeoutMs)
    : { concurrency: asked.concurrency };
  const options = { ...asked, apis: stage.apis, concurrency };
  try {
    const pending = new Pending(options, stage.target.serves);
    const { spillFile } = stage.plan('run', []);
    const index = new SpillIndex(spillFile);
    events.emit({
      type: 'run-started',
      tool: options.tool,
      target: stage.target.identity,
      apis: options.apis,
      seed: options.seed,
      startedAt: new Date(started).toISOString(),
      total: pending.size,
      ...(options.settings && { settings: { ...options.settings, concurrency } }),
      ...(slow !== undefined && { slow }),
      exchange: (id) => index.read(id),
    });
    const end = await judgeAll({ stage, worker }, options, pending, events);
    const left = await stage.clean(end.end === 'lost');
    if (left.length > 0) events.emit({ type: 'clean-up', left });
    const ended: RunEnded = {
      type: 'run-ended',
      durationMs: Date.now() - started,
      ...end,
      exchanges: (wanted) => readSpilled(spillFile, wanted),
    };
    events.emit(ended);
    await events.drained();
    return ended;
  } finally {
    await stage.close();
  }
}

/** Options once it is known which versions the target serves. */
type SettledOptions = RunOptions & { readonly apis: readonly ApiVersion[] };

type End = Pick<RunEnded, 'end' | 'endReason'>;

async function judgeAll(
  { stage, worker }: { readonly stage: Stage; readonly worker: CheckWorker },
  options: SettledOptions,
  pending: Pending,
  events: EventQueue,
): Promise<End> {
  const judged: Result[] = [];
  const verdict = (decided: Result) => {
    const result = fingerprinted(decided);
    judged.push(result);
    events.emit({ type: 'verdict', result });
  };
  for (const result of pending.notServed(stage.target.serves)) verdict(result);
  let lost = '';
  const finished = (test: Finished) => {
    const result = test.result ?? pending.withoutResult(test);
    if (test.lost !== undefined && lost === '') {
      lost = test.lost;
      events.emit({ type: 'target-lost', after: result.rule, reason: lost });
    }
    if (test.death !== undefined) events.emit({ type: 'target-restarted', after: result.rule, reason: test.death });
    pending.done(result);
    verdict(result);
  };
  const plan = stage.plan('run', options.rules);
  const collected = (tests: readonly CheckTest[]) => pending.expect(tests);
  const outcome = await worker.run(plan, options, { collected, finished });
  const end = endOf(outcome, lost, options.signal);
  for (const result of pending.rest(end)) verdict(result);
  const { confirm } = options;
  if (confirm && end.end === 'complete') {
    const failed = judged.filter((result) => result.verdict === 'fail' && confirm.which(result));
    await confirmFailures(stage, options, { judged, failed, rounds: confirm.rounds }, (result) =>
      events.emit({ type: 'confirmed', result }),
    );
  }
  return end;
}

function endOf(
  outcome: { interrupted: boolean; problems: readonly string[] },
  lost: string,
  signal: AbortSignal | undefined,
): End {
  if (outcome.problems.length > 0) return { end: 'failed', endReason: outcome.problems.join('; ') };
  if (lost !== '') return { end: 'lost', endReason: lost };
  if (outcome.interrupted) {
    const reason: unknown = signal?.reason;
    return { end: 'interrupted', endReason: typeof reason === 'string' ? reason : 'interrupted by the user' };
  }
  return { end: 'complete', endReason: '' };
}

/** The outstanding verdicts, so that no rule ends without one. */
class Pending {
  readonly #wanted = new Map<string, { rule: Rule; api: ApiVersion }>();
  /** The rules and versions that have a check; undefined until the checks are known. */
  #checked: ReadonlySet<string> | undefined;

  /** @param serves the versions that the target serves */
  constructor(options: SettledOptions, serves: readonly ApiVersion[]) {
    for (const id of options.rules.filter(isRuleId)) {
      const rule: Rule = rulebook[id];
      for (const api of judgedIn(rule, { ...options, serves })) this.#wanted.set(key(id, api), { rule, api });
    }
  }

  get size(): number {
    return this.#wanted.size;
  }

  /** The tests that will run; the other rules have no check. */
  expect(tests: readonly CheckTest[]): void {
    this.#checked = new Set(tests.map(({ rule, api }) => key(rule, api)));
  }

  done(result: Result): void {
    this.#wanted.delete(key(result.rule, result.api));
  }

  /** Removes and returns the verdicts for versions that the target does not serve. */
  *notServed(serves: readonly ApiVersion[]): Iterable<Result> {
    for (const { rule, api } of [...this.#wanted.values()]) {
      if (serves.includes(api)) continue;
      this.#wanted.delete(key(rule.id, api));
      yield plainResult(rule, api, 'skip', `the target does not serve API version ${api}`);
    }
  }

  /** A test without a result of its own: it was never run, or the kit failed in it. */
  withoutResult(test: Finished): Result {
    const entry = this.#wanted.get(key(test.rule, test.api));
    if (!entry) throw new Error(`an unexpected test ended: ${test.rule} in ${test.api}`);
    if (test.problem !== '') return plainResult(entry.rule, entry.api, 'error', test.problem);
    const reason = test.begun ? 'the run was ended during this check' : 'the run ended before this check';
    return plainResult(entry.rule, entry.api, 'blocked', reason);
  }

  /** The rest: rules without a check, and those not reached in a run that ended early. */
  *rest({ end, endReason }: End): Iterable<Result> {
    for (const { rule, api } of this.#wanted.values()) {
      const isChecked = this.#checked ? this.#checked.has(key(rule.id, api)) : rule.unchecked === undefined;
      if (isChecked && end !== 'complete') {
        yield plainResult(rule, api, 'blocked', `the run ended before this check: ${endReason}`);
      } else {
        yield plainResult(rule, api, 'untested', rule.unchecked ?? 'no check decides this rule');
      }
    }
  }
}

function key(rule: string, api: ApiVersion): string {
  return `${rule} ${api}`;
}

/** Hands events to the handlers in order; a slow handler does not hold up the checks. */
class EventQueue {
  readonly #handlers: RunOptions['handlers'];
  #last: Promise<void> = Promise.resolve();

  constructor({ handlers }: RunOptions) {
    this.#handlers = handlers;
  }

  emit(event: RunEvent): void {
    this.#last = this.#last.then(async () => {
      for (const handler of this.#handlers) await handler(event);
    });
    // `drained` reports a failing handler, rather than an unhandled rejection in between.
    this.#last.catch(() => {});
  }

  /** @throws what a handler threw */
  drained(): Promise<void> {
    return this.#last;
  }
}
