import { now } from '../clock.ts';

export type EventType = 'container' | 'image' | 'volume' | 'network';

/** Something that happened to an object of the engine (Document 1, Events). */
export interface EngineEvent {
  readonly type: EventType;
  /** The event kind. */
  readonly action: string;
  /** Container or image identifier, image reference for a pull, name or identifier for volumes and networks. */
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
}

const kept = 8192;

/** Tells listeners what happens, and remembers the newest events. */
export class EventBus {
  readonly #past: EngineEvent[] = [];
  readonly #listeners = new Set<(event: EngineEvent) => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  emit(type: EventType, action: string, id: string, attributes: Readonly<Record<string, string>> = {}): void {
    const event = { type, action, id, attributes: { ...attributes }, time: now() };
    this.#past.push(event);
    if (this.#past.length > kept * 2) this.#past.splice(0, kept);
    for (const listener of this.#listeners) listener(event);
  }

  /** The remembered events from `since` to `until`, both inclusive, oldest first. */
  between(since: bigint, until: bigint): EngineEvent[] {
    return this.#past.filter(({ time }) => time >= since && time <= until);
  }

  /** Calls `listener` for each event from now on; the returned function ends that. */
  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
