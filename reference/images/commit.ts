import type { Container } from '../containers/container.ts';
import { emit } from '../containers/lifecycle.ts';
import type { ContainerConfig } from '../containers/settings/config.ts';
import { readConfig, shapeConfig } from '../containers/settings/config.ts';
import { badParameter } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { Fields, isObject, type JsonObject } from '../http/fields.ts';
import { applyInstructions } from './changes.ts';
import { makeImage } from './make.ts';
import { taggedName } from './reference.ts';
import { wireImageId } from './shapes.ts';
import { readNewName } from './tag.ts';

/** POST /commit (Document 3, Commit a container as an image). */
export async function commitContainer(call: Call): Promise<void> {
  const { engine, query } = call;
  const asked = query.text('container');
  if (asked === undefined) throw badParameter('container: no container is named');
  const container = engine.containers.get(asked);
  const pause = query.flag('pause', true);
  const repo = query.text('repo');
  const name = repo === undefined ? undefined : taggedName(readNewName(repo, query.text('tag')));
  const config = applyInstructions(newConfig(call, container, await call.json()), query.lines('changes'));
  // A tree never changes, so the pause can end as soon as it is taken.
  const root = pause ? whilePaused(call, container, () => container.root.root) : container.root.root;
  const image = await makeImage({
    parent: container.image,
    root,
    config,
    author: query.text('author') ?? '',
    comment: query.text('comment') ?? '',
    container: container.id,
    containerConfig: asObject(shapeConfig(container.config, call.api)),
  });
  engine.images.add(image);
  if (name !== undefined) engine.images.tag(image.id, name);
  emit(engine, container, 'commit', { comment: image.comment });
  call.answer(201, { Id: wireImageId(image.id, call.api) });
}

/** The container's configuration, with the changes in the body. */
function newConfig(call: Call, container: Container, body: unknown): JsonObject {
  const own = container.config;
  if (body === undefined || body === null) return asObject(own);
  const fields = new Fields(body, '');
  const given = readConfig(fields, call.api);
  const isGiven = (name: string) => fields.has(name);
  const chosen = Object.entries(given).filter(([name]) => isGiven(name));
  const labels: ContainerConfig['Labels'] = { ...own.Labels, ...given.Labels };
  return { ...asObject(own), ...Object.fromEntries(chosen), Labels: labels };
}

function asObject(value: object): JsonObject {
  return isObject(value) ? value : {};
}

/** Reads something from a container while its processes are paused. */
function whilePaused<T>({ engine }: Call, container: Container, take: () => T): T {
  if (!container.process || container.state.paused) return take();
  for (const process of container.processes) process.freeze();
  container.state.paused = true;
  emit(engine, container, 'pause');
  try {
    return take();
  } finally {
    container.state.paused = false;
    emit(engine, container, 'unpause');
    for (const process of container.processes) process.thaw();
  }
}
