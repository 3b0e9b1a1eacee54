import type { TlsFiles } from '../harness/target/address.ts';

/** Files (PEM) for a TLS connection. */
export interface TlsFlags {
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** The files that the user named. */
export function tlsFiles({ tlsCa, tlsCert, tlsKey }: TlsFlags): TlsFiles {
  return {
    ...(tlsCa !== undefined && { ca: tlsCa }),
    ...(tlsCert !== undefined && { cert: tlsCert }),
    ...(tlsKey !== undefined && { key: tlsKey }),
  };
}
