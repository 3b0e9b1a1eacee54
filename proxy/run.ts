import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fingerprinted } from '../harness/baseline/fingerprint.ts';
import type { ClientDeviation, Result, RunEnded, RunEvent, RunHandler, RunStarted } from '../harness/events.ts';
import { Redactor } from '../harness/recording/redact.ts';
import { readSpilled, SpillWriter } from '../harness/runner/spill.ts';
import type { Address } from '../harness/target/address.ts';
import { identify } from '../harness/target/identify.ts';
import { type ApiWish, judgedVersions } from '../harness/target/judged-versions.ts';
import type { Target } from '../harness/target/target.ts';
import { undiciTransport } from '../harness/transport/undici-transport.ts';
import type { Rule } from '../specs/rule.ts';
import { holdsIn } from '../specs/versions.ts';
import { follow } from './follow.ts';
import { startProxy } from './server.ts';
import { Traffic } from './traffic.ts';

export interface ProxyRunOptions {
  readonly listen: Address;
  readonly upstream: Address;
  readonly dialect: string;
  /** The versions to judge; by default every one of the contract that the daemon serves. */
  readonly apis?: readonly ApiWish[];
  readonly rules: readonly Rule[];
  /** Bound of each exchange that identifies the daemon, in milliseconds. */
  readonly timeoutMs: number;
  readonly tool: RunStarted['tool'];
  /** Handlers of the run; they get the verdicts when it ends. */
  readonly handlers: readonly RunHandler[];
  /** Follows the traffic as it passes. */
  readonly live: LiveTraffic;
  /** Ends the run, which does not end in any other way. */
  readonly signal: AbortSignal;
  /** Keeps every exchange for the handlers, not only those behind a verdict. */
  readonly keepAll?: boolean;
}

/** Informed about traffic as it passes. */
export interface LiveTraffic {
  /** @param address where clients may connect */
  listening(address: string, target: Target): void;
  /** A daemon breaks a rule in a version for the first time, or more seriously than before. */
  violated(result: Result): void;
  clientDeviated(deviation: ClientDeviation): void;
  say(line: string): void;
}

/**
 * Passes the traffic of clients to a daemon and judges it, until it is told to end.
 * @throws TargetUnreachable when the daemon does not answer at the start
 * @throws UsageError when it cannot listen, or the daemon serves none of the contract's versions
 */
export async function runProxy(options: ProxyRunOptions): Promise<RunEnded> {
  const startedAt = Date.now();
  const { rules, live, signal, tool, upstream } = options;
  const target = await identifyUpstream(options);
  const apis = judgedVersions(options.apis ?? ['served'], target.serves);
  const directory = await mkdtemp(path.join(tmpdir(), 'engine-conformance-proxy-'));
  const spillFile = path.join(directory, 'exchanges.ndjson');
  const spilled = new SpillWriter(spillFile);
  const redactor = new Redactor();
  const clean = (result: Result) => withoutSecrets(result, redactor);
  const traffic = new Traffic({
    target,
    apis,
    rules,
    redactor,
    keepAll: options.keepAll === true,
    keep: (record) => spilled.write(() => record),
    violated: (result) => live.violated(clean(result)),
    clientDeviated: (deviation) => live.clientDeviated({ ...deviation, actual: redactor.text(deviation.actual) }),
    say: live.say,
  });
  const emit = async (event: RunEvent) => {
    for (const handler of options.handlers) await handler(event);
  };
  try {
    const proxy = await startProxy({
      listen: options.listen,
      upstream,
      observe: (connection) => follow(traffic, connection),
      say: live.say,
    });
    live.listening(proxy.address, target);
    if (!signal.aborted) await once(signal, 'abort');
    await proxy.close();
    spilled.close();
    // Only now is it known which versions had traffic; the others do not belong in a report.
    const seen = traffic.versions();
    await emit({
      type: 'run-started',
      tool,
      target: target.identity,
      apis: seen,
      seed: 0,
      startedAt: new Date(startedAt).toISOString(),
      total: rules.reduce((sum, rule) => sum + seen.filter((api) => holdsIn(rule, api)).length, 0),
    });
    for (const result of traffic.ledger.results(seen))
      await emit({ type: 'verdict', result: fingerprinted(clean(result)) });
    const ended: RunEnded = {
      type: 'run-ended',
      durationMs: Date.now() - startedAt,
      end: 'complete',
      endReason: '',
      exchanges: (wanted) => readSpilled(spillFile, wanted),
      traffic: traffic.facts(),
    };
    await emit(ended);
    return ended;
  } finally {
    spilled.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function identifyUpstream({ upstream, dialect, timeoutMs }: ProxyRunOptions): Promise<Target> {
  const transport = undiciTransport(upstream);
  try {
    return await identify(transport, upstream, dialect, timeoutMs, '--upstream');
  } finally {
    await transport.close();
  }
}

function withoutSecrets(result: Result, redactor: Redactor): Result {
  const { reason, expected, actual } = result;
  return { ...result, reason: redactor.text(reason), expected: redactor.text(expected), actual: redactor.text(actual) };
}
