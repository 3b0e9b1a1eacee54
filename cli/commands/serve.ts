import { parseAddress } from '../../harness/target/address.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { visibleLine } from '../../reports/visible.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';

export interface ServeFlags {
  readonly listen: string;
  readonly dialect: 'engine' | 'docker';
}

/** Serves the reference engine until Ctrl-C. @returns the exit status */
export async function serveCommand({ listen, dialect }: ServeFlags): Promise<number> {
  const address = parseAddress(listen);
  if (address.kind === 'tcp' && address.tls) {
    throw new UsageError('the reference engine serves no TLS; use unix:///path or tcp://host:port with --listen');
  }
  const at = address.kind === 'unix' ? { socketPath: address.socketPath } : { host: address.host, port: address.port };
  const interrupt = watchInterrupt(() => {});
  const engine = await startReferenceEngine({ listen: at, dialect }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot listen on ${listen}: ${why}; choose another address with --listen`, { cause: error });
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

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // An event listener alone does not keep a process alive, but the engine's socket does.
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
