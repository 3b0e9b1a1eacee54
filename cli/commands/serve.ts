import { parseAddress, type Tls } from '../../harness/target/address.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { type ReferenceEngineOptions, startReferenceEngine, type TlsOptions } from '../../reference/index.ts';
import { startReferenceTokenServer } from '../../reference/token-server/index.ts';
import { visibleLine } from '../../reports/visible.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { type TlsFlags, tlsFiles } from '../target.ts';
import { type AuthFlags, scopesOf, userOf } from '../token-server.ts';

/** By TLS the engine is served with a certificate and its key; a CA is the one that clients' certificates are signed by. */
export interface ServeFlags extends AuthFlags, TlsFlags {
  readonly listen?: string;
  readonly token?: string;
  readonly dialect: 'engine' | 'docker';
  readonly api?: readonly ApiVersion[];
  readonly corsOrigin?: string;
}

interface Served {
  readonly says: string;
  close(): Promise<void>;
}

/** Serves the reference engine, the reference token server, or both until Ctrl-C. @returns the exit status */
export async function serveCommand(flags: ServeFlags): Promise<number> {
  const { listen, token } = flags;
  if (listen === undefined && token === undefined) {
    throw new UsageError('say where to listen: the engine with --listen, the token server with --token');
  }
  const tokenListener = token === undefined ? undefined : tokenListenerOf(token, flags);
  const engineListener = listen === undefined ? undefined : engineListenerOf(listen, flags);
  const interrupt = watchInterrupt(() => {});
  const served: Served[] = [];
  try {
    if (engineListener) served.push(await engineListener());
    if (tokenListener) served.push(await tokenListener());
    for (const { says } of served) process.stdout.write(`${says}; end it with Ctrl-C\n`);
    await ended(interrupt.signal);
  } finally {
    await Promise.all(served.map((one) => one.close()));
    interrupt.stop();
  }
  return exitStatus.kept;
}

function engineListenerOf(listen: string, flags: ServeFlags): () => Promise<Served> {
  const options = engineOptions(listen, flags);
  return async () => {
    const engine = await listening(startReferenceEngine(options), listen, '--listen');
    return { says: `the reference engine listens on ${visibleLine(engine.address)}`, close: () => engine.close() };
  };
}

function tokenListenerOf(token: string, flags: ServeFlags): () => Promise<Served> {
  const address = parseAddress(token);
  if (address.kind === 'unix' || address.tls) {
    throw new UsageError('the reference token server listens on tcp://host:port with --token, without TLS');
  }
  const user = userOf(flags);
  if (!user) throw new UsageError('name the user who gets tokens with --auth-user and --auth-password');
  const users = [{ ...user, scope: scopesOf(flags).join(' ') }];
  const services = flags.authService === undefined ? {} : { service: flags.authService };
  const { host, port } = address;
  return async () => {
    const server = await listening(
      startReferenceTokenServer({ listen: { host, port }, users, ...services }),
      token,
      '--token',
    );
    return { says: `the reference token server listens on ${visibleLine(server.url)}`, close: () => server.close() };
  };
}

/** @throws UsageError when nothing can listen there */
function listening<T>(starting: Promise<T>, where: string, option: string): Promise<T> {
  return starting.catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot listen on ${where}: ${why}; choose another address with ${option}`, { cause: error });
  });
}

function engineOptions(listen: string, { dialect, api, corsOrigin, ...tlsFlags }: ServeFlags): ReferenceEngineOptions {
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
