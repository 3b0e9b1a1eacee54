import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksOf } from '../../cli/checks.ts';
import { Registry } from '../../harness/registry/registry.ts';
import { allRules } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { workplace } from '../workplace.ts';
import { buildContext } from './build-context.ts';
import { Docker, whyNoDocker } from './docker/command.ts';
import { type FaultyDoor, faultyDoor } from './faulty-door.ts';
import { engineSocket, serveEngine } from './served-engine.ts';
import { commandsOn, type Tried, Trips } from './trips.ts';

const file = fileURLToPath(new URL('../../reports/clients/docker-trips.json', import.meta.url));
const missing = whyNoDocker();
const title = 'rules over which the docker command line trips';
/** Of so many rules one is measured again. All of them take minutes: MEASURE_TRIPS=all vitest run tests/clients/trips */
const sampled = 40;
const all = process.env.MEASURE_TRIPS === 'all';

describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (skipped: ${missing})`, () => {
  let door: FaultyDoor;
  let index: Registry;
  let trips: Trips;
  let stop = async () => {};

  beforeAll(async () => {
    stop = await serveEngine();
    door = await faultyDoor(engineSocket(), path.join(workplace, 'faulty.sock'));
    const found = { name: 'day/found', description: 'a find', is_official: false, is_automated: false, star_count: 3 };
    index = await Registry.start({ index: [found] });
    const docker = new Docker({ open: async () => ({ socketPath: door.socketPath, close: async () => {} }) });
    await docker.ok('build -q -t day/app:1', await buildContext());
    const steps = ['out', 'one\\n', 'write', '/data/new', 'x'];
    await docker.ok('create --name ended day/app:1 exit 0');
    await docker.ok('start ended');
    await docker.ok('create --name subject --label a=b -p 127.0.0.1:18081:80 day/app:1', ...steps, 'forever');
    await docker.ok('start subject');
    await docker.ok('wait ended');
    await docker.ok('volume create --label a=b kept');
    await docker.ok('network create street');
    trips = new Trips(docker, door, { NOW: `${Math.floor(Date.now() / 1000) + 1}`, INDEX: index.host });
  });
  afterAll(async () => {
    await Promise.all([door?.close(), index?.close()]);
    await stop();
  });

  test('what is on record', async () => {
    const record: Readonly<Record<string, Tried>> = JSON.parse(readFileSync(file, 'utf8'));
    const measurable = [...(await checksOf(allRules)).values()].filter(
      ({ rule }) => rule.endpoint && commandsOn[endpointTitle(rule.endpoint)],
    );
    const known = measurable.filter(({ rule }) => record[rule.id]);
    const chosen = all ? measurable : known.filter((_, place) => place % sampled === 0);
    const measured: Record<string, Tried> = {};
    for (const check of chosen) {
      const tried = await trips.of(check);
      if (tried) measured[check.rule.id] = tried;
    }
    expect(door.problems).toEqual([]);
    if (all) writeFileSync(file, `${JSON.stringify(measured, undefined, 2)}\n`);
    else
      for (const { rule } of chosen) expect({ [rule.id]: measured[rule.id] }).toEqual({ [rule.id]: record[rule.id] });
  }, 3_600_000);
});
