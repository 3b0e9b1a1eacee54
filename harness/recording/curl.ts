import type { HeaderList } from '../events.ts';
import type { Address } from '../target/address.ts';

/** A shell line that makes the same request with curl. `body` is text that was redacted already. */
export function curlLine(
  address: Address,
  request: { method: string; path: string; headers: HeaderList; body?: string },
): string {
  const words = ['curl', '-i', ...methodWords(request.method)];
  if (address.kind === 'unix') words.push('--unix-socket', quote(address.socketPath));
  words.push(...tlsWords(address));
  for (const [name, value] of request.headers) words.push('-H', quote(`${name}: ${value}`));
  if (request.body !== undefined) words.push('--data-binary', quote(request.body));
  words.push(quote(baseUrl(address) + request.path));
  return words.join(' ');
}

function methodWords(method: string): string[] {
  if (method === 'GET') return [];
  // With -X HEAD curl would wait for a body that never comes.
  return method === 'HEAD' ? ['--head'] : ['-X', method];
}

function tlsWords(address: Address): string[] {
  const { ca, cert, key } = (address.kind === 'tcp' && address.tlsFiles) || {};
  const named = [ca && ['--cacert', quote(ca)], cert && ['--cert', quote(cert)], key && ['--key', quote(key)]];
  return named.flatMap((option) => option || []);
}

function baseUrl(address: Address): string {
  if (address.kind === 'unix') return 'http://localhost';
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${address.tls ? 'https' : 'http'}://${host}:${address.port}`;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
