import type { Duct } from '../../http/duct.ts';
import type { LogEntry } from './logs-store.ts';
import { entryBytes, LogStore } from './logs-store.ts';

/** Bytes of a stream as a frame (Document 2, Stream framing). */
function frame(stream: 1 | 2, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(data.length, 4);
  return Buffer.concat([header, data]);
}

/** A client that follows a container's output. */
export interface Follower {
  readonly duct: Duct;
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Frames the output; a TTY's output is sent raw. */
  readonly framed: boolean;
  /** Each line begins with its timestamp. */
  readonly timestamps: boolean;
}

/** Sends bytes of a log to a client. */
export function sendEntry(follower: Follower, entry: LogEntry): Promise<void> | undefined {
  const data = entryBytes(entry, follower.timestamps);
  return follower.duct.write(follower.framed ? frame(entry.stream, data) : data);
}

/** Passes a container's output to its log and to all followers. */
export class OutputHub {
  readonly log = new LogStore();
  readonly #followers = new Set<Follower>();
  readonly #keepsLog: boolean;

  constructor(keepsLog: boolean) {
    this.#keepsLog = keepsLog;
  }

  /** The promise, if any, settles when the slowest follower has room again. */
  write(stream: 1 | 2, data: Buffer): Promise<void> | undefined {
    if (data.length === 0) return undefined;
    let entries: LogEntry[] = [];
    if (this.#keepsLog) entries = this.log.append(stream, data);
    const waits: Promise<void>[] = [];
    for (const follower of this.#followers) {
      if (!(stream === 1 ? follower.stdout : follower.stderr)) continue;
      const wait = follower.timestamps
        ? follower.duct.write(joined(follower, entries))
        : follower.duct.write(follower.framed ? frame(stream, data) : data);
      if (wait) waits.push(wait);
    }
    if (waits.length === 0) return undefined;
    return Promise.all(waits).then(() => {});
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }
}

function joined(follower: Follower, entries: readonly LogEntry[]): Buffer {
  const parts = entries.map((entry) => {
    const data = entryBytes(entry, true);
    return follower.framed ? frame(entry.stream, data) : data;
  });
  return Buffer.concat(parts);
}
