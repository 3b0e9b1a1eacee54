import { parseAddress, type Tls } from '../harness/target/address.ts';
import { UsageError } from '../harness/usage-error.ts';
import type { ReferenceEngineOptions, TlsOptions } from '../reference/index.ts';
import type { ApiVersion } from '../specs/versions.ts';
import { type TlsFlags, tlsFiles } from './tls-flags.ts';

/** For TLS: a certificate and its key; a CA that must have signed clients' certificates. */
export interface EngineListenerFlags extends TlsFlags {
  readonly dialect: 'engine' | 'docker';
  readonly api?: readonly ApiVersion[];
  readonly corsOrigin?: string;
}

/**
 * The options of the reference engine, and where it listens.
 * @throws UsageError when the address or a TLS file is invalid
 */
export function engineOptions(listen: string, flags: EngineListenerFlags): ReferenceEngineOptions {
  const files = tlsFiles(flags);
  const address = parseAddress(listen, files);
  if (Object.keys(files).length > 0 && !(address.kind === 'tcp' && address.tls)) {
    throw new UsageError(`'${listen}' cannot be served over TLS; use tcp://host:port`);
  }
  return {
    listen: address.kind === 'unix' ? { socketPath: address.socketPath } : { host: address.host, port: address.port },
    dialect: flags.dialect,
    ...(address.kind === 'tcp' && address.tls && { tls: tlsOptions(address.tls) }),
    ...(flags.api !== undefined && { serves: flags.api }),
    ...(flags.corsOrigin !== undefined && { corsHeader: flags.corsOrigin }),
  };
}

/** With a CA, clients need a certificate that it signed. */
function tlsOptions({ ca, cert, key }: Tls): TlsOptions {
  if (!cert || !key) throw new UsageError('to serve over TLS, give both --tls-cert and --tls-key');
  return { cert, key, ...(ca && { ca, requestClientCert: true }) };
}
