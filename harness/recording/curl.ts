import type { HeaderList } from '../events.ts';
import { type Address, originOf } from '../target/address.ts';
import { writesBytes } from './shell-bytes.ts';

/** What a curl line sends. At most one of the bodies is set. */
export interface CurlRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  /** Text that has already been redacted. */
  readonly body?: string;
  /** Bytes that are not text. */
  readonly base64?: string;
  /** A description of the body, where it does not fit into the line: the reader has to supply a file. */
  readonly missing?: string;
}

/** A shell line that makes the same request with curl. */
export function curlLine(address: Address, { method, path, headers, body, base64, missing }: CurlRequest): string {
  const words = ['curl', '-i', ...methodWords(method)];
  if (address.kind === 'unix') words.push('--unix-socket', quote(address.socketPath));
  words.push(...tlsWords(address));
  for (const [name, value] of headers) words.push('-H', quote(`${name}: ${value}`));
  const data = missing === undefined ? (base64 === undefined ? body : '@-') : '@BODY-FILE';
  if (data !== undefined) words.push('--data-binary', quote(data));
  words.push(quote(originOf(address) + path));
  const line = words.join(' ');
  if (missing !== undefined) return `${line} # BODY-FILE: ${missing}`;
  return base64 === undefined ? line : `${writesBytes(Buffer.from(base64, 'base64'))} | ${line}`;
}

/** Whether a line is a curl command, and not one that sends bytes unchanged. */
export function isCurlLine(line: string): boolean {
  return /^(?:(?:printf (?:%s )?'[^']*'|head -c \d+ \/dev\/zero|base64 -d|[{;|}]) ?)*curl /.test(line);
}

/** Longer ones do not fit into a line. */
const longestRaw = 16 * 1024;

/** A shell line that sends bytes unchanged, which curl cannot do. */
export function rawLine(address: Address, bytes: Buffer): string {
  const to =
    address.kind === 'unix'
      ? `nc -N -U ${quote(address.socketPath)}`
      : address.tls
        ? `openssl s_client -quiet -connect ${address.host}:${address.port}`
        : `nc -N ${address.host} ${address.port}`;
  const line = `${writesBytes(bytes.subarray(0, longestRaw))} | ${to}`;
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

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
