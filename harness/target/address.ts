import { readFileSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** Where a daemon listens, and how to reach it. */
export type Address =
  | { readonly kind: 'unix'; readonly text: string; readonly socketPath: string }
  | {
      readonly kind: 'tcp';
      readonly text: string;
      readonly host: string;
      readonly port: number;
      readonly tls?: Tls;
      /** Where `tls` was read from. */
      readonly tlsFiles?: TlsFiles;
    };

/** Certificates and keys (PEM) of a connection. */
export interface Tls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const forms = 'unix:///path/to/socket, tcp://host:port, http://host:port or https://host:port';

/**
 * Reads a target address: `unix:///path`, `tcp://host:port`, `http://host:port`, `https://host:port`. TLS is used for
 * `https` and for `tcp` with a CA or certificate given.
 * @throws UsageError when the text is not such an address or a file cannot be read.
 */
export function parseAddress(text: string, files: TlsFiles = {}): Address {
  if (text.startsWith('unix://')) {
    const socketPath = text.slice('unix://'.length);
    if (!socketPath.startsWith('/')) {
      throw new UsageError(`the socket path of '${text}' is not absolute; write it as unix:///path/to/socket`);
    }
    return { kind: 'unix', text, socketPath };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['tcp:', 'http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new UsageError(`'${withoutUser(text)}' is not a target address; use ${forms}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`'${withoutUser(text)}': an engine's address must not contain a user; leave it out`);
  }
  const secure = url.protocol === 'https:' || (url.protocol === 'tcp:' && Object.keys(files).length > 0);
  // URL drops the default ports of its own schemes; an engine's are 2375 and, with TLS, 2376.
  const port = url.port === '' ? defaultPort(url.protocol, secure) : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { kind: 'tcp', text, host, port, ...(secure && { tls: readTls(files), tlsFiles: files }) };
}

/** The origin of requests to an address: the start of a URL, with a placeholder for a socket. */
export function originOf(address: Address): string {
  if (address.kind === 'unix') return 'http://localhost';
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${address.tls ? 'https' : 'http'}://${host}:${address.port}`;
}

/** An address for display: what precedes the host may be a password. */
function withoutUser(text: string): string {
  return text.replace(/\/\/.*@/, '//[redacted]@');
}

function defaultPort(protocol: string, secure: boolean): number {
  if (protocol === 'http:') return 80;
  if (protocol === 'https:') return 443;
  return secure ? 2376 : 2375;
}

function readTls(files: TlsFiles): Tls {
  return {
    ...(files.ca !== undefined && { ca: readFile(files.ca) }),
    ...(files.cert !== undefined && { cert: readFile(files.cert) }),
    ...(files.key !== undefined && { key: readFile(files.key) }),
  };
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
