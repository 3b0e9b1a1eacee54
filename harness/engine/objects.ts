import { decodeObjects, ObjectDecoder, ObjectViolation } from '../streams/objects.ts';
import { Deviation } from '../verdict/outcomes.ts';
import type { Engine } from './engine.ts';
import { Exchange } from './exchange.ts';
import type { LiveExchange } from './live-exchange.ts';

/**
 * Waits for the first objects of a stream of JSON objects (Document 1, Conventions used by all endpoints), each as an
 * exchange to be judged.
 * @throws Deviation when the bytes are not a sequence of objects
 * @throws TransportError when fewer come
 */
export async function firstObjects(engine: Engine, live: LiveExchange, count: number): Promise<Exchange[]> {
  const enough = (bytes: Buffer) => read(() => new ObjectDecoder().push(bytes)).length >= count;
  const bytes = await live.receivedUntil(`${count} objects`, enough);
  const { id, request, status } = live;
  const whole = new Exchange(id, request, { status, headers: [], body: Buffer.alloc(0) }, engine.target.dialect);
  return read(() => new ObjectDecoder().push(bytes))
    .slice(0, count)
    .map(({ value }) => whole.narrowedTo(value));
}

/** The number of objects in a whole body. @throws Deviation when it contains anything else */
export function countObjects(body: Buffer): number {
  return read(() => decodeObjects(body)).length;
}

function read<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ObjectViolation) throw new Deviation('JSON objects one after another', error.message);
    throw error;
  }
}
