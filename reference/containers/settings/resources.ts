import type { ApiVersion } from '../../../specs/versions.ts';
import { atLeast } from '../../../specs/versions.ts';
import type { Fields } from '../../http/fields.ts';

interface RestartPolicy {
  readonly Name: string;
  readonly MaximumRetryCount: number;
}

/** The members of HostConfig that an update can change too. */
export interface Resources {
  readonly Memory: number;
  readonly MemorySwap: number;
  readonly MemoryReservation: number;
  readonly KernelMemory: number;
  readonly CpuShares: number;
  readonly CpuPeriod: number;
  readonly CpuQuota: number;
  readonly CpusetCpus: string;
  readonly CpusetMems: string;
  readonly BlkioWeight: number;
  readonly RestartPolicy: RestartPolicy;
}

const unlimited = -1;

/** Reads the resource limits of a HostConfig or an update; zero and '' stand for unset. Throws 400. */
export function readResources(body: Fields, api: ApiVersion): Resources {
  const memory = body.integer('Memory', 0, { min: 0 });
  const swap = body.integer('MemorySwap', 0, { min: unlimited });
  if (swap > 0 && memory === 0) throw body.refuse('MemorySwap', 'needs Memory');
  if (swap > 0 && swap <= memory) throw body.refuse('MemorySwap', 'is not larger than Memory');
  const weight = body.integer('BlkioWeight', 0, { min: 0, max: 1000 });
  if (weight > 0 && weight < 10) throw body.refuse('BlkioWeight', `${weight} is outside 10..1000`);
  return {
    Memory: memory,
    MemorySwap: swap,
    MemoryReservation: body.integer('MemoryReservation', 0, { min: 0 }),
    // Since 1.42 it is ignored (Document 4).
    KernelMemory: atLeast(api, '1.42') ? 0 : body.integer('KernelMemory', 0, { min: 0 }),
    CpuShares: body.integer('CpuShares', 0, { min: 0 }),
    CpuPeriod: body.integer('CpuPeriod', 0, { min: 0 }),
    CpuQuota: body.integer('CpuQuota', 0, { min: unlimited }),
    CpusetCpus: readCpuSet(body, 'CpusetCpus'),
    CpusetMems: readCpuSet(body, 'CpusetMems'),
    BlkioWeight: weight,
    RestartPolicy: readRestartPolicy(body.object('RestartPolicy'), api),
  };
}

function readCpuSet(body: Fields, name: string): string {
  const text = body.string(name);
  if (text !== '' && !/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(text))
    throw body.refuse(name, 'not a list of numbers and ranges');
  return text;
}

function readRestartPolicy(policy: Fields | undefined, api: ApiVersion): RestartPolicy {
  const name = policy?.string('Name') ?? '';
  const names = ['', 'no', 'always', 'on-failure', ...(atLeast(api, '1.21') ? ['unless-stopped'] : [])];
  if (policy && !names.includes(name)) throw policy.refuse('Name', `there is no policy ${JSON.stringify(name)}`);
  return { Name: name, MaximumRetryCount: policy?.integer('MaximumRetryCount', 0, { min: 0 }) ?? 0 };
}
