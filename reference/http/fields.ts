import { badParameter } from '../errors.ts';

/** A JSON object from outside. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw badParameter(`${what}: not an object`);
  return value;
}

function asString(value: unknown, what: string): string {
  if (typeof value !== 'string') throw badParameter(`${what}: not a string`);
  return value;
}

/** Limits of an integer, both inclusive. */
export interface Limits {
  readonly min?: number;
  readonly max?: number;
}

/**
 * Reads the fields of a JSON object. A missing field or null yields the default; a wrong type throws 400 and names the
 * field.
 */
export class Fields {
  readonly #source: JsonObject;
  readonly #prefix: string;

  constructor(value: unknown, what: string) {
    this.#source = asObject(value, what || 'body');
    this.#prefix = what ? `${what}.` : '';
  }

  /** The fields without those that do not satisfy a condition, as if they had not been sent. */
  only(isMeant: (name: string) => boolean): Fields {
    const kept = Object.entries(this.#source).filter(([name]) => isMeant(name));
    return new Fields(Object.fromEntries(kept), this.#prefix.slice(0, -1));
  }

  raw(name: string): unknown {
    const value = Object.hasOwn(this.#source, name) ? this.#source[name] : undefined;
    return value === null ? undefined : value;
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  path(name: string): string {
    return this.#prefix + name;
  }

  refuse(name: string, why: string): Error {
    return badParameter(`${this.path(name)}: ${why}`);
  }

  string(name: string, otherwise = ''): string {
    const value = this.raw(name);
    return value === undefined ? otherwise : asString(value, this.path(name));
  }

  boolean(name: string, otherwise = false): boolean {
    const value = this.raw(name);
    if (value === undefined) return otherwise;
    if (typeof value !== 'boolean') throw this.refuse(name, 'not a boolean');
    return value;
  }

  integer(name: string, otherwise = 0, { min, max }: Limits = {}): number {
    const value = this.raw(name);
    if (value === undefined) return otherwise;
    if (typeof value !== 'number' || !Number.isInteger(value)) throw this.refuse(name, 'not an integer');
    if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
      throw this.refuse(name, `${value} is outside ${min ?? ''}..${max ?? ''}`);
    }
    return value;
  }

  /** A list whose items `read` turns into T. */
  list<T>(name: string, read: (item: unknown, what: string) => T): T[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.refuse(name, 'not a list');
    return value.map((item: unknown, index) => read(item, `${this.path(name)}[${index}]`));
  }

  /** A list of strings, each accepted by `form`, if given. */
  strings(name: string, form?: (text: string) => boolean): string[] {
    return this.list(name, (item, what) => {
      const text = asString(item, what);
      if (form && !form(text)) throw badParameter(`${what}: ${JSON.stringify(text)} has the wrong form`);
      return text;
    });
  }

  /** A map whose values `read` turns into T. */
  map<T>(name: string, read: (value: unknown, what: string) => T, form?: (key: string) => boolean): Record<string, T> {
    const value = this.raw(name);
    if (value === undefined) return {};
    const result: Record<string, T> = {};
    for (const [key, item] of Object.entries(asObject(value, this.path(name)))) {
      if (form && !form(key)) throw this.refuse(name, `the key ${JSON.stringify(key)} has the wrong form`);
      Object.defineProperty(result, key, {
        value: read(item, `${this.path(name)}.${key}`),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return result;
  }

  stringMap(name: string): Record<string, string> {
    return this.map(name, asString);
  }

  /** A map whose values are empty objects. */
  emptyObjects(name: string, form?: (key: string) => boolean): Record<string, Record<string, never>> {
    return this.map(
      name,
      (value, what) => {
        if (value !== null) asObject(value, what);
        return {};
      },
      form,
    );
  }

  /** A string or a list of strings, kept as it came; null when unset. */
  words(name: string): string | string[] | null {
    const value = this.raw(name);
    if (value === undefined) return null;
    return typeof value === 'string' ? value : this.strings(name);
  }

  object(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.path(name));
  }
}
