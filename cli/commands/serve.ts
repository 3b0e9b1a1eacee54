import { parseAddress } from '../../harness/target/address.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { removeStaleSocket } from '../../proxy/stale-socket.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { startReferenceTokenServer } from '../../reference/token-server/index.ts';
import { visibleLine } from '../../reports/visible.ts';
import { type EngineListenerFlags, engineOptions } from '../engine-listener.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { type AuthFlags, scopesOf, userOf } from '../token-server.ts';

export interface ServeFlags extends AuthFlags, EngineListenerFlags {
  readonly listen?: string;
  readonly token?: string;
  /** Rules that the engine should break on purpose. */
  readonly fault?: readonly string[];
}

interface Served {
  readonly says: string;
  /** How it deviates from the contract. */
  readonly broken?: string;
  close(): Promise<void>;
}

/** Serves the reference engine, the reference token server, or both until Ctrl-C. @returns the exit status */
export async function serveCommand(flags: ServeFlags): Promise<number> {
  const { listen, token } = flags;
  if (listen === undefined && token === undefined) {
    throw new UsageError('say where to listen: the engine with --listen, the token server with --token');
  }
  if (flags.fault !== undefined && listen === undefined) throw new UsageError('--fault needs an engine: give --listen');
  const tokenListener = token === undefined ? undefined : tokenListenerOf(token, flags);
  const engineListener = listen === undefined ? undefined : await engineListenerOf(listen, flags);
  const interrupt = watchInterrupt(() => {});
  const served: Served[] = [];
  try {
    if (engineListener) served.push(await engineListener());
    if (tokenListener) served.push(await tokenListener());
    for (const { says, broken = '' } of served) process.stdout.write(`${says}; press Ctrl-C to end${broken}\n`);
    await ended(interrupt.signal);
  } finally {
    await Promise.all(served.map((one) => one.close()));
    interrupt.stop();
  }
  return exitStatus.kept;
}

async function engineListenerOf(listen: string, flags: ServeFlags): Promise<() => Promise<Served>> {
  const options = engineOptions(listen, flags);
  const faulty = flags.fault && (await import('../faulty/faulty-engine.ts'));
  const faults = faulty ? await Promise.all((flags.fault ?? []).map(faulty.servedFault)) : [];
  return async () => {
    if ('socketPath' in options.listen) await removeStaleSocket(options.listen.socketPath);
    const starting = faulty ? faulty.startFaultyEngine(options, faults) : startReferenceEngine(options);
    const engine = await listening(starting, listen, '--listen');
    const broken = faults.map(({ rule, fault }) => `\n  breaks ${rule.id} on purpose: ${fault.name}`).join('');
    return {
      says: `the reference engine listens on ${visibleLine(engine.address)}`,
      broken,
      close: () => engine.close(),
    };
  };
}

function tokenListenerOf(token: string, flags: ServeFlags): () => Promise<Served> {
  const address = parseAddress(token);
  if (address.kind === 'unix' || address.tls) {
    throw new UsageError('the reference token server does not speak TLS: give --token as tcp://host:port');
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

/** @throws UsageError when it cannot listen there */
function listening<T>(starting: Promise<T>, where: string, option: string): Promise<T> {
  return starting.catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot listen on ${where}: ${why}; choose another address with ${option}`, { cause: error });
  });
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // An event listener alone does not keep a process alive, but the engine's socket does.
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
