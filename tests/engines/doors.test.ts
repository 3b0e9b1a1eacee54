import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAddress } from '../../harness/target/address.ts';
import { type Refusal, refusals } from '../serving/door.ts';
import { doorBefore } from '../serving/doors.ts';
import { endpointsOf, type Family, without } from '../serving/families.ts';
import { expectOnlyAbsence, idsOf, judged, sample } from '../serving/judged.ts';
import type { Daemon } from './daemon.ts';
import { dockerd } from './dockerd.ts';

const reason = dockerd.unavailable();
const baseline = fileURLToPath(new URL('../../baselines/dockerd-20.10.yaml', import.meta.url));

/** That the rest is judged as ever, each family by itself, the tests behind doors of the reference engine show. */
describe('of a daemon behind a door that is shut to', () => {
  if (reason !== undefined) {
    test('some families', ({ skip }) => skip(`dockerd cannot be had: ${reason}`));
    return;
  }

  let daemon: Daemon;

  beforeAll(async () => {
    daemon = await dockerd.start();
  });

  afterAll(() => daemon?.stop());

  test.each<readonly [string, readonly Family[], Refusal]>([
    ['load and what makes images', ['load', 'build'], refusals['a 405']],
    ['streams', ['events', 'attach', 'exec', 'logs', 'stats'], refusals['a 501']],
    ['other things', ['networks', 'volumes', 'archive', 'info'], refusals['a 404 in text']],
    ['running containers', ['running containers'], refusals['a 404 as dockerd']],
  ])('%s each absent endpoint is told once, and the rest is judged', async (_, families, refusal) => {
    const door = await doorBefore(parseAddress(daemon.socket), without(families), refusal);
    const { results, left } = await judged(door, [...sample, '--baseline', baseline]);
    expectOnlyAbsence(results, endpointsOf(families));
    expect(idsOf(results, 'pass').length).toBeGreaterThan(10);
    expect(left).toEqual([]);
  });
});
