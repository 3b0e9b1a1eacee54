import { expect, test } from 'vitest';
import { type ContainerOptions, createBody } from '../../harness/engine/containers.ts';
import type { Target } from '../../harness/target/target.ts';
import { around, resultsOf } from '../generated/planted.ts';
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

test('a target whose logs do not come at all is judged as ever', async () => {
  around('GET /containers/{id}/json', (call, answer) => {
    const whole = call.answer.bind(call);
    call.answer = (status, value) => {
      const { HostConfig, ...rest } = Object(value);
      whole(status, { ...rest, HostConfig: { ...HostConfig, LogConfig: { Type: 'own', Config: {} } } });
    };
    return answer();
  });
  around('GET /containers/{id}/logs', (call) => void call.res.destroy());
  const rule = 'containers.start.answers-204';
  expect((await resultsOf([rule], '1.23')).get(rule)).toMatchObject({ verdict: 'pass' });
});
