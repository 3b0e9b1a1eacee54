import type { ResourceKind } from '../sandbox/journal.ts';

/** What is known about a run's names and identifiers. */
export interface KnownNames {
  /** The id of the run, which all its names contain. */
  readonly run: string;
  /** The kind of thing that a name was given to; undefined for a name composed of others. */
  kindOf(name: string): ResourceKind | undefined;
  /** The name of the thing with this identifier, or with one of which this is the beginning, and which of the two. */
  identified(identifier: string): { readonly name: string; readonly isWhole: boolean } | undefined;
}

/** Texts in which roles replace everything that differs between runs, and what each role was in this run. */
export interface ByRole {
  readonly texts: readonly string[];
  /** By role, such as `the first container`; empty where nothing differs. */
  readonly names: Readonly<Record<string, string>>;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** A text that was truncated in the middle: where it was cut must not depend on the length of a name. */
const cutOff = /[\w:.-]+("?)…/g;
/** What the id of a run is called in a text. */
export const roleOfRun = 'the id of the run';

/** Complete, or as short as daemons write it; other lengths are bytes that a check shows. */
const identifier = /\b(?:sha256:[0-9a-f]{11,64}|(?=[0-9]*[a-f])(?=[a-f]*[0-9])(?:[0-9a-f]{64}|[0-9a-f]{11,12}))\b/g;
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Nothing says what identifiers look like: any word may be one that the daemon gave. */
const ofAnyForm = /\b(?:sha256:)?[0-9A-Za-z][\w-]{5,}/g;
const hardwareAddress = /\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b/gi;
/** Of networks that are created, and of servers that the suite runs. */
const address =
  /\b(?:127\.0\.0\.1(?::|%3A)\d{4,5}|(?:10|172|192\.168|198\.1[89])(?:\.\d{1,3}){2,3}(?::\d+|\/\d+)?)(?![\d.])/g;
/** Times in year 1 stand for no time. */
const time = /\b2\d{3}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?/g;
const exchange = /\bx[1-9]\d*\b/g;
/** Where a stream violates its format, and the bytes there: how writes are split into reads varies. */
const place = /\boffset \d+(?:: [0-9a-f]{2}(?: [0-9a-f]{2})*)?/g;

/**
 * Replaces by roles what a run calls the things it makes, identifiers, times, positions in streams and ids of
 * exchanges: `the first container`, `the identifier of the first container`. Two runs with the same deviation then have
 * the same texts. Roles are numbered in the order of their occurrence.
 * @param exchanges the ids that texts may contain
 */
export function byRole(texts: readonly string[], known: KnownNames, exchanges: readonly string[]): ByRole {
  const roles = new Roles(known, exchanges);
  return { texts: texts.map((text) => roles.in(text)), names: roles.names };
}

/** A text with its roles replaced by what they stand for. */
export function withNames(text: string, names: Readonly<Record<string, string>> = {}): string {
  // Longest first: one role may contain another.
  const roles = Object.keys(names).toSorted((one, other) => other.length - one.length);
  return roles.reduce((rest, role) => rest.replaceAll(role, () => names[role] ?? role), text);
}

class Roles {
  readonly #known: KnownNames;
  readonly #own: RegExp;
  readonly #exchanges: readonly string[];
  readonly #byText = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(known: KnownNames, exchanges: readonly string[]) {
    this.#known = known;
    this.#exchanges = exchanges;
    // In a query a name may directly follow an escaped slash.
    const begins = '(?:(?<![0-9A-Za-z])|(?<=%[0-9A-F]{2}))';
    this.#own = new RegExp(`${begins}ec-${known.run}-(?:probe:latest|[0-9a-z]+)|\\b${known.run}\\b`, 'g');
  }

  get names(): Record<string, string> {
    return Object.fromEntries([...this.#byText].map(([text, role]) => [role, text]));
  }

  in(text: string): string {
    return text
      .replace(place, (found) => this.#role(found, 'place'))
      .replace(cutOff, '$1…')
      .replace(this.#own, (name) => this.#ofName(name))
      .replace(ofAnyForm, (word) => this.#ofKnown(word) ?? word)
      .replace(uuid, (id) => this.#role(id, 'identifier'))
      .replace(identifier, (id) => this.#ofKnown(id) ?? this.#role(id, 'identifier'))
      .replace(time, (moment) => this.#role(moment, 'time'))
      .replace(hardwareAddress, (found) => this.#role(found, 'hardware address'))
      .replace(address, (found) => this.#role(found, 'address'))
      .replace(exchange, (id) => (this.#exchanges.includes(id) ? this.#role(id, 'exchange') : id));
  }

  #ofName(name: string): string {
    const { run } = this.#known;
    if (name === run) return this.#set(name, roleOfRun);
    if (name.startsWith(`ec-${run}-probe`)) return this.#set(name, 'the probe image');
    return this.#role(name, this.#known.kindOf(name) ?? 'name');
  }

  /** @returns undefined for what is not known to identify anything */
  #ofKnown(id: string): string | undefined {
    const known = this.#known.identified(id.replace(/^sha256:/, ''));
    if (!known) return undefined;
    return this.#set(id, `the ${known.isWhole ? '' : 'short '}identifier of ${this.#ofName(known.name)}`);
  }

  #role(text: string, what: string): string {
    const before = this.#byText.get(text);
    if (before !== undefined) return before;
    const count = this.#counts.get(what) ?? 0;
    this.#counts.set(what, count + 1);
    return this.#set(text, `the ${ordinals[count] ?? `${count + 1}th`} ${what}`);
  }

  #set(text: string, role: string): string {
    this.#byText.set(text, role);
    return role;
  }
}
