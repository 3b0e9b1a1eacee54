import type { Duct } from '../../http/duct.ts';
import { DetachWatcher } from './detach-keys.ts';

/** Where a client's input goes. */
export interface InputTarget {
  /** Accepts bytes; the promise, if any, settles when there is room for more. */
  readonly type: (data: Buffer) => Promise<void> | undefined;
  /** The client sends no more. */
  readonly end: () => void;
  /** The keys that end the session; undefined: the session has no terminal and no such keys. */
  readonly detachKeys: Buffer | undefined;
}

/** Passes on what a client sends, until it sends the detach keys. */
export function passInput(duct: Duct, { type, end, detachKeys }: InputTarget): void {
  const watcher = detachKeys && new DetachWatcher(detachKeys);
  let detached = false;
  duct.receive((data) => {
    if (detached) return undefined;
    if (!watcher) return type(data);
    const seen = watcher.watch(data);
    detached = seen.detached;
    const busy = type(seen.pass);
    if (detached) duct.end();
    return busy;
  }, end);
}

/** Drops what a client sends. */
export function dropInput(duct: Duct): void {
  duct.receive(
    () => undefined,
    () => {},
  );
}
