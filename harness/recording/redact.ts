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

const secretNames = 'password|identitytoken|access_token|refresh_token|registrytoken|token|auth';
// The text may be cut off in the middle of a value.
const jsonSecret = new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`, 'gi');
/** What is shorter is no secret, and would be found everywhere. */
const shortestToken = 6;
const jsonToken = /"(?:access_token|refresh_token|id_token|token)"\s*:\s*("(?:[^"\\]|\\.)*")/gi;
const formSecret = new RegExp(`((?:^|[?&])(?:${secretNames})=)[^&\\s]*`, 'gi');

/** Takes credentials and tokens out of what is kept, before it is kept. */
export class Redactor {
  /** The longest first, as one may be a part of another. */
  #secrets: readonly string[] = [];

  /** @param secrets values the user gave that may appear nowhere, wherever the daemon repeats them */
  constructor(secrets: readonly string[] = []) {
    this.#add(secrets.filter((secret) => secret !== '').flatMap((secret) => [...written(secret), ...encoded(secret)]));
  }

  /** Takes the tokens of an answer for secrets, wherever they are repeated. */
  learn(body: string): void {
    const tokens = [...body.matchAll(jsonToken)].map(([, quoted = '']) => unquoted(quoted));
    this.#add(tokens.filter((token) => token.length >= shortestToken).flatMap(written));
  }

  #add(spellings: readonly string[]): void {
    const all = new Set([...this.#secrets, ...spellings]);
    this.#secrets = [...all].toSorted((a, b) => b.length - a.length);
  }

  headers(headers: HeaderList): HeaderList {
    return headers.map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? hidden : this.#known(value)]);
  }

  text(text: string): string {
    const names = text.replace(jsonSecret, `$1"${hidden}"`).replace(formSecret, `$1${hidden}`);
    return this.#known(names);
  }

  #known(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, hidden);
    return clean;
  }
}

/** How a secret may be written in a text: as it is, in a form or path, and in JSON. */
function written(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  return [secret, form, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

function encoded(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [bytes.toString('base64'), bytes.toString('base64url')];
}

function unquoted(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : '';
  } catch {
    return quoted.slice(1, -1);
  }
}
