import type Dockerode from 'dockerode';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildContext, contextFiles } from './build-context.ts';
import { dockerode, progressOf } from './dockerode/client.ts';
import { containers } from './dockerode/containers.ts';
import { images } from './dockerode/images.ts';
import { system } from './dockerode/system.ts';
import { type Door, Recording, told } from './recording.ts';
import { engineSocket, serveEngine } from './served-engine.ts';

describe('a day of dockerode', () => {
  const recording = new Recording(engineSocket());
  let stop = async () => {};
  let context = '';
  let door: Door;
  let docker: Dockerode;
  const api = () => docker;

  beforeAll(async () => {
    stop = await serveEngine();
    context = await buildContext();
    door = await recording.open();
    docker = dockerode(door);
    const built = await docker.buildImage({ context, src: ['Dockerfile', ...contextFiles] }, { t: 'day/app:1' });
    await progressOf(docker, built);
  });
  afterAll(async () => {
    await door?.close();
    await stop();
  });

  images(api, () => context);
  containers(api);
  system(api);

  // What `explain` tells of clients. Once it is right again: vitest run tests/clients -u
  test('the endpoints that it uses are those on record', async () => {
    await expect(told(recording.usage)).toMatchFileSnapshot('../../reports/clients/dockerode.json');
  });
});
