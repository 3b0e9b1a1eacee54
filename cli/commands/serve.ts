import { parseAddress, type Tls } from '../../harness/target/address.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { type ReferenceEngineOptions, startReferenceEngine, type TlsOptions } from '../../reference/index.ts';
import { visibleLine } from '../../reports/visible.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { type TlsFlags, tlsFiles } from '../target.ts';

/** By TLS it is served with a certificate and its key; a CA is the one that clients' certificates are signed by. */
export interface ServeFlags extends TlsFlags {
  readonly listen: string;
  readonly dialect: 'engine' | 'docker';
  readonly api?: readonly ApiVersion[];
  readonly corsOrigin?: string;
}

/** Serves the reference engine until Ctrl-C. @returns the exit status */
export async function serveCommand(flags: ServeFlags): Promise<number> {
  const options = engineOptions(flags);
  const interrupt = watchInterrupt(() => {});
  const engine = await startReferenceEngine(options).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot listen on ${flags.listen}: ${why}; choose another address with --listen`, {
      cause: error,
    });
  });
  try {
    process.stdout.write(`the reference engine listens on ${visibleLine(engine.address)}; end it with Ctrl-C\n`);
    await ended(interrupt.signal);
  } finally {
    await engine.close();
    interrupt.stop();
  }
  return exitStatus.kept;
}

function engineOptions({ listen, dialect, api, corsOrigin, ...tlsFlags }: ServeFlags): ReferenceEngineOptions {
  const files = tlsFiles(tlsFlags);
  const secured = Object.keys(files).length > 0;
  const address = parseAddress(listen, files);
  if (secured && !(address.kind === 'tcp' && address.tls)) {
    throw new UsageError(`'${listen}' cannot be served by TLS; use tcp://host:port`);
  }
  return {
    listen: address.kind === 'unix' ? { socketPath: address.socketPath } : { host: address.host, port: address.port },
    dialect,
    ...(address.kind === 'tcp' && address.tls && { tls: tlsOptions(address.tls) }),
    ...(api !== undefined && { serves: api }),
    ...(corsOrigin !== undefined && { corsHeader: corsOrigin }),
  };
}

/** With a CA, clients need a certificate that it signed. */
function tlsOptions({ ca, cert, key }: Tls): TlsOptions {
  if (!cert || !key) throw new UsageError('to serve by TLS give both --tls-cert and --tls-key');
  return { cert, key, ...(ca && { ca, requestClientCert: true }) };
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // An event listener alone does not keep a process alive, but the engine's socket does.
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
