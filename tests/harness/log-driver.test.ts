import { expect, test } from 'vitest';
import { type ContainerOptions, createBody } from '../../harness/engine/containers.ts';
import type { Target } from '../../harness/target/target.ts';
import { engineAt } from './engines.ts';
import { httpServer } from './servers.ts';

/** The settings that a daemon is asked to give to a container. */
async function hostConfigOf(options: ContainerOptions, logsTo: Target['logsTo']): Promise<unknown> {
  const address = await httpServer((_request, answer) => void answer.end());
  return createBody(engineAt(address, { logsTo }).engine, options).HostConfig;
}

const asked = { LogConfig: { Type: 'json-file', Config: {} } };

test('where the default logging driver keeps no log to be read, a container asks for one that does', async () => {
  expect(await hostConfigOf({}, 'json-file')).toEqual(asked);
  expect(await hostConfigOf({ hostConfig: { Memory: 1 } }, 'json-file')).toEqual({ Memory: 1, ...asked });
});

test('a container that asks for a logging driver of its own gets that', async () => {
  const hostConfig = { LogConfig: { Type: 'none', Config: {} } };
  expect(await hostConfigOf({ hostConfig }, 'json-file')).toEqual(hostConfig);
});

test('elsewhere a container asks for nothing', async () => {
  expect(await hostConfigOf({}, undefined)).toBeUndefined();
  expect(await hostConfigOf({ hostConfig: {} }, undefined)).toEqual({});
});
