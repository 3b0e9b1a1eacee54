import { expect, onTestFinished, vi } from 'vitest';
import type { Result, RunHandler } from '../../harness/events.ts';
import type { Generated } from '../../harness/property/generation.ts';
import type { RunOptions } from '../../harness/runner/options.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { endpoints } from '../../reference/endpoints.ts';
import type { Call } from '../../reference/http/call.ts';
import type { Route } from '../../reference/http/routes.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { type ApiVersion, carriedVersions, documentedVersions, isDocumented } from '../../specs/versions.ts';
import { bundled } from '../bundle-suites.ts';
import { optionsFor } from '../harness/run-options.ts';
import { newSocketPath } from '../harness/servers.ts';

/** Puts a bug around what answers an endpoint of the reference engine, until the test ends. */
export function around(
  title: string,
  bug: (call: Call, answer: () => void | Promise<void>) => void | Promise<void>,
): void {
  const routes: Route[] = endpoints as Route[];
  const place = routes.findIndex(([method, path]) => `${method} ${path}` === title);
  const route = routes[place];
  if (!route) throw new Error(`the engine has no endpoint ${title}`);
  routes[place] = [route[0], route[1], (call) => bug(call, () => route[2](call))];
  onTestFinished(() => {
    routes[place] = route;
  });
}

/** Undoes the bugs that were put into classes with `vi.spyOn`. */
export function undone(): void {
  onTestFinished(() => void vi.restoreAllMocks());
}

/** What properties come to on one reference engine, with the default number of runs. */
export async function resultsOf(
  properties: readonly string[],
  api: ApiVersion,
  more: Pick<Partial<RunOptions>, 'known' | 'maxMs' | 'seed'> = {},
): Promise<ReadonlyMap<string, Result>> {
  const socketPath = newSocketPath();
  const serves = isDocumented(api) ? documentedVersions : carriedVersions;
  const engine = await startReferenceEngine({ listen: { socketPath }, serves });
  onTestFinished(() => engine.close());
  const results = new Map<string, Result>();
  const entry = bundled('suites/entry.ts');
  const handler: RunHandler = (event) => {
    if (event.type === 'verdict') results.set(event.result.rule, event.result);
  };
  const options = { entry, apis: [api], handlers: [handler], ...more };
  await run(optionsFor(parseAddress(`unix://${socketPath}`), properties, options));
  return results;
}

/** Expects the same verdict of all these rules on one reference engine. The message has the reason of another. */
export async function expectVerdicts(
  verdict: 'pass' | 'fail',
  api: ApiVersion,
  rules: readonly RuleId[],
  more: Pick<Partial<RunOptions>, 'seed'> = {},
): Promise<void> {
  const results = await resultsOf(rules, api, more);
  for (const rule of rules) {
    const result = results.get(rule);
    expect(result?.verdict, `${rule} in ${api}: ${result?.reason ?? ''}`).toBe(verdict);
  }
}

/** How a property fails on the reference engine. */
export async function failureOf(
  property: RuleId,
  api: ApiVersion = '1.23',
  more: Pick<Partial<RunOptions>, 'seed'> = {},
): Promise<Generated | undefined> {
  const result = (await resultsOf([property], api, more)).get(property);
  if (result?.verdict !== 'fail') throw new Error(`${property} is ${result?.verdict}: ${result?.reason}`);
  return result.generated;
}
