import { describe, expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { type IsRefused, type Refusal, refusals } from './door.ts';
import { doorBefore, wholeEngine } from './doors.ts';
import { endpointsOf, type Family, without } from './families.ts';
import { expectOnlyAbsence, idsOf, judged, sample, statingOf } from './judged.ts';

/** Only what hangs may come near it. */
const patientMs = 600_000;

/** Judges the reference engine behind a door that refuses some families, or what it is told to. */
async function judgedWithout(
  refused: readonly Family[] | IsRefused,
  refusal: Refusal = refusals['a 404 as dockerd'],
  more: readonly string[] = sample,
) {
  const isRefused = typeof refused === 'function' ? refused : without(refused);
  return judged(await doorBefore(await wholeEngine(), isRefused, refusal), more);
}

let whole: ReadonlyMap<string, Result> = new Map();

describe('of an engine behind a door that is shut to', () => {
  test(
    'nothing every rule is kept',
    async () => {
      // Behind a door as the others.
      const { results, status } = await judgedWithout(() => false);
      whole = new Map(results.map((result) => [`${result.rule}@${result.api}`, result]));
      expect(idsOf(results, 'fail', 'error', 'blocked')).toEqual([]);
      expect(status).toBe(0);
    },
    patientMs,
  );

  test.each<readonly [Family, Refusal]>([
    ['load', refusals['a 404 as dockerd']],
    ['import and pull', refusals['a 501']],
    ['build', refusals['a 405']],
    ['events', refusals['a 404 without a body']],
    ['attach', refusals['a 404 in text']],
    ['exec', refusals['a 404 as dockerd']],
    ['networks', refusals['a 405']],
    ['volumes', refusals['a 501']],
    ['logs', refusals['a 404 without a body']],
    ['archive', refusals['a 404 without a body']],
    ['stats', refusals['a 404 in text']],
    ['info', refusals['a 404 as dockerd']],
    ['running containers', refusals['a 501']],
  ])(
    '%s that is told once, and the rest is judged as ever',
    async (family, refusal) => {
      const { results, status, left } = await judgedWithout([family], refusal);
      const absent = endpointsOf([family]);
      expectOnlyAbsence(results, absent);
      expect(status).toBe(1);
      expect(left).toEqual([]);
      const changed = results.filter(
        ({ rule, api, verdict }) => verdict !== whole.get(`${rule}@${api}`)?.verdict && verdict !== 'skip',
      );
      expect(changed.map(({ rule }) => rule).toSorted()).toEqual(statingOf(absent));
      // What needs nothing of the family is judged.
      expect(idsOf(results, 'pass').length).toBeGreaterThan(10);
      expect(results).toHaveLength(whole.size);
    },
    patientMs,
  );

  test(
    'many families only these are told, by the whole run',
    async () => {
      const families = ['load', 'build', 'events', 'attach', 'exec', 'networks', 'volumes', 'stats'] as const;
      const { results, status, left } = await judgedWithout(families, refusals['a 404 in text'], []);
      expectOnlyAbsence(results, endpointsOf(families));
      expect(idsOf(results, 'pass').length).toBeGreaterThan(900);
      expect(left).toEqual([]);
      expect(status).toBe(1);
    },
    patientMs,
  );
});

test('what a door keeps from being removed is told', async () => {
  const isRemoval: IsRefused = (method, path) => method === 'DELETE' && /\/containers\//.test(path);
  const more = ['--only', 'containers.inspect.answers-200'];
  const { results, left } = await judgedWithout(isRemoval, refusals['a 404 as dockerd'], more);
  expect(idsOf(results, 'pass')).toEqual(['containers.inspect.answers-200']);
  expect(left).toContainEqual(expect.stringMatching(/^container ec-/));
}, 600_000);

describe('the probe image comes', () => {
  const onlyLogs = ['--only', 'containers.logs.stdout-true', '--only', 'containers.stop.answers-204'];
  const at =
    (...patterns: readonly RegExp[]): IsRefused =>
    (method, path) =>
      patterns.some((pattern) => pattern.test(`${method} ${path}`));
  const load = /^POST \S*\/images\/load/;
  const byImport = /^POST \S*\/images\/create\?.*fromSrc=-/;
  const byPull = /^POST \S*\/images\/create\?.*fromImage=/;
  const byBuild = /^POST \S*\/build/;

  test.each([
    ['by import', at(load, byPull, byBuild)],
    ['by a build', at(load, byImport, byPull)],
    ['by a pull', at(load, byImport, byBuild)],
  ])(
    '%s where nothing else is there',
    async (_way, isRefused) => {
      const { results, status, left } = await judgedWithout(isRefused, refusals['a 501'], onlyLogs);
      expect(idsOf(results, 'pass')).toEqual(['containers.logs.stdout-true', 'containers.stop.answers-204']);
      expect(status).toBe(0);
      expect(left).toEqual([]);
    },
    patientMs,
  );

  test(
    'from nowhere where nothing is there, which is told in one line that names it all',
    async () => {
      const { results } = await judgedWithout(at(load, byImport, byPull, byBuild), refusals['a 501'], onlyLogs);
      const reasons = new Set(results.map(({ verdict, reason }) => `${verdict} ${reason}`));
      expect([...reasons].filter((reason) => reason.includes('stop'))).toEqual([]);
      const [reason = ''] = results
        .filter(({ rule }) => rule === 'containers.stop.answers-204')
        .map((one) => one.reason);
      for (const way of ['load', 'import', 'build', 'pull']) expect(reason).toContain(`${way} answered 501`);
    },
    patientMs,
  );
});
