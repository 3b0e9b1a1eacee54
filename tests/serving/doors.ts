import net from 'node:net';
import { onTestFinished } from 'vitest';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { listen, newSocketPath } from '../harness/servers.ts';
import { door, type IsRefused, type Refusal } from './door.ts';

/** Starts the reference engine until the test ends. @returns where it listens */
export async function wholeEngine(): Promise<Address> {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  return parseAddress(`unix://${socketPath}`);
}

/** Stands before an engine until the test ends. @returns where it listens */
export async function doorBefore(engine: Address, isRefused: IsRefused, refusal: Refusal): Promise<Address> {
  if (engine.kind !== 'unix') throw new Error('the engine of a test listens on a socket');
  const { socketPath } = engine;
  const connect = () => net.connect({ path: socketPath, allowHalfOpen: true });
  return listen(door(connect, isRefused, refusal));
}
