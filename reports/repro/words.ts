import type { RecordedExchange } from '../../harness/events.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { shellWord } from '../shell-word.ts';
import { type FlatLine, flat, pointerOf } from './flat.ts';
import { type Found, found, type Identifiers } from './identifiers.ts';
import { jsonOf } from './recorded.ts';

/** A value of an answer that later requests repeat. */
interface Carried {
  readonly variable: string;
  readonly value: string;
}

const second = /\b\d{10}\b/g;
/** A time further away than this is unrelated to the request. */
const nearSeconds = 24 * 3600;

/** Writes texts of requests as shell words, replacing what the run made by what the script makes. */
export class Words {
  readonly #run: string;
  readonly #identifiers: Identifiers;
  readonly #carried: Carried[] = [];
  readonly #lines: {
    readonly step: number;
    readonly pointer: string;
    readonly value: string;
    readonly of: RecordedExchange;
  }[] = [];

  constructor(run: string | undefined, identifiers: Identifiers) {
    this.#run = run ?? '';
    this.#identifiers = identifiers;
  }

  get identifiers(): readonly string[] {
    return this.#carried.map(({ value }) => value);
  }

  /** Whether a text names something of the run, and nothing else. */
  isName(text: string): boolean {
    return text.startsWith('ec-') || this.#identifiers.in(text)[0]?.text === text;
  }

  /** Notes an answer whose values later requests may repeat. */
  answered(step: number, exchange: RecordedExchange): void {
    const body = jsonOf(exchange);
    if (!body || body.isList) return;
    for (const { pointer, value } of flat(body.json)) {
      if (!/^"[^\\]*"$/.test(value)) continue;
      const text = value.slice(1, -1);
      if (this.#identifiers.areIn(text)) this.#lines.push({ step, pointer, value: text, of: exchange });
    }
  }

  /** The script's lines that extract from earlier answers what a text repeats. */
  carry(text: string): string[] {
    const taken: string[] = [];
    for (const { text: token } of this.#identifiers.in(text)) {
      if (token === this.#run || this.#carriedOf(token)) continue;
      const source = withPart(this.#lines, token, ({ value }) => bare(value));
      if (!source) continue;
      const variable = `ID${this.#carried.length + 1}`;
      this.#carried.push({ variable, value: bare(source.value) });
      const pointer = this.place(source.of, source.step, source.pointer.split('/').slice(1).map(unescaped));
      taken.push(
        `${variable}=$(text ${source.step} ${pointer})`,
        `${variable}=\${${variable}#sha256:}`,
        `IDS="$IDS $${variable}"`,
      );
    }
    return taken;
  }

  /**
   * Where a value is in the answer of a step: the item of a list is found by what it names of the script's own things.
   */
  place(exchange: RecordedExchange, step: number, steps: readonly string[]): string {
    const json = jsonOf(exchange)?.json;
    const anchor = json === undefined ? undefined : this.anchorOf(exchange, steps);
    if (!anchor) return this.quote(pointerOf(steps));
    const list = this.quote(pointerOf(steps.slice(0, anchor.depth)));
    const found = `$(item ${step} ${list} ${this.quote(anchor.pointer)} ${this.quote(anchor.value)})`;
    const rest = pointerOf(steps.slice(anchor.depth + 1));
    return `"${found}"${rest === '' ? '' : this.quote(rest)}`;
  }

  /** What identifies the item in the first list on the way: a value that names something of the run. */
  anchorOf(
    exchange: RecordedExchange,
    steps: readonly string[],
  ): { readonly depth: number; readonly pointer: string; readonly value: string } | undefined {
    let value = jsonOf(exchange)?.json;
    for (const [depth, step] of steps.entries()) {
      if (Array.isArray(value)) {
        const line = this.#ownLine(value[Number(step)]);
        // If all are about one thing, such as objects of statistics, the index distinguishes them.
        const isOfOne = depth === 0 && jsonOf(exchange)?.isList && value.every((item) => hasLine(item, line));
        return isOfOne ? undefined : line && { depth, ...line };
      }
      if (typeof value !== 'object' || value === null) return undefined;
      value = value[step];
    }
    return undefined;
  }

  /** The part of a value that names something of the run. */
  #ownLine(value: JsonValue | undefined): FlatLine | undefined {
    const own = flat(value ?? null).filter((one) => /^"/.test(one.value) && this.#isOwn(one.value));
    // A path includes what the daemon puts in front of the name.
    return own.find((one) => !/^"\/.*\//.test(one.value)) ?? own[0];
  }

  #isOwn(text: string): boolean {
    return (
      (this.#run !== '' && text.includes(`ec-${this.#run}-`)) || this.#carried.some(({ value }) => text.includes(value))
    );
  }

  /**
   * A text as one shell word. @param at when it was sent, in milliseconds: times near it are sent relative to the new
   * time
   */
  quote(text: string, at?: number): string {
    const pieces = this.#pieces(text, at);
    const word = pieces.map(({ text: one, isCode }) => (isCode ? `"${one}"` : shellWord(one))).join('');
    return word === '' ? "''" : word;
  }

  /** A text as one shell word, unchanged. */
  plain(text: string): string {
    return shellWord(text) || "''";
  }

  #pieces(text: string, at: number | undefined): { text: string; isCode: boolean }[] {
    const finds: { readonly find: Find; readonly code: (found: string) => string | undefined }[] = [
      ...(this.#run === ''
        ? []
        : [{ find: (one: string) => found(one, new RegExp(this.#run, 'g')), code: () => '$RUN' }]),
      { find: (one) => found(one, /\[redacted\]/g), code: () => '$SECRET' },
      { find: (one) => this.#identifiers.in(one), code: (token) => this.#code(token) },
      ...(at === undefined
        ? []
        : [{ find: (one: string) => found(one, second), code: (token: string) => timeCode(token, at) }]),
    ];
    let pieces = [{ text, isCode: false }];
    for (const { find, code } of finds) {
      pieces = pieces.flatMap((piece) => (piece.isCode ? [piece] : split(piece.text, find, code)));
    }
    return pieces.filter((piece) => piece.text !== '');
  }

  #code(token: string): string | undefined {
    const carried = this.#carriedOf(token);
    if (!carried) return undefined;
    const { variable, value } = carried;
    if (value === token) return `$${variable}`;
    const from = value.indexOf(token);
    if (from === 0) return `$(printf %.${token.length}s "$${variable}")`;
    return `$(printf %s "$${variable}" | cut -c${from + 1}-${from + token.length})`;
  }

  #carriedOf(token: string): Carried | undefined {
    return withPart(this.#carried, token, ({ value }) => value);
  }
}

/** The item whose identifier begins with a part, or else has it elsewhere. */
function withPart<T>(items: readonly T[], part: string, identifierOf: (item: T) => string): T | undefined {
  return (
    items.find((item) => identifierOf(item).startsWith(part)) ?? items.find((item) => identifierOf(item).includes(part))
  );
}

function hasLine(value: JsonValue, line: FlatLine | undefined): boolean {
  return flat(value).some((one) => one.pointer === line?.pointer && one.value === line.value);
}

function timeCode(token: string, at: number): string | undefined {
  const delta = Number(token) - Math.floor(at / 1000);
  if (Math.abs(delta) > nearSeconds) return undefined;
  return delta === 0 ? '$(date +%s)' : `$(($(date +%s)${delta < 0 ? '' : '+'}${delta}))`;
}

type Find = (text: string) => readonly Found[];

function split(text: string, find: Find, code: (found: string) => string | undefined) {
  const pieces: { text: string; isCode: boolean }[] = [];
  let from = 0;
  for (const place of find(text)) {
    const written = code(place.text);
    if (written === undefined) continue;
    pieces.push({ text: text.slice(from, place.index), isCode: false }, { text: written, isCode: true });
    from = place.index + place.text.length;
  }
  pieces.push({ text: text.slice(from), isCode: false });
  return pieces;
}

function bare(identifier: string): string {
  return identifier.replace(/^sha256:/, '');
}

function unescaped(step: string): string {
  const inner = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    const text: unknown = JSON.parse(`"${inner}"`);
    return typeof text === 'string' ? text : inner;
  } catch {
    return inner;
  }
}
