import { isUtf8 } from 'node:buffer';
import { type JsonValue, NotJson, parseJson } from './json.ts';
import { ObjectViolation } from './violation.ts';

export { ObjectViolation };

/** One object of a stream of JSON objects. */
export interface StreamedObject {
  /** Offset of its first byte from the start of the stream. */
  readonly offset: number;
  readonly text: string;
  readonly value: JsonValue;
}

export interface ObjectBounds {
  /** Maximum size of one object in bytes; default 16 MiB. */
  readonly size?: number;
  /** Maximum nesting depth; default 10,000. */
  readonly depth?: number;
}

const [openBrace, closeBrace, openBracket, closeBracket, quote, backslash] = Buffer.from('{}[]"\\');

/**
 * Decodes a stream of JSON objects (Document 1, Conventions used by all endpoints), however it is split into chunks;
 * only JSON white space is allowed between objects. Integers beyond 2^53 are kept as bigint.
 */
export class ObjectDecoder {
  readonly #most: Required<ObjectBounds>;
  /** The object that is not complete yet, at the front of a buffer that grows with it. */
  #held = Buffer.alloc(0);
  #size = 0;
  #offset = 0;
  #start = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #violation: ObjectViolation | undefined;

  constructor(bounds: ObjectBounds = {}) {
    this.#most = { size: bounds.size ?? 16 * 1024 * 1024, depth: bounds.depth ?? 10_000 };
  }

  /**
   * The objects that the next bytes of the stream complete.
   * @throws ObjectViolation at the first byte that is not allowed; inside an object this is detected when its braces
   * are closed. Thrown again at every later call
   */
  push(chunk: Uint8Array): StreamedObject[] {
    if (this.#violation) throw this.#violation;
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
      this.#step(byte, chunk, at);
      if (this.#depth === 0) objects.push(this.#complete(chunk.subarray(begin, at + 1)));
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(begin));
    this.#offset += chunk.length;
    return objects;
  }

  /** @throws ObjectViolation when the stream ends inside an object */
  end(): void {
    if (this.#violation) throw this.#violation;
    if (this.#depth > 0) {
      this.#fail('the stream ends inside an object', this.#start, this.#held.subarray(0, this.#size));
    }
  }

  #skip(byte: number | undefined, chunk: Uint8Array, at: number): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    this.#fail('neither an object nor white space', this.#offset + at, chunk.subarray(at));
  }

  #step(byte: number | undefined, chunk: Uint8Array, at: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inString = false;
    } else if (byte === quote) {
      this.#inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      this.#depth++;
      if (this.#depth > this.#most.depth) {
        this.#fail(`nesting deeper than ${this.#most.depth}`, this.#offset + at, chunk.subarray(at));
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth--;
    }
  }

  #keep(part: Uint8Array): void {
    const size = this.#size + part.length;
    if (size > this.#most.size) {
      const begin = this.#size > 0 ? this.#held.subarray(0, this.#size) : part;
      this.#fail(`an object larger than ${this.#most.size} bytes`, this.#start, begin);
    }
    if (size > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.min(2 * size, this.#most.size));
      larger.set(this.#held.subarray(0, this.#size));
      this.#held = larger;
    }
    this.#held.set(part, this.#size);
    this.#size = size;
  }

  #complete(lastPart: Uint8Array): StreamedObject {
    this.#keep(lastPart);
    const bytes = this.#held.subarray(0, this.#size);
    this.#size = 0;
    const text = bytes.toString('utf8');
    if (!isUtf8(bytes)) {
      // Wrong bytes become replacement characters, which differ when they are encoded again.
      const rewritten = Buffer.from(text);
      const wrong = bytes.findIndex((byte, i) => byte !== rewritten[i]);
      this.#fail('an object that is not UTF-8', this.#start + wrong, bytes.subarray(wrong));
    }
    try {
      return { offset: this.#start, text, value: parseJson(text) };
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      const wrong = Buffer.byteLength(text.slice(0, error.position));
      this.#fail(
        `an object that cannot be read as JSON (${error.message})`,
        this.#start + wrong,
        bytes.subarray(wrong),
      );
    }
  }

  #fail(says: string, offset: number, bytes: Uint8Array): never {
    this.#held = Buffer.alloc(0);
    this.#violation = new ObjectViolation(says, offset, bytes);
    throw this.#violation;
  }
}

/** All objects of a complete stream. @throws ObjectViolation */
export function decodeObjects(bytes: Uint8Array): StreamedObject[] {
  const decoder = new ObjectDecoder();
  const objects = decoder.push(bytes);
  decoder.end();
  return objects;
}
