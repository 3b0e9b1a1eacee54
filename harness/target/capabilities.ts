import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Capability, capabilities } from '../../specs/capabilities.ts';
import { keysOf } from '../../specs/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type JsonValue, memberIn } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import { tryReach } from '../suite-server/reach.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';
import type { Declared } from './declared.ts';
import { tryRegistry } from './registry-trial.ts';
import { trySearch } from './search-trial.ts';
import type { Target } from './target.ts';
import { said, TrialContainer } from './trial-container.ts';

/** Stands for the reason where nothing was tried: what is not known to exist is not relied on. */
const untried = 'it was not tried, as no chosen rule needs it';

type Lacks = Partial<Record<Capability, string>>;

/** What containers of the probe have shown. */
interface Tried extends Lacks, Pick<Target, 'startMs' | 'logsTo'> {
  readonly sharesHostNetwork: boolean;
}

const noOrigin = 'the suite does not know which origin the daemon lets in; name it with --cors-origin';

export interface CapabilityOptions {
  /** Why the probe image is missing, so that no container can run. */
  readonly withoutProbe: string | undefined;
  readonly declared: Declared;
}

const hostNetwork = { NetworkMode: 'host' } as const;

const names = keysOf(capabilities);
/**
 * What is found out from a token server or the suite's own servers, or comes from the user, does not depend on the
 * probe.
 */
const withoutContainers: readonly Capability[] = ['token-user', 'registry', 'search-index', 'cors-origin', 'hostile'];

/** The capabilities that a target was not tried for. */
export function untriedOf({ lacks }: Target): readonly Capability[] {
  return names.filter((name) => lacks[name] === untried);
}

/** Whether finding out any of these takes containers of the probe. */
export function needContainers(wanted: readonly Capability[]): boolean {
  return wanted.some((name) => !withoutContainers.includes(name));
}

/**
 * Finds out what else the target can do, by running some containers of the probe.
 * @param wanted the required capabilities. Each of the others takes time to find out, and may remain untried
 */
export async function findCapabilities(
  transport: Transport,
  target: Target,
  sandbox: Sandbox,
  { withoutProbe, declared }: CapabilityOptions,
  wanted: readonly Capability[] = names,
): Promise<Target> {
  const [{ sharesHostNetwork, startMs, logsTo, ...found }, registry, search] = await Promise.all([
    tryContainers(transport, target, sandbox, withoutProbe, wanted),
    wanted.includes('registry') ? tryRegistry(transport, target, sandbox) : untried,
    wanted.includes('search-index') ? trySearch(transport, target) : untried,
  ]);
  const lacks: Lacks = {
    ...found,
    ...(registry !== undefined && { registry }),
    ...(search !== undefined && { 'search-index': search }),
    ...(declared.corsOrigin === undefined && { 'cors-origin': noOrigin }),
    ...(declared.hostile !== true && { hostile: 'hostile requests are not allowed; allow them with --hostile' }),
  };
  return {
    ...target,
    declared,
    lacks,
    sharesHostNetwork,
    ...(startMs !== undefined && { startMs }),
    ...(logsTo !== undefined && { logsTo }),
    identity: { ...target.identity, lacks: told(lacks) },
  };
}

/** What is reported about a target: nothing that was not tried. */
export function told(lacks: Lacks): Lacks {
  return Object.fromEntries(Object.entries(lacks).filter(([, reason]) => reason !== untried));
}

function lackAll(reason: string): Lacks {
  return Object.fromEntries(names.filter((name) => !withoutContainers.includes(name)).map((name) => [name, reason]));
}

async function tryContainers(
  transport: Transport,
  target: Target,
  sandbox: Sandbox,
  withoutProbe: string | undefined,
  wanted: readonly Capability[],
): Promise<Tried> {
  const lacksAll = (reason: string) => ({ ...lackAll(reason), sharesHostNetwork: false });
  if (!needContainers(wanted)) return lacksAll(untried);
  if (withoutProbe !== undefined) return lacksAll(withoutProbe);
  const tried: TrialContainer[] = [];
  const container = (name: string) => {
    const made = new TrialContainer(transport, target, sandbox, name);
    tried.push(made);
    return made;
  };
  const first = await tryPlain(container('try'), {});
  const failed = first.lacks['containers-run'];
  // What needs no network of its own can be judged where only the default one is missing.
  const sharing = failed === undefined ? undefined : await tryPlain(container('try-without-network'), hostNetwork);
  if (sharing?.lacks['containers-run'] !== undefined) return lacksAll(failed ?? '');
  const { lacks, hasLog } = sharing ?? first;
  const network = sharing ? hostNetwork : {};
  const ifWanted = (name: Capability, trial: () => Promise<string | undefined>) =>
    wanted.includes(name) ? trial() : untried;
  const journal = { LogConfig: { Type: 'journald', Config: {} } };
  const [onHost, hasFile, privileged, journald, hostPaths, reach] = await Promise.all([
    sharing ? undefined : start(container('try-host-network'), hostNetwork),
    hasLog ? false : tryFileLog(container('try-json-file'), network),
    ifWanted('privileged', () => start(container('try-privileged'), { ...network, Privileged: true })),
    ifWanted('journald', () => start(container('try-journald'), { ...network, ...journal })),
    ifWanted('host-paths', () => tryHostPath(container('try-host-path'), network)),
    ifWanted('reaches-suite', () => tryReach(transport, target)),
  ]);
  return {
    ...lacks,
    ...(sharing && { networking: `on the default network, ${failed}` }),
    sharesHostNetwork: onHost === undefined,
    ...(hasFile && { logsTo: 'json-file' }),
    startMs: Math.min(...tried.flatMap(({ startMs }) => startMs ?? [])),
    ...because('privileged', 'privileged containers cannot be started', privileged),
    ...because('journald', 'containers cannot log to journald', journald),
    ...(hostPaths !== undefined && { 'host-paths': hostPaths }),
    ...(reach !== undefined && { 'reaches-suite': reach }),
  };
}

