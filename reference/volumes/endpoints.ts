import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { badParameter } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { Fields } from '../http/fields.ts';
import type { Volume } from './store.ts';

function shapeVolume({ name, driver, mountpoint, labels }: Volume, api: ApiVersion): object {
  return { Name: name, Driver: driver, Mountpoint: mountpoint, ...(atLeast(api, '1.23') && { Labels: labels }) };
}

/** GET /volumes (Document 3, Volumes). */
export function listVolumes(call: Call): void {
  const dangling = call.query.filters(['dangling']).get('dangling');
  const wanted = dangling?.map((value) => {
    if (['1', 'true', 'True'].includes(value)) return true;
    if (['0', 'false', 'False'].includes(value)) return false;
    throw badParameter(`filters: dangling: ${JSON.stringify(value)} is not a flag`);
  });
  const volumes = call.engine.volumes.all().filter(({ users }) => wanted?.includes(users.size === 0) ?? true);
  const Volumes = volumes.map((volume) => shapeVolume(volume, call.api));
  call.answer(200, { Volumes, ...(call.since('1.23') && { Warnings: [] }) });
}

/** POST /volumes/create */
export async function createVolume(call: Call): Promise<void> {
  const body = new Fields((await call.json()) ?? {}, '');
  const name = body.string('Name');
  if (name !== '' && !/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) throw badParameter(`${name} is no name of a volume`);
  const driver = body.string('Driver');
  const labels = call.since('1.23') ? body.stringMap('Labels') : {};
  const volume = call.engine.volumes.ensure(name, { driver, labels, options: body.stringMap('DriverOpts') });
  call.answer(201, shapeVolume(volume, call.api));
}

/** GET /volumes/{name} */
export function inspectVolume(call: Call): void {
  call.answer(200, shapeVolume(call.engine.volumes.get(call.param('name')), call.api));
}

/** DELETE /volumes/{name} */
export function removeVolume(call: Call): void {
  call.engine.volumes.remove(call.param('name'));
  call.answerEmpty(204);
}
