import { isDeepStrictEqual } from 'node:util';
import { type Answered, Exchange } from '../engine/exchange.ts';
import { LiveExchange } from '../engine/live-exchange.ts';
import { decodeFrames } from '../streams/frames.ts';
import type { JsonValue } from '../streams/json.ts';
import { holdersOf, valuesAt } from '../streams/json-path.ts';
import { decodeWebSocketFrames } from '../streams/websocket.ts';
import { deepest, type Shown, type ShownPart } from '../verdict/shown.ts';

/** Steps to a value of a JSON document. */
export type Steps = readonly string[];

/** More places than these give no more information. */
const mostPlaces = 20;

/**
 * Where a value that a check took from answers is in one of them, the decisive one first. The check's words for the
 * value name its path; otherwise it has to occur in exactly one place.
 * @returns the whole answer when the value does not occur in any; undefined when there is no answer
 */
export function locate(
  label: string,
  value: unknown,
  evidence: readonly Pick<Answered, 'id'>[],
): Pick<Shown, 'exchange' | 'from'> | undefined {
  const latestFirst = evidence.toReversed();
  for (const answered of latestFirst) {
    const from = partWith(label, value, answered);
    if (from) return { exchange: answered.id, from };
  }
  const [latest] = latestFirst;
  return latest && { exchange: latest.id };
}

function partWith(label: string, value: unknown, answered: Pick<Answered, 'id'>): ShownPart | undefined {
  if (typeof value === 'string') {
    const bytes = bytesOf(answered);
    if (bytes && value !== '') {
      const part = textPart(value, bytes);
      if (part) return part;
    }
  }
  const json = jsonOf(answered);
  if (json === undefined || !(answered instanceof Exchange)) return undefined;
  const steps = namedPlace(label, value, json) ?? onlyPlace(label, value, json);
  return steps && { part: 'json', at: [answered.onWire(steps)] };
}

function bytesOf(answered: Pick<Answered, 'id'>): Buffer | undefined {
  if (answered instanceof Exchange) return answered.answer.body;
  return answered instanceof LiveExchange ? answered.received : undefined;
}

function textPart(value: string, bytes: Buffer): ShownPart | undefined {
  if (bytes.toString('utf8') === value) return { part: 'text' };
  for (const of of ['both', 'stdout', 'stderr'] as const) {
    if (outputOf(bytes, of) === value) return { part: 'output', of };
  }
  return undefined;
}

function outputOf(bytes: Buffer, of: 'stdout' | 'stderr' | 'both'): string | undefined {
  try {
    const frames = decodeFrames(bytes).filter(({ stream }) => of === 'both' || stream === of);
    return Buffer.concat(frames.map(({ payload }) => payload)).toString('utf8');
  } catch {
    return of === 'both' ? messagesOf(bytes) : undefined;
  }
}

function messagesOf(bytes: Buffer): string | undefined {
  try {
    const messages = decodeWebSocketFrames(bytes).filter(({ type }) => /text|binary|continuation/.test(type));
    return Buffer.concat(messages.map(({ payload }) => payload)).toString('latin1');
  } catch {
    return undefined;
  }
}

function jsonOf(answered: Pick<Answered, 'id'>): JsonValue | undefined {
  if (!(answered instanceof Exchange)) return undefined;
  try {
    return answered.root;
  } catch {
    return undefined;
  }
}

/** 'Config.User of inspect: …' names the path; the check may have a list of all values there. */
function namedPlace(label: string, value: unknown, json: JsonValue): Steps | undefined {
  for (const word of label.split(/[\s,:]+/)) {
    if (!/^\w+(?:\.\w+)*$/.test(word)) continue;
    const values = valuesAt(json, word);
    const isIt = values.length === 1 && (isDeepStrictEqual(values[0], value) || isDeepStrictEqual(values, value));
    if (isIt) return word.split('.');
    const isNone = values.length === 0 && (value === undefined || (Array.isArray(value) && value.length === 0));
    if (isNone && /^[A-Z]/.test(word) && word.includes('.')) return word.split('.');
  }
  return undefined;
}

/** A value that could occur anywhere by chance has to be named by its member. */
function onlyPlace(label: string, value: unknown, json: JsonValue): Steps | undefined {
  const places = [...placesOf(value, json, [])];
  const named = places.filter((steps) => label.toLowerCase().includes((steps.at(-1) ?? '').toLowerCase()));
  const isTelling =
    typeof value === 'string' ? value.length > 2 : typeof value === 'object' && value !== null && !isEmpty(value);
  const [only, ...others] = isTelling && places.length === 1 ? places : named;
  return others.length === 0 && only && only.length > 0 ? only : undefined;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function* placesOf(value: unknown, json: JsonValue, at: Steps): Iterable<Steps> {
  if (isDeepStrictEqual(json, value)) yield at;
  if (typeof json !== 'object' || json === null || at.length >= deepest) return;
  for (const [name, member] of Object.entries(json)) yield* placesOf(value, member, [...at, name]);
}

/** The steps to objects of a document, found by their identity. */
export function stepsTo(objects: readonly object[], json: JsonValue): readonly Steps[] {
  const wanted = new Set(objects);
  const found: Steps[] = [];
  const look = (value: JsonValue, at: Steps) => {
    if (typeof value !== 'object' || value === null || found.length >= mostPlaces || at.length >= deepest) return;
    if (wanted.has(value)) found.push(at);
    for (const [name, member] of Object.entries(value)) look(member, [...at, name]);
  };
  look(json, []);
  return found;
}

/** Where the first value at a path is, or would be, in the JSON that an exchange is judged in. */
export function placeIn(exchange: Exchange, path: string): ShownPart {
  const [outer = []] = isObjectOrList(exchange.json) ? stepsTo([exchange.json], exchange.root) : [];
  const steps = path === '' ? outer : [...outer, ...(firstOf(exchange.json, path) ?? path.split('.'))];
  return { part: 'json', at: [exchange.onWire(steps)] };
}

/** The steps to the first value of a path; undefined when there is none. */
function firstOf(json: JsonValue, path: string): Steps | undefined {
  const [holder] = holdersOf(json, path);
  if (!holder) return undefined;
  const [outer = []] = stepsTo([holder.object], json);
  return [...outer, holder.name];
}

function isObjectOrList(value: JsonValue): value is JsonValue[] | { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null;
}
