import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Address, parseAddress } from '../harness/target/address.ts';
import type { Declared } from '../harness/target/declared.ts';
import type { ApiWish } from '../harness/target/judged-versions.ts';
import type { TokenServer } from '../harness/token/token-server.ts';
import { UsageError } from '../harness/usage-error.ts';
import { apiVersions, isApiVersion, isDocumented } from '../specs/versions.ts';
import { defaultConcurrency } from './default-concurrency.ts';
import type { Selection, SelectionFlags } from './selection.ts';
import { type TlsFlags, tlsFiles } from './tls-flags.ts';
import { embeddedTokenServer, namedTokenServer, type TokenServerFlags } from './token-server.ts';

/** Where the daemon under test is, as the user says it by option or, for the address, by ENGINE_HOST. */
export interface EngineFlags extends TlsFlags {
  readonly target?: string;
}

/** What is to be judged: an engine, a token server, or both. */
export interface TargetFlags extends EngineFlags, TokenServerFlags {}

export interface ChosenTarget {
  /** The engine; absent when only a token server is named. */
  readonly address?: Address;
  readonly tokenServer?: TokenServer;
  /** Whether they end with the command. */
  readonly embedded: boolean;
  /** How many checks run at the same time unless the user says. */
  readonly concurrency: number;
  /** Ends what is embedded. */
  close(): Promise<void>;
}

/** The options of an embedded engine. */
export interface EmbeddedOptions {
  /** What the user says of it, which it is started with. */
  readonly declared?: Declared;
  /** The versions to be judged: it serves the documented ones, and what is named beside; for `newest` or `served` all. */
  readonly api?: readonly ApiWish[] | undefined;
}

/**
 * The engine and the token server that the user names; where neither is named the embedded reference ones, started.
 * @param dialect the words that an embedded engine is to speak
 * @throws UsageError when an address or a TLS file is of no use
 */
export async function chooseTarget(
  flags: TargetFlags,
  dialect: string,
  embedded: EmbeddedOptions,
): Promise<ChosenTarget> {
  const tokenServer = namedTokenServer(flags);
  const address = namedEngine(flags);
  if (address || tokenServer) {
    return {
      ...(address && { address }),
      ...(tokenServer && { tokenServer }),
      embedded: false,
      concurrency: defaultConcurrency.daemon,
      close: async () => {},
    };
  }
  const engine = await embeddedEngine(dialect, embedded);
  const tokens = await embeddedTokenServer().catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  return {
    address: engine.address,
    tokenServer: tokens.server,
    embedded: true,
    concurrency: defaultConcurrency.embedded,
    async close() {
      await Promise.all([engine.close(), tokens.close()]);
    },
  };
}

/** With a token server alone only its rules are meant, unless others are asked for by name or area. */
export function meantRules(selection: Selection, flags: TargetFlags & SelectionFlags): Selection {
  if (flags.only !== undefined || flags.area !== undefined || namedEngine(flags) || !namedTokenServer(flags))
    return selection;
  const rules = selection.rules.filter(({ endpoint }) => endpoint?.server === 'authorization');
  return { ...selection, rules, whole: false };
}

/**
 * The target that the user names; for commands that make no sense on the embedded engine.
 * @throws UsageError when none is named
 */
export function requireTarget(flags: EngineFlags): Address {
  const named = namedEngine(flags);
  if (!named) throw new UsageError('name the daemon with --target or ENGINE_HOST');
  return named;
}

function namedEngine(flags: EngineFlags & TokenServerFlags): Address | undefined {
  const text = flags.target || undefined;
  const all = tlsFiles(flags);
  // The files may be meant for the token server alone.
  const isForTokens = /^https:/i.test(flags.authUrl ?? flags.tokenUrl ?? '');
  const files = isForTokens && !/^(?:https|tcp):/i.test(text ?? '') ? {} : all;
  const secured = Object.keys(files).length > 0;
  if (text === undefined) {
    if (secured) throw new UsageError('--tls-… options need a --target that is reached over TLS: https:// or tcp://');
    return undefined;
  }
  const address = parseAddress(text, files);
  if (secured && !(address.kind === 'tcp' && address.tls)) {
    throw new UsageError(`'${text}' is not reached over TLS; use https:// or tcp:// with --tls-… options`);
  }
  return address;
}

async function embeddedEngine(
  dialect: string,
  { declared, api = [] }: EmbeddedOptions,
): Promise<{ address: Address; close(): Promise<void> }> {
  const { startReferenceEngine } = await import('../reference/index.ts');
  const directory = await mkdtemp(path.join(tmpdir(), 'engine-conformance-'));
  const socketPath = path.join(directory, 'engine.sock');
  const engine = await startReferenceEngine({
    listen: { socketPath },
    dialect: dialect === 'docker' ? 'docker' : 'engine',
    corsHeader: declared?.corsOrigin ?? '',
    serves: apiVersions.filter((version) => !api.every(isApiVersion) || api.includes(version) || isDocumented(version)),
  });
  return {
    address: parseAddress(`unix://${socketPath}`),
    async close() {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
