import { expect } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { statingRule } from '../../harness/serving/stating-rule.ts';
import type { Address } from '../../harness/target/address.ts';
import { type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import { holdsIn, newestDocumented } from '../../specs/versions.ts';
import { engineConformance } from '../cli/command.ts';
import { validReport } from '../cli/report.ts';

/** The version in which engines behind doors are judged. */
const api = newestDocumented;

/** Some rules of each family, and some that need none or several of them. */
export const sample = [
  ...['versioning.newer-client-every-call', 'versioning.same-volume', 'system.*.answers-200'],
  ...['list.answers-200', 'inspect.answers-200', 'create.answers-201', 'start.answers-204', 'stop.answers-204'].map(
    (name) => `containers.${name}`,
  ),
  ...['restart.answers-204', 'remove.v-*', 'logs.std*', 'logs.id-or-name', 'stats.answers-200'].map(
    (name) => `containers.${name}`,
  ),
  ...[
    'attach.id-or-name',
    'attach-ws.h*',
    'archive-*.answers-200',
    'archive-*.unknown*',
    'export.answers-200',
    'export.unknown*',
    'copy.answers*',
  ].map((name) => `containers.${name}`),
  ...['containers.create.host-config.cgroup-parent-*', 'exec.create.field.*', 'exec.start.exec-id', 'exec.*.answers-*'],
  ...['volumes.*.answers-*', 'networks.*.answers-*', 'networks.connect.unknown*'],
  ...[
    'events.answers-200',
    'events.kind.container.start',
    'images.load.answers-200',
    'images.load.image-there',
    'images.build.answers-200',
    'images.build.error*',
  ],
  ...[
    'images.create.*answers-*',
    'images.list.all*',
    'images.inspect.*',
    'images.push.tag',
    'images.commit.answers-201',
  ],
].flatMap((pattern) => ['--only', pattern]);

let runs = 0;

/** Judges an engine. */
export async function judged(address: Address, more: readonly string[] = []) {
  const report = `run-${++runs}`;
  const options = ['--api', api, '--seed', '7', '--report', report, '--quiet', ...more];
  const { status, stderr } = await engineConformance(['run', '--target', address.text, ...options]);
  const { results, left } = validReport(report);
  return { status, stderr, results, left };
}

/** The rules with some verdicts, in order. */
export const idsOf = (results: readonly Result[], ...verdicts: readonly string[]) =>
  results
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ rule }) => rule)
    .toSorted();

/** The rules by which it is told that these endpoints are not served. */
export const statingOf = (endpoints: readonly Endpoint[]) =>
  endpoints
    .filter((endpoint) => holdsIn(endpoint, api))
    .map((endpoint) => statingRule(endpoint, api)?.id)
    .toSorted();

/** What no run on the reference engine judges, whatever it serves. */
const alwaysSkipped =
  /^(?:the suite does not know|no token server|hostile requests are not|nothing that the run asked)/;

/** What is said of a run behind a door: one failure for each absent endpoint, one line for what needs it, and no more. */
export function expectOnlyAbsence(results: readonly Result[], absent: readonly Endpoint[]): void {
  expect(idsOf(results, 'error', 'blocked')).toEqual([]);
  expect(idsOf(results, 'fail')).toEqual(statingOf(absent));
  for (const result of results.filter(({ verdict }) => verdict === 'fail')) {
    expect(result.expected).toBe(`${result.endpoint} to be served`);
    expect(result.evidence).toHaveLength(1);
  }
  const titles = absent.map(endpointTitle);
  const strange = results
    .filter(({ verdict, reason }) => verdict === 'skip' && !alwaysSkipped.test(reason))
    .filter(({ reason }) => reason.includes('\n') || !titles.some((title) => reason.includes(title)));
  expect(strange.map(({ rule, reason }) => `${rule}: ${reason}`)).toEqual([]);
}
