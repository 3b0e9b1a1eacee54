import { now } from '../clock.ts';
import type { Engine } from '../engine.ts';
import { badParameter } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { type Filters, labelsMatch } from '../http/query.ts';
import { parseReference, taggedName } from '../images/reference.ts';
import type { EngineEvent } from './bus.ts';
import { eventText } from './shape.ts';

const farFuture = 1n << 62n;
/** A client is disconnected when this many bytes pile up for it. */
const largestBacklog = 16 * 1024 * 1024;

/** GET /events (Document 3, Monitor events). */
export function streamEvents(call: Call): void {
  const { engine, res } = call;
  const since = call.query.time('since');
  const until = call.query.time('until');
  const known = ['container', 'event', 'image', ...(call.since('1.21') ? ['label'] : [])];
  const filters = call.query.filters([...known, ...(call.since('1.23') ? ['type', 'volume', 'network'] : [])]);
  for (const type of filters.get('type') ?? []) {
    if (!['container', 'image', 'volume', 'network'].includes(type)) throw badParameter(`filters: no type ${type}`);
  }
  res.writeHead(200, { 'Content-Type': call.since('1.52') ? 'application/jsonl' : 'application/json' });
  res.flushHeaders();
  const send = (event: EngineEvent): void => {
    if (until !== undefined && event.time > until) return;
    const text = passes(engine, event, filters) ? eventText(event, call.api) : undefined;
    if (text === undefined || res.destroyed || res.writableEnded) return;
    res.write(`${text}\n`);
    if (res.writableLength > largestBacklog) res.destroy();
  };
  if (since !== undefined || until !== undefined) {
    for (const event of engine.events.between(since ?? 0n, until ?? farFuture)) send(event);
  }
  if (until !== undefined && until <= now()) {
    res.end();
    return;
  }
  const unsubscribe = engine.events.subscribe(send);
  const cancel = until === undefined ? () => {} : at(until, () => res.end());
  call.onGone(() => {
    unsubscribe();
    cancel();
    if (!res.writableEnded) res.end();
  });
}

/** Runs `action` at a time, however far away; the returned function cancels that. */
function at(time: bigint, action: () => void): () => void {
  const longest = 2 ** 31 - 1;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = Number((time - now()) / 1_000_000n) + 1;
    timer = setTimeout(left > longest ? wait : action, Math.max(0, Math.min(left, longest)));
  };
  wait();
  return () => clearTimeout(timer);
}

/** Whether an event has one of the values of each filter. */
function passes(engine: Engine, event: EngineEvent, filters: Filters): boolean {
  const { type, attributes } = event;
  for (const [name, values] of filters) {
    if (name === 'label') {
      if ((type !== 'container' && type !== 'image') || !labelsMatch(attributes, values)) return false;
    } else if (values.length > 0 && !values.some((wanted) => hasValue(engine, event, name, wanted))) {
      return false;
    }
  }
  return true;
}

/** Whether a filter other than that of labels has a value that an event has. */
function hasValue(engine: Engine, event: EngineEvent, filter: string, wanted: string): boolean {
  const { type, action, id } = event;
  switch (filter) {
    case 'container':
    case 'network':
      return type === filter && isNamed(event, wanted);
    case 'event':
      return wanted === action || wanted === action.split(':')[0];
    case 'image':
      return ofImage(engine, event, wanted);
    case 'type':
      return wanted === type;
    default: // volume
      return type === 'volume' && wanted === id;
  }
}

function isNamed({ id, attributes }: EngineEvent, wanted: string): boolean {
  const isName = wanted.replace(/^\//, '') === attributes.name;
  return wanted === id || isName || (wanted.length >= 4 && id.startsWith(wanted));
}

function ofImage(engine: Engine, { type, id, attributes }: EngineEvent, wanted: string): boolean {
  if (type !== 'container' && type !== 'image') return false;
  const name = (type === 'container' ? attributes.image : attributes.name) ?? '';
  const candidates = [id, name].filter((text) => text !== '' && (type === 'image' || text !== id));
  const reference = parseReference(wanted);
  return candidates.some((text) => {
    if (text === wanted || (wanted.length >= 12 && text.replace(/^sha256:/, '').startsWith(wanted))) return true;
    const other = parseReference(text);
    if (reference.tag === undefined) return other.repository === reference.repository;
    if (taggedName(other) === taggedName(reference)) return true;
    // Two names that find no image do not match.
    const found = engine.images.find(text);
    return found !== undefined && found.id === engine.images.find(wanted)?.id;
  });
}
