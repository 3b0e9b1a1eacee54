import type { HeaderList } from '../events.ts';

const hidden = '[redacted]';

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'x-registry-auth',
  'x-registry-config',
  'cookie',
]);

const secretNames = 'password|identitytoken|access_token|refresh_token|registrytoken|token|auth';
const jsonSecret = new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi');
const formSecret = new RegExp(`((?:^|[?&])(?:${secretNames})=)[^&\\s]*`, 'gi');

/** Takes credentials and tokens out of what is kept, before it is kept. */
export class Redactor {
  readonly #secrets: readonly string[];

  /** @param secrets values the user gave that may appear nowhere, wherever the daemon repeats them */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets.filter((secret) => secret !== '');
  }

  headers(headers: HeaderList): HeaderList {
    return headers.map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? hidden : this.#known(value)]);
  }

  text(text: string): string {
    const names = text.replace(jsonSecret, `$1"${hidden}"`).replace(formSecret, `$1${hidden}`);
    return this.#known(names);
  }

  #known(text: string): string {
    return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, hidden), text);
  }
}
