import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Address, parseAddress, type TlsFiles } from '../harness/target/address.ts';
import { UsageError } from '../harness/usage-error.ts';

/** Where the daemon under test is, as the user says it by option or, for the address, by ENGINE_HOST. */
export interface TargetFlags extends TlsFlags {
  readonly target?: string;
}

/** Files (PEM) of a connection by TLS. */
export interface TlsFlags {
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export interface ChosenTarget {
  readonly address: Address;
  /** Ends the embedded engine, if that is the target. */
  close(): Promise<void>;
}

/**
 * The target that the user names; else the embedded reference engine, started.
 * @param dialect the words that an embedded engine is to speak
 * @param corsOrigin what an embedded engine is to have as its api-cors-header
 * @throws UsageError when the address or a TLS file is of no use
 */
export async function chooseTarget(flags: TargetFlags, dialect: string, corsOrigin = ''): Promise<ChosenTarget> {
  return namedTarget(flags) ?? (await embeddedTarget(dialect, corsOrigin));
}

/**
 * The target that the user names; for commands that make no sense on the embedded engine.
 * @throws UsageError when none is named
 */
export function requireTarget(flags: TargetFlags): Address {
  const named = namedTarget(flags);
  if (!named) throw new UsageError('name the daemon with --target or ENGINE_HOST');
  return named.address;
}

function namedTarget(flags: TargetFlags): ChosenTarget | undefined {
  const text = flags.target || undefined;
  const files = tlsFiles(flags);
  const secured = Object.keys(files).length > 0;
  if (text === undefined) {
    if (secured) throw new UsageError('--tls-… options need a --target that is reached by TLS: https:// or tcp://');
    return undefined;
  }
  const address = parseAddress(text, files);
  if (secured && !(address.kind === 'tcp' && address.tls)) {
    throw new UsageError(`'${text}' is not reached by TLS; use https:// or tcp:// with --tls-… options`);
  }
  return { address, close: async () => {} };
}

/** The files of these that the user names. */
export function tlsFiles({ tlsCa, tlsCert, tlsKey }: TlsFlags): TlsFiles {
  return {
    ...(tlsCa !== undefined && { ca: tlsCa }),
    ...(tlsCert !== undefined && { cert: tlsCert }),
    ...(tlsKey !== undefined && { key: tlsKey }),
  };
}

async function embeddedTarget(dialect: string, corsOrigin: string): Promise<ChosenTarget> {
  const { startReferenceEngine } = await import('../reference/index.ts');
  const directory = await mkdtemp(path.join(tmpdir(), 'engine-conformance-'));
  const socketPath = path.join(directory, 'engine.sock');
  const engine = await startReferenceEngine({
    listen: { socketPath },
    dialect: dialect === 'docker' ? 'docker' : 'engine',
    corsHeader: corsOrigin,
  });
  return {
    address: parseAddress(`unix://${socketPath}`),
    async close() {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
