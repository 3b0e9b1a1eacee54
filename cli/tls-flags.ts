import type { TlsFiles } from '../harness/target/address.ts';

/** Files (PEM) of a connection by TLS. */
export interface TlsFlags {
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** The files of these that the user names. */
export function tlsFiles({ tlsCa, tlsCert, tlsKey }: TlsFlags): TlsFiles {
  return {
    ...(tlsCa !== undefined && { ca: tlsCa }),
    ...(tlsCert !== undefined && { cert: tlsCert }),
    ...(tlsKey !== undefined && { key: tlsKey }),
  };
}
