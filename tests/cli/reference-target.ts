import { onTestFinished } from 'vitest';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { newSocketPath, transportTo } from '../harness/servers.ts';

export interface ReferenceTarget {
  readonly address: Address;
  /** All containers and images that are on it. */
  inventory(): Promise<{ readonly containers: readonly unknown[]; readonly images: readonly unknown[] }>;
}

/** A reference engine in this process, until the test ends. */
export async function referenceTarget(): Promise<ReferenceTarget> {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const address = parseAddress(`unix://${socketPath}`);
  const transport = transportTo(address);
  const list = async (path: string): Promise<unknown[]> => {
    const answer = await transport.exchange({ method: 'GET', path, headers: {} }, { wholeMs: 10_000 });
    return JSON.parse(answer.body.toString());
  };
  return {
    address,
    inventory: async () => ({
      containers: await list('/v1.23/containers/json?all=1'),
      images: await list('/v1.23/images/json?all=1'),
    }),
  };
}
