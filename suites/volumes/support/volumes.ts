import { fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
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

/** A volume that is only read; whether create succeeded is not judged yet. */
export const plain = fixture('a volume that was created with a name', async ({ engine }) => {
  const name = engine.name('volume');
  return { name, answer: await createVolume(engine, name) };
});

/** Whether inspect succeeds is not judged yet, but create has. */
export const plainShown = fixture('the inspect answer of a volume', async ({ engine, use }) => {
  const { name, answer } = await use(plain);
  await given(Promise.resolve(answer), 201);
  return { name, inspect: await engine.get(volumePath(name)) };
});

/** Starts a container that has a volume at /data: what counts as in use is not stated, but that of a running process is. */
export function runWith(engine: Engine, volume: string): Promise<Container> {
  return makeContainer(engine, { hostConfig: { Binds: [`${volume}:/data`] }, state: 'running' });
}

/** Makes a container that has a volume at /data. */
export function containerWith(engine: Engine, volume: string, run?: readonly string[]): Promise<Container> {
  return makeContainer(engine, { hostConfig: { Binds: [`${volume}:/data`] }, ...(run && { run, state: 'exited' }) });
}

export function volumePath(name: string): string {
  return `/volumes/${encodeURIComponent(name)}`;
}

/** How long an engine may take to let go of what a removed container had. */
export const releasedMs = 2_000;

/**
 * Removes a volume that no container has any more, to be judged. It may count as used for a moment after its container
 * was removed: nothing says how soon it does not.
 */
export function removeFreed(engine: Engine, name: string): Promise<Exchange> {
  return lookUntil(
    () => engine.delete(volumePath(name)),
    ({ status }) => status !== 409,
    releasedMs,
  );
}
