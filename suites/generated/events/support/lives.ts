import fc from 'fast-check';
import { makeContainer } from '../../../../harness/engine/containers.ts';
import type { Engine } from '../../../../harness/engine/engine.ts';
import { given } from '../../../../harness/engine/given.ts';
import { connect, makeInSubnet } from '../../../../harness/engine/networks.ts';
import { loadImage, removeImage } from '../../../events/support/event-images.ts';
import { makeVolume, removeFreed } from '../../../volumes/support/volumes.ts';

/** The kinds of objects that have events. */
export const kinds = ['container', 'image', 'volume', 'network'] as const;
export type Kind = (typeof kinds)[number];

/** The label that some of the things have, and its values. */
export const labelKey = 'ec.asked';
export const labelValues = ['a', 'b'] as const;

/** What happens to one thing from creation to removal. */
export interface Life {
  readonly kind: Kind;
  /** The label value of a container or an image. */
  readonly label: (typeof labelValues)[number] | null;
  /**
   * Whether more happens to it: a container is renamed, an image is tagged, a volume is mounted, a network is joined.
   */
  readonly changes: boolean;
  /** Whether a container is started. */
  readonly starts: boolean;
}

/** A thing that is gone, with its names. */
export interface Thing {
  readonly kind: Kind;
  /** The ids by which events may name it. */
  readonly ids: readonly string[];
  /** Every name that it had. */
  readonly names: readonly string[];
  readonly label: string | null;
}

/** The life of a thing of one of the kinds. */
export function lifeOf(...of: readonly Kind[]): fc.Arbitrary<Life> {
  return fc.record({
    kind: fc.constantFrom(...of),
    label: fc.constantFrom(null, ...labelValues),
    changes: fc.boolean(),
    starts: fc.boolean(),
  });
}

/** A life in words. */
export function wordsOf({ kind, label, changes, starts }: Life): string {
  const labelled = hasLabels(kind) && label !== null ? ` with the label ${labelKey}=${label}` : '';
  const between = [
    ...(kind === 'container' && starts ? ['starts it'] : []),
    ...(changes ? [{ container: 'renames it', image: 'tags it', volume: 'mounts it', network: 'joins it' }[kind]] : []),
  ];
  return `${[`makes the ${kind}${labelled}`, ...between].join(', ')} and removes it`;
}

/** Events can be filtered by the labels of containers and images (Document 3, Monitor events). */
function hasLabels(kind: Kind): boolean {
  return kind === 'container' || kind === 'image';
}

/** Makes a thing and removes it. @throws Blocked when that does not succeed */
export async function live(engine: Engine, life: Life): Promise<Thing> {
  const labels: Record<string, string> = life.label === null ? {} : { [labelKey]: life.label };
  switch (life.kind) {
    case 'container':
      return liveAsContainer(engine, life, labels);
    case 'image':
      return liveAsImage(engine, life, labels);
    case 'volume':
      return liveAsVolume(engine, life);
    case 'network':
      return liveAsNetwork(engine, life);
  }
}

async function liveAsContainer(engine: Engine, life: Life, labels: Record<string, string>): Promise<Thing> {
  const state = life.starts ? 'exited' : 'created';
  const container = await makeContainer(engine, { run: ['exit', '0'], state, config: { Labels: labels } });
  const names = [container.name];
  if (life.changes) {
    const name = engine.name('container');
    await given(container.rename(name), 204);
    engine.made({ kind: 'container', name, id: container.id });
    names.push(name);
  }
  await given(engine.delete(`/containers/${container.id}`), 204);
  return { kind: 'container', ids: [container.id], names, label: life.label };
}

async function liveAsImage(engine: Engine, life: Life, labels: Record<string, string>): Promise<Thing> {
  const image = await loadImage(engine, labels);
  const names = [image.name];
  if (life.changes) {
    const repo = engine.name('image');
    const name = `${repo}:ec`;
    engine.made({ kind: 'image', name });
    await given(engine.post(`/images/${image.name}/tag`, { query: { repo, tag: 'ec' } }), 201);
    names.push(name);
  }
  for (const name of names) await removeImage(engine, { ...image, name });
  return { kind: 'image', ids: image.ids, names, label: life.label };
}

async function liveAsVolume(engine: Engine, { changes }: Life): Promise<Thing> {
  const name = await makeVolume(engine);
  if (changes) {
    const container = await makeContainer(engine, {
      run: ['exit', '0'],
      state: 'exited',
      hostConfig: { Binds: [`${name}:/data`] },
    });
    await given(container.remove(), 204);
  }
  await given(removeFreed(engine, name), 204);
  return { kind: 'volume', ids: [name], names: [name], label: null };
}

async function liveAsNetwork(engine: Engine, { changes }: Life): Promise<Thing> {
  const { id, name } = await makeInSubnet(engine);
  if (changes) {
    const container = await makeContainer(engine, { state: 'running', network: 'own' });
    await given(connect(engine, name, container.id), 200);
    await given(container.remove({ force: true }), 204);
  }
  await given(engine.delete(`/networks/${id}`), 200, 204);
  return { kind: 'network', ids: [id], names: [name], label: null };
}
