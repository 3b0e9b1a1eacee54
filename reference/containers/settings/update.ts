import { notFound } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { Fields } from '../../http/fields.ts';
import { emit } from '../lifecycle.ts';
import { type Resources, readResources } from './resources.ts';

const names = [
  'BlkioWeight',
  'CpuShares',
  'CpuPeriod',
  'CpuQuota',
  'CpusetCpus',
  'CpusetMems',
  'Memory',
  'MemorySwap',
  'MemoryReservation',
  'KernelMemory',
  'RestartPolicy',
] as const satisfies readonly (keyof Resources)[];

/**
 * POST /containers/{id}/update (Document 2), since 1.23. Members that the body does not name keep their values; the
 * rules apply to old and new values together.
 */
export async function updateContainer(call: Call): Promise<void> {
  const container = call.engine.containers.get(call.param('id'));
  if (!call.since('1.23')) throw notFound('there is no update before version 1.23');
  const body = new Fields(await call.json(), '');
  const resources = names.map((name) => [
    name,
    isGiven(call, body, name) ? body.raw(name) : container.hostConfig[name],
  ]);
  const changed = readResources(new Fields(Object.fromEntries(resources), ''), call.api);
  const { KernelMemory } = call.since('1.42') ? container.hostConfig : changed;
  container.hostConfig = { ...container.hostConfig, ...changed, KernelMemory };
  emit(call.engine, container, 'update');
  call.answer(200, { Warnings: [] });
}

/** Whether a body names a member. Zero and '' are not limits, and count as absent. */
function isGiven({ engine }: Call, body: Fields, name: keyof Resources): boolean {
  if (!body.has(name)) return false;
  // The docker dialect's command line always sends a policy, with an empty name when it is not to change.
  if (name === 'RestartPolicy') return engine.dialect !== 'docker' || body.object(name)?.string('Name') !== '';
  return body.raw(name) !== (name === 'CpusetCpus' || name === 'CpusetMems' ? '' : 0);
}
