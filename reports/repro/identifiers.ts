import type { RecordedExchange } from '../../harness/events.ts';
import { madeIdentifier } from '../../harness/recording/made-identifier.ts';

/** The digits of an encoded character before one, as in `%22`, are not part of it. */
const hexadecimal = /(?<=^|[^0-9a-f%]|%[0-9A-Fa-f]{2})(?<!%[0-9A-Fa-f]?)[0-9a-f]{12,64}/gm;
const isHexadecimal = /^[0-9a-f]{12,}$/;
/** Where an identifier of another form may be, or a part of one. */
const word = /(?<=^|[^\w%-]|%[0-9A-Fa-f]{2})(?<!%[0-9A-Fa-f]?)[\w-]{6,}/gm;
/** A shorter word may be in an identifier by chance. */
const shortestPart = 12;

/** A text in another one: an identifier, or the part of one by which a request names something. */
export interface Found {
  readonly text: string;
  readonly index: number;
}

/**
 * What identifiers look like. Any 12 to 64 hexadecimal digits may be one; nothing says that a daemon has no other form, so
 * whatever it answered as the identifier of what it made is one, too.
 */
export class Identifiers {
  readonly #others = new Set<string>();

  /** @param exchanges whose answers tell what the daemon made */
  constructor(exchanges: readonly RecordedExchange[]) {
    for (const exchange of exchanges) {
      const made = madeIdentifier(exchange);
      if (made !== undefined && !isHexadecimal.test(made)) this.#others.add(made);
    }
  }

  /** Whether a text has any, or digits that may be a part of one. */
  areIn(text: string): boolean {
    return (
      /[0-9a-f]{12}/.test(text) || (this.#others.size > 0 && found(text, word).some((one) => this.#isPart(one.text)))
    );
  }

  /** Those in a text, in order. */
  in(text: string): Found[] {
    const digits = found(text, hexadecimal);
    if (this.#others.size === 0) return digits;
    const others = found(text, word).filter((one) => this.#isPart(one.text));
    const apart = digits.filter((one) => !others.some((other) => overlap(one, other)));
    return [...others, ...apart].toSorted((one, other) => one.index - other.index);
  }

  #isPart(text: string): boolean {
    if (this.#others.has(text)) return true;
    if (text.length < shortestPart) return false;
    for (const identifier of this.#others) if (identifier.includes(text)) return true;
    return false;
  }
}

/** What has a form in a text. */
export function found(text: string, form: RegExp): Found[] {
  return [...text.matchAll(form)].map((match) => ({ text: match[0], index: match.index }));
}

function overlap(one: Found, other: Found): boolean {
  return one.index < other.index + other.text.length && other.index < one.index + one.text.length;
}
