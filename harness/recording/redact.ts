import type { HeaderList } from '../events.ts';

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
// The text may be cut off in the middle of a value.
const jsonSecret = new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`, 'gi');
/** What is shorter is no secret, and would be found everywhere. */
const shortestToken = 6;
const tokenName = /^(?:access_token|refresh_token|id_token|token)$/i;
const jsonToken = /"(?:access_token|refresh_token|id_token|token)"\s*:\s*"((?:[^"\\]|\\.)*)/gi;
const formSecret = new RegExp(`((?:^|[?&])(?:${secretNames})=)[^&\\s]*`, 'gi');

/** Takes credentials and tokens out of what is kept, before it is kept. */
export class Redactor {
  /** The longest first, as one may be a part of another. */
  #secrets: readonly string[] = [];

  /** @param secrets values the user gave that may appear nowhere, wherever the daemon repeats them */
  constructor(secrets: readonly string[] = []) {
    this.#add(secrets.filter((secret) => secret !== ''));
  }

  /** Takes the tokens of an answer for secrets, wherever they are repeated. */
  learn(body: string): void {
    this.#add(tokensIn(body).filter((token) => token.length >= shortestToken));
  }

  #add(secrets: readonly string[]): void {
    const all = new Set([...this.#secrets, ...secrets.flatMap(spellings)]);
    this.#secrets = [...all].toSorted((one, other) => other.length - one.length);
  }

  headers(headers: HeaderList): HeaderList {
    return headers.map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? hidden : this.#known(value)]);
  }

  text(text: string): string {
    return this.#known(withoutNamed(text));
  }

  /** Bytes that are no text may have a secret among them all the same. */
  bytes(bytes: Uint8Array): Buffer {
    let clean = withoutNamed(latin1(bytes));
    for (const secret of this.#secrets) clean = clean.replaceAll(latin1(Buffer.from(secret)), hidden);
    return Buffer.from(clean, 'latin1');
  }

  #known(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, hidden);
    return clean;
  }
}

function withoutNamed(text: string): string {
  return text.replace(jsonSecret, `$1"${hidden}"`).replace(formSecret, `$1${hidden}`);
}

/** One character for each byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** How a secret may be written: as it is, in a form or path, in JSON, and in base64. */
function spellings(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, form, encodeURIComponent(secret), json, bytes.toString('base64'), bytes.toString('base64url')];
}

/** The texts in an answer that stand for a token, whatever they are wrapped in. */
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
