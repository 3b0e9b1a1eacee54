import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { atLeast } from '../../../specs/versions.ts';

/** A create body with the run's labels, where the version has them. */
export function volumeBody(engine: Engine, name: string, members: object = {}): object {
  return { Name: name, ...(atLeast(engine.api, '1.23') && { Labels: engine.sandbox.labels }), ...members };
}

/** Sends create, to be judged. The volume is removed when the check ends. */
export function createVolume(engine: Engine, name: string, members: object = {}): Promise<Exchange> {
  return engine.post('/volumes/create', { json: volumeBody(engine, name, members) });
}

/** Makes a volume and gives its name. @throws Blocked when it is not made */
export async function makeVolume(engine: Engine): Promise<string> {
  const name = engine.name('volume');
  await given(createVolume(engine, name), 201);
  return name;
}

/** Makes a container that has a volume at /data. */
export function containerWith(engine: Engine, volume: string, run?: readonly string[]): Promise<Container> {
  return makeContainer(engine, { hostConfig: { Binds: [`${volume}:/data`] }, ...(run && { run, state: 'exited' }) });
}

export function volumePath(name: string): string {
  return `/volumes/${encodeURIComponent(name)}`;
}
