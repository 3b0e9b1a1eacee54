import { onTestFinished } from 'vitest';
import type { ClientDeviation, RecordedExchange, Result, RunEnded, RunEvent, Traffic } from '../../harness/events.ts';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import type { ApiWish } from '../../harness/target/judged-versions.ts';
import { runProxy } from '../../proxy/run.ts';
import { allRules } from '../../specs/catalogue.ts';
import { newSocketPath } from '../harness/servers.ts';

/** A proxy in this process, which judges what passes. */
export interface Passing {
  /** Where clients connect. */
  readonly address: Address & { readonly kind: 'unix' };
  /** What it told while the traffic passed. */
  readonly violations: readonly Result[];
  readonly clients: readonly ClientDeviation[];
  readonly said: readonly string[];
  /** Ends it. */
  end(): Promise<Passed>;
}

interface Passed {
  readonly events: readonly RunEvent[];
  readonly traffic: Traffic;
  readonly exchanges: readonly RecordedExchange[];
  result(rule: string, api?: string): Result | undefined;
}

/** Starts a proxy before a daemon; it ends with the test. */
export async function passing(
  upstream: Address,
  socketPath = newSocketPath(),
  apis?: readonly ApiWish[],
): Promise<Passing> {
  const controller = new AbortController();
  const violations: Result[] = [];
  const clients: ClientDeviation[] = [];
  const said: string[] = [];
  const events: RunEvent[] = [];
  const exchanges: RecordedExchange[] = [];
  const gather = async (event: RunEvent) => {
    events.push(event);
    // They are gone when the run has ended.
    if (event.type === 'run-ended') for await (const exchange of event.exchanges()) exchanges.push(exchange);
  };
  let ended: Promise<RunEnded> | undefined;
  await new Promise<void>((resolve, reject) => {
    ended = runProxy({
      ...{ upstream, rules: allRules, dialect: 'auto', timeoutMs: 30_000 },
      ...(apis && { apis }),
      listen: parseAddress(`unix://${socketPath}`),
      tool: { name: 'engine-conformance', version: '0.0.0' },
      handlers: [gather],
      live: {
        listening: () => resolve(),
        violated: (result) => violations.push(result),
        clientDeviated: (deviation) => clients.push(deviation),
        say: (line) => said.push(line),
      },
      signal: controller.signal,
    });
    ended.catch(reject);
  });
  onTestFinished(async () => {
    controller.abort();
    await ended;
  });
  return {
    address: { kind: 'unix', text: `unix://${socketPath}`, socketPath },
    violations,
    clients,
    said,
    async end() {
      controller.abort();
      const traffic = (await ended)?.traffic;
      if (!traffic) throw new Error('the run told of no traffic');
      return {
        events,
        traffic,
        exchanges,
        result: (rule, api = '1.23') =>
          events
            .flatMap((event) => (event.type === 'verdict' ? event.result : []))
            .find((one) => one.rule === rule && one.api === api),
      };
    },
  };
}
