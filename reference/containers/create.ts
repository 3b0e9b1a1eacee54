import { badParameter, conflict, notFound } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { Fields } from '../http/fields.ts';
import { newId, newName } from '../identifiers.ts';
import type { Image } from '../images/image.ts';
import { Container } from './container.ts';
import { eventAttributes } from './event-attributes.ts';
import { initialRoot } from './mounts/initial-root.ts';
import { resolveMounts } from './mounts/mount-points.ts';
import { initialMemberships } from './network.ts';
import { isSet, readConfig, withImageDefaults } from './settings/config.ts';
import { readHostConfig } from './settings/host-config.ts';
import { readNetworkingConfig } from './settings/networking-config.ts';

/** A container's name without the slash it may begin with. Throws 400 when it has other characters than allowed. */
export function readName(text: string): string {
  if (!/^\/?[a-zA-Z0-9_-]+$/.test(text)) throw badParameter(`${JSON.stringify(text)} is not a container name`);
  return text.replace(/^\//, '');
}

/** Throws 404 unless the image is for the requested platform, `<os>/<architecture>` or one of the two (Document 4). */
function checkPlatform({ os, architecture }: Image, platform: string | undefined): void {
  const [first = '', second] = platform?.split('/') ?? [];
  const isFor = second === undefined ? ['', os, architecture].includes(first) : first === os && second === architecture;
  if (!isFor) throw notFound(`the image is for ${os}/${architecture}, not for ${platform}`);
}

/** POST /containers/create (Document 2). */
export async function createContainer(call: Call): Promise<void> {
  const { engine, api } = call;
  const asked = call.query.text('name');
  const name = asked === undefined ? newName() : readName(asked);
  const body = new Fields(await call.json(), '');
  const config = readConfig(body, api);
  const hostConfig = readHostConfig(body.raw('HostConfig'), api, engine);
  const networkingConfig = readNetworkingConfig(body.raw('NetworkingConfig'), api);
  if (!config.Image) throw badParameter('Image: no image is named');
  const image = engine.images.get(config.Image);
  if (call.since('1.41')) checkPlatform(image, call.query.text('platform'));
  const id = newId();
  const full = withImageDefaults(config, image.config, id);
  if (!isSet(full.Entrypoint) && !isSet(full.Cmd))
    throw badParameter('neither the request nor the image has a command');
  if (engine.containers.hasName(name)) throw conflict(`the name ${name} is taken`);
  for (const link of hostConfig.Links) engine.containers.get(link.split(':')[0] ?? '');
  for (const source of hostConfig.VolumesFrom) engine.containers.get(source.split(':')[0] ?? '');
  const base = initialRoot(image.root);
  const mounts = resolveMounts(engine, hostConfig, Object.keys(full.Volumes), image.root);
  const memberships = initialMemberships(engine, full, hostConfig, networkingConfig);
  const container = new Container({ id, name, image, config: full, hostConfig, memberships, mounts, base });
  for (const { volume } of mounts) volume?.users.add(id);
  engine.containers.add(container);
  engine.events.emit('container', 'create', id, eventAttributes(container));
  call.answer(201, { Id: id, Warnings: [] });
}
