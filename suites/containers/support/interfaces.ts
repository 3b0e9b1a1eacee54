import type { ContainerOptions } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { type ContainerOutput, outputWith } from '../../../harness/engine/output.ts';

/** Interfaces that the kernel puts into every network namespace, depending on the host's loaded modules. */
const ofKernel = 'lo|tunl0|gre0|gretap0|erspan0|ip_vti0|ip6_vti0|sit0|ip6tnl0|ip6gre0';

/** An interface that a container was given, in a text like that of `/proc/net/dev`. */
export const givenInterface = new RegExp(`\\n\\s*(?!(?:${ofKernel}):)[\\w.@-]+:`);

/** No such interface in a text like that of `/proc/net/dev`. */
export const noGivenInterface = new RegExp(`^(?![\\s\\S]*${givenInterface.source})`);

const kernelName = new RegExp(`^(?:${ofKernel})$`);

/** The names of the interfaces in the output of `list /sys/class/net`, without those that the kernel creates. */
export function givenNames(list: string): string[] {
  return list.split('\n').filter((name) => name !== '' && !kernelName.test(name));
}

const directory = '/sys/class/net';

/** Steps of the probe that write the hardware address of the interface with the usual name, and the names of all. */
export const readingAddresses = ['try', 'read', `${directory}/eth0/address`, 'list', directory];

/** The hardware addresses of a container's interfaces. What the interfaces are called is the engine's to choose. */
export async function hardwareAddresses(
  engine: Engine,
  options: Pick<ContainerOptions, 'config' | 'hostConfig'>,
): Promise<{ addresses: readonly string[]; evidence: readonly Exchange[] }> {
  const ran = (run: readonly string[]): Promise<ContainerOutput> => outputWith(engine, { ...options, run });
  const first = await ran(readingAddresses);
  const ofUsual = addressesIn(first.stdout);
  if (ofUsual.length > 0) return { addresses: ofUsual, evidence: [first.evidence] };
  const reads = givenNames(first.stdout).flatMap((name) => ['try', 'read', `${directory}/${name}/address`]);
  const second = await ran(reads);
  return { addresses: addressesIn(second.stdout), evidence: [first.evidence, second.evidence] };
}

export function addressesIn(text: string): string[] {
  return text.match(/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/gm) ?? [];
}
