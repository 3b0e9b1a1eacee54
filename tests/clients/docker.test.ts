import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildContext } from './build-context.ts';
import { Docker, whyNoDocker } from './docker/command.ts';
import { containers } from './docker/containers.ts';
import { files } from './docker/files.ts';
import { images } from './docker/images.ts';
import { places } from './docker/places.ts';
import { registries } from './docker/registries.ts';
import { streams } from './docker/streams.ts';
import { system } from './docker/system.ts';
import { Recording, told } from './recording.ts';
import { engineSocket, serveEngine } from './served-engine.ts';

const missing = whyNoDocker();
const title = "a day of Debian's docker command line";

describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (skipped: ${missing})`, () => {
  const recording = new Recording(engineSocket());
  const docker = new Docker(recording);
  let context = '';
  let stop = async () => {};

  beforeAll(async () => {
    stop = await serveEngine();
    context = await buildContext();
    await docker.ok('build -t day/app:1', context);
  });
  afterAll(() => stop());

  images(docker, () => context);
  containers(docker);
  streams(docker);
  files(docker);
  places(docker);
  system(docker);
  registries(docker);

  // What `explain` tells of clients. Once it is right again: vitest run tests/clients -u
  test('the endpoints that it uses are those on record', async () => {
    await expect(told(recording.usage)).toMatchFileSnapshot('../../reports/clients/docker.json');
  });
});
