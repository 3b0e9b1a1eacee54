import type { ResourceKind } from '../sandbox/journal.ts';

/** What is known of the names and identifiers that a run came to. */
export interface KnownNames {
  /** The id of the run, which all its names have in them. */
  readonly run: string;
  /** What a name was given to; undefined for one that was put together of others. */
  kindOf(name: string): ResourceKind | undefined;
  /** The name under which a thing was made that has this identifier, or one that begins so. */
  nameOf(identifier: string): string | undefined;
}

/** Texts in which everything that differs from run to run stands by its role, and what each role was in this run. */
export interface ByRole {
  readonly texts: readonly string[];
  /** By the role, as `the first container`; empty where nothing differs. */
  readonly names: Readonly<Record<string, string>>;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** What is cut off in its middle: where the cut falls must not hang on the length of a name. */
const cutOff = /[\w:.-]+("?)…/g;
/** Whole, or as short as daemons write it; other lengths are bytes that a check shows. */
const identifier = /\b(?:sha256:[0-9a-f]{11,64}|(?=[0-9]*[a-f])(?=[a-f]*[0-9])(?:[0-9a-f]{64}|[0-9a-f]{11,12}))\b/g;
const hardwareAddress = /\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b/gi;
/** Of networks that are made, and of servers that the suite runs. */
const address =
  /\b(?:127\.0\.0\.1(?::|%3A)\d{4,5}|(?:10|172|192\.168|198\.1[89])(?:\.\d{1,3}){2,3}(?::\d+|\/\d+)?)(?![\d.])/g;
/** Times of the year 1 stand for none. */
const time = /\b2\d{3}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?/g;
const exchange = /\bx[1-9]\d*\b/g;
/** Where a stream breaks its format, and the bytes there: how writes are cut into reads differs. */
const place = /\boffset \d+(?:: [0-9a-f]{2}(?: [0-9a-f]{2})*)?/g;

/**
 * Puts roles in the place of what a run calls what it makes, of identifiers, times, places in streams and ids of exchanges: `the first
 * container`, `the identifier of the first container`. Two runs of one deviation then say the same. Roles are counted in
 * the order in which they come in the texts.
 * @param exchanges the ids that texts may name
 */
export function byRole(texts: readonly string[], known: KnownNames, exchanges: readonly string[]): ByRole {
  const roles = new Roles(known, exchanges);
  return { texts: texts.map((text) => roles.in(text)), names: roles.names };
}

/** A text with what its roles stand for. */
export function withNames(text: string, names: Readonly<Record<string, string>> = {}): string {
  // The longest first: one role may be named in another.
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
    // In a query a name may stand right after an escaped slash.
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
      .replace(identifier, (id) => this.#ofIdentifier(id))
      .replace(time, (moment) => this.#role(moment, 'time'))
      .replace(hardwareAddress, (found) => this.#role(found, 'hardware address'))
      .replace(address, (found) => this.#role(found, 'address'))
      .replace(exchange, (id) => (this.#exchanges.includes(id) ? this.#role(id, 'exchange') : id));
  }

  #ofName(name: string): string {
    const { run } = this.#known;
    if (name === run) return this.#set(name, 'the id of the run');
    if (name.startsWith(`ec-${run}-probe`)) return this.#set(name, 'the probe image');
    return this.#role(name, this.#known.kindOf(name) ?? 'name');
  }

  #ofIdentifier(id: string): string {
    const name = this.#known.nameOf(id.replace(/^sha256:/, ''));
    if (name === undefined) return this.#role(id, 'identifier');
    const isShort = id.length < 64;
    return this.#set(id, `the ${isShort ? 'short ' : ''}identifier of ${this.#ofName(name)}`);
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
