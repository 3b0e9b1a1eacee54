import { badParameter } from '../errors.ts';

/** Reads the query parameters of one call by the conventions of Document 1. */
export class Query {
  readonly #values: URLSearchParams;

  constructor(text: string) {
    this.#values = new URLSearchParams(text);
  }

  /** The parameter's text; undefined when it is absent or empty. */
  text(name: string): string | undefined {
    return this.#values.get(name) || undefined;
  }

  /** Every value of a parameter that may be repeated. */
  texts(name: string): readonly string[] {
    return this.#values.getAll(name);
  }

  /** Every value of a parameter that may be repeated, one per line. */
  lines(name: string): string {
    return this.texts(name).join('\n');
  }

  /** A boolean flag: 1, True, true, 0, False or false. */
  flag(name: string, otherwise = false): boolean {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (text === '1' || text === 'True' || text === 'true') return true;
    if (text === '0' || text === 'False' || text === 'false') return false;
    throw badParameter(`parameter ${name}: ${JSON.stringify(text)} is not a flag`);
  }

  /** A whole number; undefined when absent. */
  integer(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^[+-]?\d{1,15}$/.test(text))
      throw badParameter(`parameter ${name}: ${JSON.stringify(text)} is not an integer`);
    return Number(text);
  }

  /** A UNIX time in seconds, with or without a fraction, as nanoseconds; undefined when absent. */
  time(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const parts = /^(-?\d{1,12})(?:\.(\d{1,9}))?$/.exec(text);
    if (parts) return BigInt(parts[1] ?? 0) * 1_000_000_000n + BigInt((parts[2] ?? '').padEnd(9, '0'));
    if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return BigInt(Date.parse(text)) * 1_000_000n;
    throw badParameter(`parameter ${name}: ${JSON.stringify(text)} is not a timestamp`);
  }

  /** The `filters` map; throws 400 unless it is a map from the `known` names to lists of strings. */
  filters(known: readonly string[]): Filters {
    const text = this.text('filters');
    if (text === undefined) return new Map();
    const filters = new Map<string, string[]>();
    for (const [name, values] of Object.entries(parseMap(text))) {
      if (!known.includes(name)) throw badParameter(`filters: there is no filter ${JSON.stringify(name)}`);
      filters.set(name, filterValues(name, values));
    }
    return filters;
  }
}

/** Filter names with their values, of which at least one must match. */
export type Filters = ReadonlyMap<string, readonly string[]>;

function parseMap(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badParameter('filters: not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badParameter('filters: not a map');
  return value;
}

/** Lists of strings, and the map form `{"value": true}` that many clients send. */
function filterValues(name: string, values: unknown): string[] {
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
    const entries = Object.entries(values);
    if (entries.every(([, on]) => typeof on === 'boolean')) return entries.filter(([, on]) => on).map(([key]) => key);
  }
  throw badParameter(`filters: ${name} is not a list of strings`);
}

/** Whether labels satisfy every `key` or `key=value` of a label filter. */
export function labelsMatch(labels: Readonly<Record<string, string>>, wanted: readonly string[] | undefined): boolean {
  return (wanted ?? []).every((text) => {
    const at = text.indexOf('=');
    const key = at < 0 ? text : text.slice(0, at);
    return Object.hasOwn(labels, key) && (at < 0 || labels[key] === text.slice(at + 1));
  });
}
