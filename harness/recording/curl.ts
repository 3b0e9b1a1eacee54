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

/** What is longer does not fit a line. */
const longestRaw = 16 * 1024;

/** A shell line that sends bytes as they are, which curl would not do. */
export function rawLine(address: Address, bytes: Buffer): string {
  const to =
    address.kind === 'unix'
      ? `nc -N -U ${quote(address.socketPath)}`
      : address.tls
        ? `openssl s_client -quiet -connect ${address.host}:${address.port}`
        : `nc -N ${address.host} ${address.port}`;
  const line = `printf %s '${bytes.subarray(0, longestRaw).toString('base64')}' | base64 -d | ${to}`;
  return bytes.length > longestRaw ? `${line} # the first ${longestRaw} bytes of ${bytes.length}` : line;
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
