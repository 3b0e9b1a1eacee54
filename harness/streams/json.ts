import { randomUUID } from 'node:crypto';
import { parse, stringify } from 'lossless-json';

/** A JSON value; integers that a double cannot hold are bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [name: string]: JsonValue };

/** A text that is not JSON. Unlike that of JSON.parse, the message is the same in every version of Node. */
export class NotJson extends SyntaxError {
  override readonly name = 'NotJson';
  /** Index of the first wrong character; the text's length when it ends too early. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/**
 * A member of a JSON text that is an object, however it is formatted; undefined when the member is missing, or the text
 * is something else.
 */
export function memberIn(text: string, name: string): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A member that is a non-empty string. */
export function textMemberIn(text: string, name: string): string | undefined {
  const value = memberIn(text, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A number that begins with so many digits may be an integer beyond 2^53. In identifiers so many digits are common. */
const longNumber = /(?:^|[\s,:[])-?\d{16}/;

/**
 * Parses one JSON text like JSON.parse, but keeps integers beyond 2^53 as bigint.
 * @throws NotJson, a SyntaxError. A text with such integers is also refused when it is nested too deeply for the stack:
 * some 3,000 levels on Node's main thread, over 10,000 in a worker thread.
 */
export function parseJson(text: string): JsonValue {
  const hasLong = longNumber.test(text);
  const kept = hasLong ? parseMarked(text.replaceAll(longInteger, `$1"${mark}$2"`)) : undefined;
  if (kept !== undefined) return kept;
  let plain: JsonValue;
  try {
    plain = JSON.parse(text);
  } catch {
    throw flawOf(text);
  }
  // What looks like such an integer is within a string.
  return hasLong ? (parseMarked(markedOutsideStrings(text)) ?? plain) : plain;
}

/** A whole number of many digits where a value may stand, or in a string that says the like. */
const longInteger = /(^|[\s,:[])(-?\d{16,})(?=[\s,\]}]|$)/g;

/** What begins or ends a string, what is escaped in one, or a whole number of many digits. */
const quoteOrInteger = /\\.|"|(?<![\w.+-])-?\d{16,}(?![\w.+-])/g;

/** What no daemon's string begins with. */
const mark = `${randomUUID()} `;

/**
 * Lets JSON.parse read a text whose large integers are marked strings: a parser written in JavaScript takes many times as long,
 * and what it returns many times the memory.
 * @returns undefined where it is not JSON, as where a mark ends a string that it stands in
 * @throws NotJson when it is nested too deeply
 */
function parseMarked(marked: string): JsonValue | undefined {
  try {
    return withIntegers(JSON.parse(marked));
  } catch (error) {
    if (error instanceof RangeError) throw new NotJson('nesting too deep to keep large integers', 0);
    return undefined;
  }
}

/** Marks the large integers of a text that is JSON. */
function markedOutsideStrings(text: string): string {
  let isInString = false;
  return text.replaceAll(quoteOrInteger, (found) => {
    if (found === '"') isInString = !isInString;
    const isInteger = !isInString && found !== '"';
    return isInteger ? `"${mark}${found}"` : found;
  });
}

/** Why and where a text that JSON.parse refuses is not JSON. */
function flawOf(text: string): NotJson {
  try {
    // Of members with the same name the last counts, as with JSON.parse.
    parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    if (error instanceof RangeError) return new NotJson('nesting too deep to tell what is wrong', 0);
    const message = error instanceof Error ? error.message : String(error);
    return new NotJson(message, Number(/at position (\d+)$/.exec(message)?.[1] ?? 0));
  }
  return new NotJson('a text that JSON.parse refuses', 0);
}

/** Puts the integers in the place of what is marked, in the value itself: JSON.parse would take twice as long to do so. */
function withIntegers(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.startsWith(mark) ? integerOf(value.slice(mark.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries()) value[place] = withIntegers(item);
  } else {
    for (const [name, member] of Object.entries(value)) value[name] = withIntegers(member);
  }
  return value;
}

function integerOf(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

/** Writes a JSON text; bigint members are written as integers. */
export function writeJson(value: JsonValue): string {
  return stringify(value) ?? 'null';
}
