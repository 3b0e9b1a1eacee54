import { probeImage } from '../../harness/probe/image.ts';
import type { DaemonClient } from './client.ts';

const api = '/v1.41';
const image = 'foreign:1';

/**
 * Fills a daemon with what a user may have there: containers in several states, a volume in use and an unused one,
 * a network, two images. One image is the probe image, and names look like those of the suite, so that neither contents
 * nor a prefix can pass for ownership.
 */
export async function makeForeign(client: DaemonClient): Promise<void> {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const probe = await probeImage({ architecture, tag: image });
  const other = await probeImage({ architecture, tag: 'ec-foreign:1', labels: { of: 'a user' } });
  for (const { tar } of [probe, other]) await client.json('POST', `${api}/images/load?quiet=1`, tar);
  await client.json('POST', `${api}/volumes/create`, { Name: 'ec-foreign-used' });
  await client.json('POST', `${api}/volumes/create`, { Name: 'foreign-unused' });
  await client.json('POST', `${api}/networks/create`, { Name: 'ec-foreign' });

  await create(client, 'ec-foreign', { HostConfig: { Binds: ['ec-foreign-used:/data'], NetworkMode: 'ec-foreign' } });
  await create(client, 'foreign-running');
  await change(client, 'foreign-running', 'start');
  await create(client, 'foreign-stopped', { Cmd: ['out', 'hello', 'exit', '3'] });
  await change(client, 'foreign-stopped', 'start');
  await change(client, 'foreign-stopped', 'wait');
  await create(client, 'ec-foreign-paused', { Image: 'ec-foreign:1' });
  await change(client, 'ec-foreign-paused', 'start');
  await change(client, 'ec-foreign-paused', 'pause');
}

function create(client: DaemonClient, name: string, settings: object = {}): Promise<unknown> {
  return client.json('POST', `${api}/containers/create?name=${name}`, { Image: image, Cmd: ['forever'], ...settings });
}

function change(client: DaemonClient, name: string, action: string): Promise<unknown> {
  return client.json('POST', `${api}/containers/${name}/${action}`);
}
