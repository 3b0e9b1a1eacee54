import { fixture } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { bringImage } from '../../images/support/probe-image.ts';
import { type Event, isAbout } from './event.ts';
import { listen, listenWith } from './listen.ts';

export interface LoadedImage {
  readonly name: string;
  /** The identifiers by which events may name it. */
  readonly ids: readonly string[];
}

/** Loads an image of the check's own, with further labels. @throws Blocked when it is not accepted */
export async function loadImage(engine: Engine, more: Readonly<Record<string, string>> = {}): Promise<LoadedImage> {
  const repository = engine.name('image');
  const name = `${repository}:latest`;
  engine.made({ kind: 'image', name });
  // A label of its own makes every image unique.
  const labels = { ...engine.sandbox.labels, 'ec.own': repository, ...more };
  const id = await bringImage(engine, name, labels);
  return { name, ids: [id, ...(await imageIds(engine, name))] };
}

/** Besides all events, a client with a filter gets only those of kind delete; whether it does is not judged yet. */
export const removedImage = fixture('the events of an image that is removed', async ({ engine }) => {
  const [listener, deletions] = await Promise.all([listen(engine), listenWith(engine, { event: ['delete'] })]);
  const image = await loadImage(engine);
  await removeImage(engine, image);
  return { listener, deletions, image };
});

/** A new repository for an image with the tag `ec`. */
export function newRepository(engine: Engine): string {
  const repo = engine.name('image');
  engine.made({ kind: 'image', name: `${repo}:ec` });
  return repo;
}

/** The identifier of an image from inspect; nothing when inspect fails, as it may while images come and go. */
export async function imageIds(engine: Engine, name: string): Promise<readonly string[]> {
  const inspect = await engine.get(`/images/${name}/json`);
  return inspect.status === 200 ? valuesAt(inspect.json, 'Id').map(String) : [];
}

/** Removes an image whose only name is this one. @throws Blocked when it is not removed */
export async function removeImage(engine: Engine, { name }: LoadedImage): Promise<void> {
  // A failed attempt may have had partial effect.
  await insist(() => engine.delete(`/images/${name}`), 200, 404);
}

/** Whether an event is about an image. */
export function ofImage({ name, ids }: LoadedImage): (event: Event) => boolean {
  return (event) => isAbout(event, name, ...ids);
}

/** A step that may fail while other images come and go. @throws Blocked */
async function insist(step: () => Promise<Exchange>, ...statuses: readonly number[]): Promise<void> {
  await given(
    lookUntil(step, ({ status }) => status < 500, 10_000),
    ...statuses,
  );
}
