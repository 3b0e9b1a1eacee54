import { expect, test } from 'vitest';
import { type ContainerOptions, makeContainer } from '../../harness/engine/containers.ts';
import { engineAt } from './engines.ts';
import { httpServer } from './servers.ts';

/** The network that a daemon is asked to give to a container. */
async function networkOf(options: ContainerOptions, sharesHostNetwork: boolean): Promise<unknown> {
  const address = await httpServer((request, answer) => {
    const isCreate = request.url?.includes('/containers/create') ?? false;
    answer.writeHead(isCreate ? 201 : 204).end(isCreate ? '{"Id":"abc","Warnings":null}' : '');
  });
  const { engine, records } = engineAt(address, { sharesHostNetwork });
  await makeContainer(engine, options);
  const body: unknown = JSON.parse(records[0]?.request.body?.text ?? '');
  return Object(Object(body).HostConfig).NetworkMode;
}

test.each<[string, ContainerOptions, unknown]>([
  ['that runs', { state: 'running' }, 'host'],
  ['that runs with other settings', { state: 'running', hostConfig: { Memory: 8_388_608 } }, 'host'],
  ['that is created only', {}, undefined],
  ['whose network is looked at', { state: 'running', network: 'own' }, undefined],
  ['with a network', { state: 'running', hostConfig: { NetworkMode: 'none' } }, 'none'],
  ['with a published port', { state: 'running', hostConfig: { PortBindings: {} } }, undefined],
  ['with a name of its host', { state: 'running', config: { Hostname: 'ec' } }, undefined],
])('a container %s', async (_which, options, network) => {
  expect(await networkOf(options, true)).toBe(network);
});

test('where the target cannot share that of its host, each container has its own', async () => {
  expect(await networkOf({ state: 'running' }, false)).toBeUndefined();
});
