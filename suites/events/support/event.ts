import { type JsonValue, writeJson } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';

/** One object of the event stream. */
export type Event = Readonly<Record<string, JsonValue>>;

/** The kind of an event, without a command line (interpretation `event-text`). */
export function kindOf({ Action, status }: Event): string {
  return beforeText(Action ?? status);
}

/** A kind without the command line that may follow it. */
export function beforeText(kind: JsonValue | undefined): string {
  return String(kind).split(':')[0] ?? '';
}

/** Whether an event is about the thing with one of these identifiers or names. */
export function isAbout(event: Event, ...refs: readonly string[]): boolean {
  const id = withoutPrefix(String((isObject(event.Actor) ? event.Actor.ID : undefined) ?? event.id));
  const { name } = attributesOf(event);
  // Asked half a million times in a run: a loop takes no memory.
  for (const ref of refs) if (ref === name || withoutPrefix(ref) === id) return true;
  return false;
}

/** Identifiers are compared without their prefix (interpretation `sha256-prefix`). */
export function withoutPrefix(id: string): string {
  return id.startsWith('sha256:') ? id.slice('sha256:'.length) : id;
}

/** Whether one of these identifiers or names occurs anywhere in an event. */
export function mentions(event: Event, ...refs: readonly string[]): boolean {
  const text = writeJson({ ...event });
  return refs.some((ref) => text.includes(`"${ref}"`));
}

/** The kinds that only events of images have (Document 1, Events). */
const imageKinds = ['delete', 'import', 'pull', 'push', 'tag', 'untag'];

/** Whether an event is about a container; older versions have events of containers and images only. */
export function isOfContainer(event: Event): boolean {
  return event.Type === undefined ? !imageKinds.includes(kindOf(event)) : event.Type === 'container';
}

export function attributesOf({ Actor }: Event): Readonly<Record<string, JsonValue>> {
  return isObject(Actor) && isObject(Actor.Attributes) ? Actor.Attributes : noAttributes;
}

const noAttributes: Readonly<Record<string, JsonValue>> = {};
