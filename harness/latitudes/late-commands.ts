import { Transform } from 'node:stream';
import { answersStatus } from '../faults/answers.ts';
import { isObject } from '../streams/json-path.ts';
import type { WireHead, WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

const lateMs = 250;

/** When commands begin. */
export const ofCommands: readonly Latitude[] = [lateCommands()];

/** Only commands with a session are late: Detach promises that the command has been started. */
function lateCommands(): Latitude {
  const waiting = new Set<string>();
  const isWaiting = ({ path }: WireRequest) => waiting.has(execOf(path));
  const { answer: refused } = answersStatus(404, 201);
  return {
    name: 'late-commands',
    says: `begins a command ${lateMs} ms after the head of the answer to exec start`,
    area: 'time',
    ground: {
      source: [3, 'Exec start'],
      because: 'only with Detach does the call return after starting the command',
    },
    incoming: (head, request) => {
      if (endpointOf(request) !== 'POST /exec/{id}/start' || !isSession(head)) return undefined;
      const exec = execOf(request.path);
      waiting.add(exec);
      return new Held(() => waiting.delete(exec));
    },
    json: (value, request) =>
      isObject(value) && endpointOf(request) === 'GET /exec/{id}/json' && isWaiting(request)
        ? { ...value, ...('Running' in value && { Running: false }) }
        : value,
    answer: (answer, request) =>
      endpointOf(request) === 'POST /exec/{id}/resize' && isWaiting(request)
        ? (refused?.(answer, request) ?? answer)
        : answer,
  };
}

function isSession({ status }: WireHead): boolean {
  return status === 101 || status === 200;
}

function execOf(path: string): string {
  return /\/exec\/([^/?]+)/.exec(path)?.[1] ?? '';
}

/** Holds a stream back until the command has begun. */
class Held extends Transform {
  readonly #begun: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #begins = () => {};

  constructor(begins: () => void) {
    super();
    this.#begun = new Promise((resolve) => {
      this.#begins = () => {
        begins();
        resolve();
      };
    });
    this.#timer = setTimeout(this.#begins, lateMs);
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    void this.#begun.then(() => done(null, chunk));
  }

  override _flush(done: () => void): void {
    void this.#begun.then(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#begins();
    done(error);
  }
}
