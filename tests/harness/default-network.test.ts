import { expect, test } from 'vitest';
import { EngineError } from '../../reference/errors.ts';
import { around, resultsOf } from '../generated/planted.ts';

const patience = { timeout: 60_000 };

/** Containers start only where the network is one of these. */
function startsWith(...networks: readonly string[]): void {
  around('POST /containers/{id}/start', (call, answer) => {
    const { hostConfig } = call.engine.containers.get(call.param('id'));
    if (!networks.includes(hostConfig.NetworkMode)) throw new EngineError(500, 'there is no such network');
    return answer();
  });
}

async function verdictsOf(...rules: readonly string[]): Promise<Record<string, string>> {
  const results = await resultsOf(rules, '1.23');
  return Object.fromEntries([...results].map(([rule, { verdict, reason }]) => [rule, `${verdict} ${reason}`.trim()]));
}

const ofProcess = ['containers.logs.tail-number', 'containers.stop.answers-204'] as const;

test('what needs no network is judged where containers start on that of the host alone', patience, async () => {
  startsWith('host');
  const { 'containers.create.host-config.port-published': ports, ...others } = await verdictsOf(
    ...ofProcess,
    'containers.create.host-config.port-published',
  );
  expect(others).toEqual(Object.fromEntries(ofProcess.map((rule) => [rule, 'pass'])));
  expect(ports).toBe(
    'skip on the default network, a container of the probe image cannot be started: POST /containers/{id}/start answers 500 there is no such network',
  );
});

test('nothing that runs is judged where no container starts, for the reason of a plain one', patience, async () => {
  startsWith();
  expect(new Set(Object.values(await verdictsOf(...ofProcess)))).toEqual(
    new Set([
      'skip a container of the probe image cannot be started: POST /containers/{id}/start answers 500 there is no such network',
    ]),
  );
});
