import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Capability, capabilities } from '../../specs/capabilities.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { tryReach } from '../suite-server/reach.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';
import { tryRegistry } from './registry-trial.ts';
import { trySearch } from './search-trial.ts';
import type { Target } from './target.ts';
import { said, TrialContainer } from './trial-container.ts';

type Lacks = Partial<Record<Capability, string>>;

const noOrigin = 'the suite was not told, by --cors-origin, which origin the daemon lets in';

export interface CapabilityOptions {
  /** Why the probe image is not there: then no container can be run. */
  readonly withoutProbe: string | undefined;
  /** The api-cors-header of the target, which only the user can know. */
  readonly corsOrigin: string | undefined;
  /** Whether the user lets the target be sent what no client should send. */
  readonly hostile: boolean;
}

/**
 * Finds out what the target can do beyond answering, by running some containers of the probe.
 */
export async function findCapabilities(
  transport: Transport,
  target: Target,
  sandbox: Sandbox,
  { withoutProbe, corsOrigin, hostile }: CapabilityOptions,
): Promise<Target> {
  const found = withoutProbe === undefined ? await tryAll(transport, target, sandbox) : lackAll(withoutProbe);
  const [registry, search] = await Promise.all([tryRegistry(transport, target, sandbox), trySearch(transport, target)]);
  const lacks: Lacks = {
    ...found,
    ...(registry !== undefined && { registry }),
    ...(search !== undefined && { 'search-index': search }),
    ...(corsOrigin === undefined && { 'cors-origin': noOrigin }),
    ...(!hostile && { hostile: 'it may break a daemon, and is only done with --hostile' }),
  };
  const known = { ...target, lacks, identity: { ...target.identity, lacks } };
  return corsOrigin === undefined ? known : { ...known, corsOrigin };
}

function lackAll(reason: string): Lacks {
  const names = Object.keys(capabilities) as Capability[];
  // What is found of a token server, or of the suite's own servers, or told by the user, does not hang on the probe.
  const others: readonly Capability[] = ['token-user', 'registry', 'search-index', 'cors-origin', 'hostile'];
  return Object.fromEntries(names.filter((name) => !others.includes(name)).map((name) => [name, reason]));
}

async function tryAll(transport: Transport, target: Target, sandbox: Sandbox): Promise<Lacks> {
  const container = (name: string) => new TrialContainer(transport, target, sandbox, name);
  const plain = await tryPlain(container('try'));
  if (plain['containers-run'] !== undefined) return lackAll(plain['containers-run']);
  const [privileged, journald, hostPaths, reach] = await Promise.all([
    start(container('try-privileged'), { Privileged: true }),
    start(container('try-journald'), { LogConfig: { Type: 'journald', Config: {} } }),
    tryHostPath(container('try-host-path')),
    tryReach(transport, target),
  ]);
  return {
    ...plain,
    ...(privileged !== undefined && { privileged: `privileged containers cannot be started: ${privileged}` }),
    ...(journald !== undefined && { journald: `containers cannot log to journald: ${journald}` }),
    ...(hostPaths !== undefined && { 'host-paths': hostPaths }),
    ...(reach !== undefined && { 'reaches-suite': reach }),
  };
}

async function tryPlain(container: TrialContainer): Promise<Lacks> {
  try {
    const failed = await container.start({}, ['forever']);
    if (failed !== undefined) return { 'containers-run': `a container of the probe cannot be run: ${failed}` };
    const paused = await container.ask('POST', '/pause');
    if (paused.status === 204) await container.ask('POST', '/unpause');
    const inspected = await container.ask('GET', '/json');
    const hasAddress = /"IPAddress"\s*:\s*"\d/.test(inspected.body.toString('utf8'));
    return {
      ...(paused.status !== 204 && { freezer: `containers cannot be paused: ${said(paused)}` }),
      ...(!hasAddress && { networking: 'a container on the default network gets no IP address' }),
    };
  } catch (error) {
    return { 'containers-run': `running a container of the probe failed: ${whyLost(error)}` };
  } finally {
    await container.remove();
  }
}

/** Why a container with this HostConfig cannot be started; undefined when it can. */
async function start(container: TrialContainer, hostConfig: object): Promise<string | undefined> {
  try {
    return await container.start(hostConfig, ['forever']);
  } catch (error) {
    return whyLost(error);
  } finally {
    await container.remove();
  }
}

/** A file of this machine can be read in a container where the daemon has the same files. */
async function tryHostPath(container: TrialContainer): Promise<string | undefined> {
  const directory = await mkdtemp(path.join(tmpdir(), 'engine-conformance-bind-'));
  try {
    await writeFile(path.join(directory, 'file'), 'seen\n');
    const failed = await container.start({ Binds: [`${directory}:/ec-bind:ro`] }, ['try', 'read', '/ec-bind/file']);
    if (failed !== undefined) return `a directory of this machine cannot be bound: ${failed}`;
    await container.ask('POST', '/wait');
    const log = await container.ask('GET', '/logs?stdout=1');
    return log.body.includes('seen\n') ? undefined : 'the daemon does not see the files of this machine';
  } catch (error) {
    return whyLost(error);
  } finally {
    await container.remove();
    await rm(directory, { recursive: true, force: true });
  }
}

function whyLost(error: unknown): string {
  if (error instanceof TransportError) return error.message;
  throw error;
}
