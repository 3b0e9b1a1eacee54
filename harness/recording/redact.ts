import type { HeaderList } from '../events.ts';
import { isOwnText } from './own-texts.ts';

const hidden = '[redacted]';

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'x-registry-auth',
  'x-registry-config',
  'cookie',
  'set-cookie',
]);

const secretNames = 'password|identitytoken|access_token|refresh_token|id_token|registrytoken|token|auth';
// The text may be cut off in the middle of a value. An empty value is not a secret.
const jsonSecret = new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)+(?:"|\\\\?$)`, 'gi');
/** Anything shorter is not a secret, and would be found everywhere. */
const shortestToken = 6;
/** A shorter beginning of a secret may also begin a common word. */
const shortestCut = 8;
const tokenName = /^(?:access_token|refresh_token|id_token|token)$/i;
const jsonToken = /"(?:access_token|refresh_token|id_token|token)"\s*:\s*"((?:[^"\\]|\\.)*)/gi;
// What the suite invented in order to be refused is not a secret, and shows a reader what was sent.
const formSecret = new RegExp(`((?:^|[?&])(?:${secretNames})=)(?!ec-unknown-)[^&\\s]*`, 'gi');

/** Removes credentials and tokens before anything is kept. */
export class Redactor {
  /** Longest first, as one may be a part of another. */
  #secrets: readonly Secret[] = [];
  /** The same with one character for each byte. */
  #asBytes: readonly Secret[] = [];

  /**
   * @param secrets the user's values that must not appear anywhere, even where the daemon repeats them. A secret that
   * is also a word of the suite cannot be told from that word; it is hidden after its name, and where it is encoded.
   */
  constructor(secrets: readonly string[] = []) {
    const given = secrets.filter((secret) => secret !== '');
    const spelt = given.flatMap((secret) => [...spellings(secret), ...disguises(secret)]);
    this.#add(spelt.filter((text) => !isOwnText(text)));
  }

  /** Treats the tokens in an answer as secrets, wherever they are repeated. */
  learn(body: string): void {
    this.#add(
      tokensIn(body)
        .filter((token) => token.length >= shortestToken && !isOwnText(token))
        .flatMap(spellings),
    );
  }

  #add(spelt: readonly string[]): void {
    if (spelt.length === 0) return;
    const all = new Map(this.#secrets.map((secret) => [secret.text, secret]));
    for (const text of spelt) if (!all.has(text)) all.set(text, secretOf(text));
    this.#secrets = [...all.values()].toSorted((one, other) => other.text.length - one.text.length);
    this.#asBytes = this.#secrets.map((secret) => {
      const bytes = latin1(Buffer.from(secret.text));
      return bytes === secret.text ? secret : secretOf(bytes);
    });
  }

  headers(headers: HeaderList): HeaderList {
    // Nearly all have no part of any secret, which is found out for all of them at once.
    const together = headers.map(([, value]) => value).join('\n');
    const known = partsIn(together, this.#secrets).length === 0 ? asItIs : (value: string) => this.known(value);
    return headers.map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? hidden : known(value)]);
  }

  text(text: string): string {
    return this.known(withoutNamed(text));
  }

  /** Bytes that are not text may still contain a secret. */
  bytes(bytes: Uint8Array): Buffer {
    return Buffer.from(hide(withoutNamed(latin1(bytes)), this.#asBytes), 'latin1');
  }

  /**
   * The pieces of a stream, with secrets that are split between two of them overwritten; those inside one piece are
   * left to `bytes`.
   */
  pieces(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    if (pieces.length < 2) return pieces;
    const whole = Buffer.concat(pieces);
    const text = latin1(whole);
    let end = 0;
    const ends = pieces.map((piece) => (end += piece.length));
    for (const [from, to] of this.#spans(text)) {
      if (ends.some((border) => border > from && border < to)) whole.fill('*', from, to);
    }
    return pieces.map((piece, at) => whole.subarray((ends[at] ?? 0) - piece.length, ends[at]));
  }

  /** Where secrets are in a text with one character per byte. */
  *#spans(text: string): Iterable<readonly [from: number, to: number]> {
    for (const { text: secret } of this.#asBytes) {
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) yield [at, at + secret.length];
    }
    for (const named of [jsonSecret, formSecret]) {
      for (const { 0: match, 1: name = '', index } of text.matchAll(named)) {
        yield [index + name.length, index + match.length];
      }
    }
  }

  /** Removes known secrets, and leaves what only its name makes look like a secret. */
  known(text: string): string {
    return hide(text, this.#secrets);
  }
}

