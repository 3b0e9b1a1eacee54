import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import Dockerode from 'dockerode';
import type { Door } from '../recording.ts';

/** dockerode as it speaks API version 1.23 through a door, which is told the name of each method that is called. */
export function dockerode(door: Door): Dockerode {
  const plain = new Dockerode({ socketPath: door.socketPath, version: 'v1.23' });
  return telling(plain, '', (name) => {
    door.doing = name;
  });
}

const kinds = new Set(['Container', 'Exec', 'Image', 'Network', 'Volume']);

/** The same object, of which each method, and each of the objects that they give, tells its name when it is called. */
function telling<T extends object>(target: T, prefix: string, tell: (name: string) => void): T {
  const given = (value: unknown): unknown => {
    if (value instanceof Promise) return value.then(given);
    if (typeof value !== 'object' || value === null || !kinds.has(value.constructor.name)) return value;
    return telling(value, `${value.constructor.name.toLowerCase()}.`, tell);
  };
  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      return (...parameters: unknown[]) => {
        tell(`${prefix}${key}`);
        return given(Reflect.apply(value, target, parameters));
      };
    },
  });
}

/** What a stream of progress says, to its end. Rejects when it reports an error, which dockerode leaves to its users. */
export function progressOf({ modem }: Dockerode, stream: NodeJS.ReadableStream): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    modem.followProgress(stream, (error, said: readonly { readonly error?: string }[]) => {
      const failed = said?.find((one) => one.error !== undefined);
      if (error || failed) reject(error ?? new Error(failed?.error));
      else resolve(said);
    });
  });
}

/** Both outputs of a stream in frames, to its end. */
export async function outputsOf({ modem }: Dockerode, stream: NodeJS.ReadableStream) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  modem.demuxStream(stream, stdout, stderr);
  const end = () => {
    stdout.end();
    stderr.end();
  };
  stream.once('end', end).once('close', end);
  return { stdout: await text(stdout), stderr: await text(stderr) };
}
