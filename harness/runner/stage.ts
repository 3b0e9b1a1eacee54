import type { Capability } from '../../specs/capabilities.ts';
import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import { type ApiVersion, documentedVersions } from '../../specs/versions.ts';
import { latitudeOf } from '../latitudes/latitudes.ts';
import { latitudinalTransport } from '../latitudes/latitudinal-transport.ts';
import { Redactor } from '../recording/redact.ts';
import { cleanRun } from '../sandbox/clean.ts';
import { type Foreign, guarded, listForeign } from '../sandbox/foreign.ts';
import { Journal } from '../sandbox/journal.ts';
import type { MissingImage } from '../sandbox/missing-image.ts';
import { loadProbe } from '../sandbox/probe-image.ts';
import { makeRunDirectory, removeRunDirectory, spillFileIn } from '../sandbox/run-directory.ts';
import { newRunId, Sandbox } from '../sandbox/sandbox.ts';
import type { Address } from '../target/address.ts';
import { findCapabilities, needContainers, told } from '../target/capabilities.ts';
import { engineDialect, namedDialect } from '../target/dialect.ts';
import { identify, TargetUnreachable } from '../target/identify.ts';
import { judgedVersions } from '../target/judged-versions.ts';
import type { ServerKind, Target } from '../target/target.ts';
import { workingVersion } from '../target/working-version.ts';
import { findTokenServer } from '../token/identify.ts';
import type { TokenServer } from '../token/token-server.ts';
import { boundedTransport, preparingMs } from '../transport/bounded-transport.ts';
import { TransportError } from '../transport/errors.ts';
import { undiciTransport } from '../transport/undici-transport.ts';
import type { Transport } from '../transport/wire.ts';
import { EndingTransport } from './ending-transport.ts';
import type { RunOptions } from './options.ts';
import type { Plan } from './plan.ts';

/** Bound of each exchange when cleaning up a target that no longer answers. */
const lostCleanMs = 5_000;
/** A daemon that takes longer to identify itself cannot be judged. */
const identifyMs = 10_000;
/** How long an interrupted run waits for what is currently being made. */
const makingMs = 10_000;

/** A target prepared for checks, and the run's own files. */
export interface Stage {
  readonly target: Target;
  /** The versions to be judged: those that were asked for, even if the target does not serve them. */
  readonly apis: readonly ApiVersion[];
  plan(mode: Plan['mode'], rules: readonly string[]): Plan;
  /**
   * Removes what the run made on the target.
   * @param targetLost the target seems to be gone, so the wait is short
   * @returns what could not be removed
   */
  clean(targetLost?: boolean): Promise<readonly string[]>;
  /** Closes connections and deletes the run's temporary files. */
  close(): Promise<void>;
}

/**
 * Identifies the target and finds out what it can do, as far as the chosen rules need it. The probe image is loaded if
 * that takes containers, and otherwise by the first check that needs it. If the user ends the run meanwhile, the stage
 * is what was known by then, and no checks start on it.
 * @param wanted the capabilities to find out
 * @throws TargetUnreachable when nothing answers there
 * @throws UsageError when the target serves none of the contract's versions
 * @throws SetUpWrong when a token server cannot be judged with the given settings
 */