interface Secret {
  readonly text: string;
  /** The shortest beginning by which a truncated secret is recognized: not a word of the suite's own. */
  readonly half: string;
}

function secretOf(text: string): Secret {
  let length = Math.min(text.length, Math.max(shortestCut, Math.ceil(text.length / 2)));
  while (length < text.length && isOwnText(text.slice(0, length))) length++;
  return { text, half: text.slice(0, length) };
}

/** The secrets of which a text has at least the part by which they are recognized. */
function partsIn(text: string, secrets: readonly Secret[]): readonly Secret[] {
  return secrets.filter(({ half }) => text.includes(half));
}

function asItIs(text: string): string {
  return text;
}

/** @param secrets longest first */
function hide(text: string, secrets: readonly Secret[]): string {
  const there = partsIn(text, secrets);
  let clean = text;
  for (const secret of there) clean = clean.replaceAll(secret.text, hidden);
  for (const secret of there) clean = withoutCut(clean, secret);
  return clean;
}

/** A text may have been cut off inside a secret; the rest counts as the secret if it is at least half of it. */
function withoutCut(text: string, { text: secret, half }: Secret): string {
  if (half.length >= secret.length) return text;
  let clean = text;
  for (let at = clean.indexOf(half); at >= 0; at = clean.indexOf(half, at + hidden.length)) {
    let end = at + half.length;
    while (end < clean.length && clean[end] === secret[end - at]) end++;
    clean = clean.slice(0, at) + hidden + clean.slice(end);
  }
  return clean;
}

function withoutNamed(text: string): string {
  const clean = text.replace(jsonSecret, `$1"${hidden}"`);
  return clean.includes('=') ? clean.replace(formSecret, `$1${hidden}`) : clean;
}

/** One character for each byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** The forms of a secret: plain, in a form or path, in JSON, and in base64. */
function spellings(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = [bytes.toString('base64'), bytes.toString('base64url'), ...insideBase64(bytes)];
  return [secret, form, encodeURIComponent(secret), encodeURI(secret), json, ...base64];
}

/** The common spellings of quotes and apostrophes in HTML. */
const quotes = [
  ...([
    ['"', "'"],
    ['&quot;', "'"],
    ['&quot;', '&#39;'],
    ['&quot;', '&#039;'],
  ] as const),
  ...([
    ['&quot;', '&#x27;'],
    ['&quot;', '&apos;'],
    ['&#34;', '&#39;'],
    ['&#34;', '&#x27;'],
    ['&#x22;', '&#x27;'],
  ] as const),
] as const;

/** Ways in which a server may disguise a password: in hex, backwards, in HTML, or in ASCII alone. */
function disguises(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  const json = JSON.stringify(secret).slice(1, -1);
  const escaped = (text: string, pattern: RegExp) =>
    text.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const bare = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const inHtml = quotes.map(([quote, apostrophe]) => bare.replaceAll('"', quote).replaceAll("'", apostrophe));
  return [
    ...[hex, hex.toUpperCase(), [...secret].toReversed().join('')],
    ...[...new Set(inHtml)],
    ...[escaped(json, /[<>&]/g), escaped(json, /[^\x20-\x7e]/g), escaped(json, /[<>&]|[^\x20-\x7e]/g)],
  ];
}

/** The part of a longer text's base64 that depends only on a secret inside it, at any offset. */
function insideBase64(secret: Buffer): string[] {
  const inside = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), secret]).toString('base64');
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + secret.length) * 8) / 6));
  });
  const urlSafe = inside.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...inside, ...urlSafe].filter((text) => text.length >= shortestToken);
}

/** The strings in an answer that are tokens, whatever they are wrapped in. */
function tokensIn(body: string): string[] {
  try {
    return secretTexts(JSON.parse(body), false);
  } catch {
    return [...body.matchAll(jsonToken)].map(([, token = '']) => token);
  }
}

function secretTexts(value: unknown, isSecret: boolean): string[] {
  if (typeof value === 'string' || typeof value === 'number') return isSecret ? [String(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretTexts(inner, isSecret || tokenName.test(name)));
}
