import { isUtf8 } from 'node:buffer';
import { type JsonValue, parseJson } from './json.ts';
import { ObjectViolation } from './violation.ts';

/** One object of a stream of JSON objects. */
export interface StreamedObject {
  /** Offset of its first byte from the start of the stream. */
  readonly offset: number;
  readonly text: string;
  readonly value: JsonValue;
}

export interface ObjectBounds {
  /** The most bytes one object may have. */
  readonly size?: number;
  /** The most levels of nesting. */
  readonly depth?: number;
}

const [openBrace, closeBrace, openBracket, closeBracket, quote, backslash] = Buffer.from('{}[]"\\');

/**
 * Takes a stream of JSON objects apart (Document 1, Conventions used by all endpoints), whatever way it is cut into
 * chunks; between objects only JSON's white space may stand. Integers beyond 2^53 are kept as bigint.
 */
export class ObjectDecoder {
  readonly #most: Required<ObjectBounds>;
  readonly #parts: Uint8Array[] = [];
  #size = 0;
  #offset = 0;
  #start = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(bounds: ObjectBounds = {}) {
    this.#most = { size: bounds.size ?? 16 * 1024 * 1024, depth: bounds.depth ?? 10_000 };
  }

  /**
   * The objects that are complete with the next bytes of the stream.
   * @throws ObjectViolation at the first byte that cannot stand there
   */
  push(chunk: Uint8Array): StreamedObject[] {
    const objects: StreamedObject[] = [];
    let begin = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#depth === 0) {
        if (byte !== openBrace) {
          this.#skip(byte, chunk, at);
          continue;
        }
        this.#start = this.#offset + at;
        begin = at;
      }
      this.#step(byte, at);
      if (this.#depth === 0) objects.push(this.#complete(chunk.subarray(begin, at + 1)));
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(begin));
    this.#offset += chunk.length;
    return objects;
  }

  /** @throws ObjectViolation when the stream ends inside an object */
  end(): void {
    if (this.#depth > 0)
      throw new ObjectViolation('the stream ends inside an object', this.#start, Buffer.concat(this.#parts));
  }

  #skip(byte: number | undefined, chunk: Uint8Array, at: number): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    throw new ObjectViolation('neither an object nor white space', this.#offset + at, chunk.subarray(at));
  }

  #step(byte: number | undefined, at: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inString = false;
    } else if (byte === quote) {
      this.#inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      this.#depth++;
      if (this.#depth > this.#most.depth) {
        throw new ObjectViolation(`nesting deeper than ${this.#most.depth}`, this.#offset + at, new Uint8Array());
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth--;
    }
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(Buffer.from(part));
    this.#size += part.length;
    if (this.#size > this.#most.size) {
      throw new ObjectViolation(`an object larger than ${this.#most.size} bytes`, this.#start, new Uint8Array());
    }
  }

  #complete(lastPart: Uint8Array): StreamedObject {
    this.#keep(lastPart);
    const bytes = Buffer.concat(this.#parts);
    this.#parts.length = 0;
    this.#size = 0;
    if (!isUtf8(bytes)) throw new ObjectViolation('an object that is no UTF-8', this.#start, bytes);
    const text = bytes.toString('utf8');
    try {
      return { offset: this.#start, text, value: parseJson(text) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ObjectViolation(`an object that is no JSON (${why})`, this.#start, bytes);
    }
  }
}

/** All objects of a stream that is there as a whole. @throws ObjectViolation */
export function decodeObjects(bytes: Uint8Array): StreamedObject[] {
  const decoder = new ObjectDecoder();
  const objects = decoder.push(bytes);
  decoder.end();
  return objects;
}