export async function setStage(options: RunOptions, wanted = neededBy(options.rules)): Promise<Stage> {
  const { signal, declared = {} } = options;
  const address = options.address ?? options.tokenServer?.address;
  if (!address) throw new Error('a run needs an engine or a token server');
  const latitudes = options.latitudes ?? [];
  const wire = latitudinalTransport(undiciTransport(address), latitudes.map(latitudeOf));
  const directory = makeRunDirectory();
  const close = async () => {
    await wire.close();
    removeRunDirectory(directory);
  };
  try {
    const setting = new EndingTransport(wire);
    const end = () => void setting.end(makingMs);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
    const journal = new Journal(options.journalDirectory, newRunId());
    const { tokenServer, ...tokens } = await tokensOf(options);
    const found = options.address && (await foundTarget(setting, options.address, options));
    const identified = found ?? (await unidentified(address, options));
    const foreign = found ? await foreignOn(setting, found, options.timeoutMs) : nothing;
    const mostMs = preparingMs(options.timeoutMs);
    const own = boundedTransport(guarded(wire, foreign), mostMs);
    const clean = async (lost = false) =>
      found ? cleanRun(own, found.serves, journal, lost ? { boundMs: lostCleanMs } : {}) : [];
    const sandbox = new Sandbox(journal, options.image);
    const loadsNow = options.image === undefined && needContainers(wanted);
    let target = identified;
    let missing: MissingImage | undefined;
    if (found) {
      journal.begin({ address: address.text, directory });
      const bounded = boundedTransport(guarded(setting, foreign), mostMs);
      const withoutProbe = loadsNow ? loadProbe(bounded, found, sandbox) : Promise.resolve(undefined);
      const equipment = withoutProbe.then((problem) => {
        missing = problem;
        return findCapabilities(bounded, found, sandbox, { declared, withoutProbe: problem?.reason }, wanted);
      });
      const ready = await equipment.catch(async (error: unknown) => {
        await clean(true);
        throw error;
      });
      // What was not found out because the run ended is not something that the target lacks.
      if (!signal?.aborted) target = ready;
    }
    target = withoutSecrets(withTokens(target, tokens.lacks, options), new Redactor(options.secrets));
    signal?.removeEventListener('abort', end);
    const apis = judgedVersions(options.apis, target.serves);
    const served = apis.filter((api) => target.serves.includes(api));
    const newest = served.at(-1);
    return {
      target,
      apis,
      clean,
      close,
      plan: (mode, rules) => ({
        mode,
        rules,
        target,
        ...(tokenServer && { tokenServer }),
        apis: served,
        run: journal.run,
        foreign,
        image: sandbox.image,
        loadsImage: options.image === undefined,
        hasImage: missing ?? (options.image !== undefined || loadsNow),
        declared,
        restartMs: options.restartMs,
        journalDirectory: options.journalDirectory,
        spillFile: spillFileIn(directory),
        keeps: options.allExchanges ? 'all' : 'evidence',
        secrets: options.secrets,
        timeoutMs: options.timeoutMs,
        latitudes,
        inOneVersion: options.inOneVersion === true,
        generation: {
          seed: options.seed,
          ...(newest && { newest }),
          ...(options.runs !== undefined && { runs: options.runs }),
          maxMs: options.maxMs,
          // A proof only asks whether there is a failure.
          shrinks: mode === 'run',
          known: options.known ?? {},
        },
      }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The target, if it answers; undefined when the user ended the run first. */
async function foundTarget(transport: Transport, address: Address, options: RunOptions): Promise<Target | undefined> {
  try {
    return await identify(transport, address, options.dialect, Math.min(identifyMs, options.timeoutMs));
  } catch (error) {
    if (options.signal?.aborted && error instanceof TargetUnreachable) return undefined;
    throw error;
  }
}

/** A target of which only the address is known. */
async function unidentified(address: Address, { apis, dialect: name }: RunOptions): Promise<Target> {
  const dialect = name === 'auto' ? engineDialect : await namedDialect(name);
  const identity = {
    address: address.text,
    dialect: dialect.name,
    product: '',
    version: '',
    apiVersion: '',
    os: '',
    arch: '',
    kernel: '',
    serves: [],
    lacks: {},
  };
  return {
    address,
    dialect,
    identity,
    serves: judgedVersions(apis, documentedVersions),
    architecture: 'amd64',
    lacks: {},
    absent: {},
  };
}

/**
 * A daemon that does not list what it has is still judged; then only the run's own names protect what was there before.
 */
async function foreignOn(transport: Transport, { serves }: Target, boundMs: number): Promise<Foreign> {
  const api = workingVersion(serves);
  return listForeign({ transport, api, boundMs }).catch((error: unknown) => {
    if (error instanceof TransportError) return nothing;
    throw error;
  });
}

const nothing: Foreign = { container: [], image: [], volume: [], network: [] };

type Lacks = Partial<Record<Capability, string>>;

interface FoundTokens {
  readonly tokenServer?: TokenServer;
  readonly lacks: Lacks;
}

/**
 * The token server, if there is one, with how it issues tokens, and what keeps some of its rules from being judged.
 * @throws TargetUnreachable when nothing answers there
 * @throws SetUpWrong when it cannot be judged with the given settings
 */
async function tokensOf(options: RunOptions): Promise<FoundTokens> {
  const { tokenServer, timeoutMs, signal, secrets, latitudes = [] } = options;
  if (!tokenServer) return { lacks: { 'token-user': noTokenServer } };
  const transport = latitudinalTransport(undiciTransport(tokenServer.address), latitudes.map(latitudeOf));
  const close = () => void transport.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    const found = await findTokenServer(transport, tokenServer, new Redactor(secrets), Math.min(identifyMs, timeoutMs));
    return { tokenServer: found.server, lacks: found.lacks };
  } catch (error) {
    if (signal?.aborted && error instanceof TargetUnreachable) return { tokenServer, lacks: {} };
    throw error;
  } finally {
    signal?.removeEventListener('abort', close);
    await transport.close();
  }
}

const noTokenServer = 'no token server was given; name one with --auth-url';

/** The target with what was found out about its token server, or the token server alone without an engine. */
function withTokens(target: Target, tokenLacks: Lacks, { address, tokenServer }: RunOptions): Target {
  const absent: Partial<Record<ServerKind, string>> = {
    ...(!address && { engine: 'no engine was given; name one with --target' }),
    ...(!tokenServer && { authorization: noTokenServer }),
  };
  const lacks = { ...target.lacks, ...tokenLacks };
  const identity = {
    ...target.identity,
    lacks: told(lacks),
    ...(tokenServer && { tokenServer: tokenServer.url }),
    ...(tokenServer && !address && { address: tokenServer.url, product: 'a token server', serves: target.serves }),
  };
  return { ...target, lacks, absent, identity };
}

/** What a daemon said about itself, or about what it cannot do, goes into every report. */
function withoutSecrets(target: Target, redactor: Redactor): Target {
  const clean = (texts: object) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, redactor.text(String(text))]));
  const lacks: Lacks = clean(target.lacks);
  const { product, version, apiVersion, os, arch, kernel } = target.identity;
  const said = clean({ product, version, apiVersion, os, arch, kernel });
  return { ...target, lacks, identity: { ...target.identity, ...said, lacks: told(lacks) } };
}

/** The capabilities that these rules need from a target. */
function neededBy(rules: readonly string[]): readonly Capability[] {
  return [...new Set(rules.filter(isRuleId).flatMap((id) => rulebook[id].needs))];
}
