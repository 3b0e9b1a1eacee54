import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunEvent } from '../../harness/events.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { lookedAt } from '../../harness/target/looked-at.ts';
import type { Target } from '../../harness/target/target.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { documentedVersions } from '../../specs/versions.ts';
import { engineAt } from './engines.ts';
import { proxyTo } from './proxy.ts';
import { optionsFor } from './run-options.ts';
import { newSocketPath } from './servers.ts';

/** Runs some rules. @returns what the daemon was asked, without version prefix and query, and what the run told */
async function asked(rules: readonly string[], { dies }: { readonly dies?: RegExp } = {}) {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const requests: string[] = [];
  const target = await proxyTo(parseAddress(`unix://${socketPath}`), {
    before: ({ request: { method, url = '' }, answer }) => {
      requests.push(`${method} ${url.replace(/^\/v[\d.]+/, '').replace(/\?.*/, '')}`);
      if (!dies?.test(url)) return false;
      answer.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"no"}');
      return true;
    },
  });
  const events: RunEvent[] = [];
  await run({ ...optionsFor(target, rules), handlers: [(event) => void events.push(event)] });
  const results = events.flatMap((event) => (event.type === 'verdict' ? [event.result] : []));
  const lacks = events.flatMap((event) => (event.type === 'run-started' ? [event.target.lacks] : []))[0];
  return { times: (request: string) => requests.filter((one) => one === request).length, results, lacks };
}

const load = 'POST /images/load';
const create = 'POST /containers/create';

describe('of a target', () => {
  test('is tried nothing that the chosen rules do not need, and it is asked once who it is', async () => {
    const { times, results, lacks } = await asked(['system.ping.answers-200']);
    expect(results.map(({ verdict }) => verdict)).toEqual(documentedVersions.map(() => 'pass'));
    expect([times(load), times(create), times('GET /version'), times('GET /info')]).toEqual([0, 0, 1, 1]);
    // What the user says, or does not say, costs no request.
    expect(Object.keys(lacks ?? {}).toSorted()).toEqual(['cors-origin', 'hostile', 'token-user']);
  });

  test('are tried containers where a rule needs them', async () => {
    const { times, results, lacks } = await asked(['containers.stop.answers-204', 'system.ping.answers-200']);
    expect(results.map(({ verdict }) => verdict)).toEqual(
      [...documentedVersions, ...documentedVersions].map(() => 'pass'),
    );
    // One to see that containers run, one on the network of the host, and one for each version of the check.
    expect([times(load), times(create)]).toEqual([1, 2 + documentedVersions.length]);
    expect(Object.keys(lacks ?? {})).not.toContain('privileged');
  });

  test('gets the probe image once when a check wants it whose rule needs nothing', async () => {
    const { times, results } = await asked(['containers.inspect.id-or-name']);
    expect(results.map(({ verdict }) => verdict)).toEqual(documentedVersions.map(() => 'pass'));
    expect([times(load), times(create)]).toEqual([1, documentedVersions.length]);
  });

  test('that takes no image every check that names it is blocked for that', async () => {
    const { results } = await asked(['containers.inspect.id-or-name'], { dies: /\/images\/(?:load|create)|\/build/ });
    expect(results.map(({ verdict }) => verdict)).toEqual(documentedVersions.map(() => 'blocked'));
    expect(results[0]?.reason).toMatch(
      /the probe image could not be loaded: load answered 500, .* import .*500, .* build .*500, .* pull .*500/,
    );
  });

  test('it is known what somebody looks at that was not tried', () => {
    const untried = 'it was not tried, as no chosen rule needs it';
    const lacks = { networking: untried, privileged: 'no', journald: untried };
    const target = { ...engineAt(parseAddress('unix:///nowhere')).engine.target, lacks };
    const look = ({ lacks }: Target) => [lacks.networking, lacks.privileged, lacks.freezer];
    expect(lookedAt(target, look)).toEqual(['networking']);
    expect(lookedAt(target, () => {})).toEqual([]);
  });
});