function because(name: Capability, what: string, why: string | undefined): Lacks {
  if (why === undefined) return {};
  return { [name]: why === untried ? untried : `${what}: ${why}` };
}

async function tryPlain(
  container: TrialContainer,
  hostConfig: object,
): Promise<{ readonly lacks: Lacks; readonly hasLog: boolean }> {
  const unable = (why: string) => ({ lacks: { 'containers-run': why }, hasLog: true });
  try {
    const failed = await container.start(hostConfig, ['forever']);
    if (failed !== undefined) return unable(`a container of the probe image cannot be started: ${failed}`);
    const paused = await container.ask('POST', '/pause');
    if (paused.status === 204) await container.ask('POST', '/unpause');
    const inspected = await container.ask('GET', '/json');
    const text = inspected.body.toString('utf8');
    const hasAddress = tellsAddress(memberIn(text, 'NetworkSettings'));
    const lacks = {
      ...(paused.status !== 204 && { freezer: `containers cannot be paused: ${said(paused)}` }),
      ...(!hasAddress && {
        networking:
          inspected.status === 200
            ? 'a container on the default network gets no IP address'
            : `a container cannot be inspected: ${said(inspected)}`,
      }),
    };
    return { lacks, hasLog: isReadable(memberIn(text, 'HostConfig')) || !(await refusesLog(container)) };
  } catch (error) {
    return unable(`running a container of the probe image failed: ${whyLost(error)}`);
  } finally {
    await container.remove();
  }
}

/** Whether the logging driver is one of those whose logs can be read by Document 2, Get container logs. */
function isReadable(hostConfig: JsonValue | undefined): boolean {
  const driver = isObject(hostConfig) && isObject(hostConfig.LogConfig) ? hostConfig.LogConfig.Type : undefined;
  return driver === 'json-file' || driver === 'journald';
}

/** A log that does not come at all is none that is refused, and for the rules on logs to judge. */
async function refusesLog(container: TrialContainer): Promise<boolean> {
  try {
    const { status } = await container.ask('GET', '/logs?stdout=1');
    return status >= 400;
  } catch (error) {
    if (error instanceof TransportError) return false;
    throw error;
  }
}

/** Whether a container has a log to be read if it asks for the driver json-file. */
async function tryFileLog(container: TrialContainer, hostConfig: object): Promise<boolean> {
  try {
    const logConfig = { Type: 'json-file', Config: {} };
    const failed = await container.start({ ...hostConfig, LogConfig: logConfig }, ['forever']);
    return failed === undefined && !(await refusesLog(container));
  } catch (error) {
    if (error instanceof TransportError) return false;
    throw error;
  } finally {
    await container.remove();
  }
}

/** Whether there is an address in the settings themselves, or in those of one network. */
function tellsAddress(settings: JsonValue | undefined): boolean {
  if (!isObject(settings)) return false;
  const { IPAddress, Networks } = settings;
  if (typeof IPAddress === 'string' && /^\d/.test(IPAddress)) return true;
  return isObject(Networks) && Object.values(Networks).some(tellsAddress);
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

/** A file of this machine can be read in a container if the daemon sees the same files. */
async function tryHostPath(container: TrialContainer, hostConfig: object): Promise<string | undefined> {
  const directory = await mkdtemp(path.join(tmpdir(), 'engine-conformance-bind-'));
  try {
    await writeFile(path.join(directory, 'file'), 'seen\n');
    const failed = await container.start({ ...hostConfig, Binds: [`${directory}:/ec-bind:ro`] }, [
      'read',
      '/ec-bind/file',
    ]);
    if (failed !== undefined) return `a directory of this machine cannot be bind-mounted: ${failed}`;
    await container.ask('POST', '/wait');
    const inspected = await container.ask('GET', '/json');
    const state = memberIn(inspected.body.toString('utf8'), 'State');
    const hasRead = isObject(state) && state.Running === false && state.ExitCode === 0;
    return hasRead ? undefined : 'the daemon does not see the files of this machine';
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
