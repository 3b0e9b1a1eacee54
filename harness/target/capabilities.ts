import type { Capability } from '../../specs/capabilities.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { remove } from '../sandbox/remove.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireAnswer } from '../transport/wire.ts';
import type { Target } from './target.ts';

const stepMs = 30_000;

/**
 * Finds out what the target can do beyond answering, by running one container of the probe.
 * @param withoutProbe why the probe image is not there; then no container can be run
 */
export async function findCapabilities(
  transport: Transport,
  target: Target,
  sandbox: Sandbox,
  withoutProbe: string | undefined,
): Promise<Target> {
  const lacks = withoutProbe === undefined ? await tryContainer(transport, target, sandbox) : lackAll(withoutProbe);
  return { ...target, lacks, identity: { ...target.identity, lacks } };
}

type Lacks = Partial<Record<Capability, string>>;

function lackAll(reason: string): Lacks {
  return { 'containers-run': reason, freezer: reason, networking: reason };
}

async function tryContainer(transport: Transport, target: Target, sandbox: Sandbox): Promise<Lacks> {
  const api: ApiVersion = target.serves.at(-1) ?? '1.20';
  const name = `${sandbox.prefix}try`;
  sandbox.note('container', name);
  const ask = (method: string, path: string, json?: unknown): Promise<WireAnswer> => {
    const body = json === undefined ? {} : { body: Buffer.from(JSON.stringify(json)) };
    const headers = { 'content-type': 'application/json' };
    return transport.exchange({ method, path: `/v${api}${path}`, headers, ...body }, { wholeMs: stepMs });
  };
  try {
    const config = { Image: sandbox.image, Cmd: ['forever'], Labels: sandbox.labels };
    const created = await ask('POST', `/containers/create?name=${name}`, config);
    if (created.status !== 201) return lackAll(`a container of the probe cannot be created: ${said(created)}`);
    const started = await ask('POST', `/containers/${name}/start`);
    if (started.status !== 204) return lackAll(`a container of the probe cannot be started: ${said(started)}`);
    const paused = await ask('POST', `/containers/${name}/pause`);
    if (paused.status === 204) await ask('POST', `/containers/${name}/unpause`);
    const inspected = await ask('GET', `/containers/${name}/json`);
    return {
      ...(paused.status !== 204 && { freezer: `containers cannot be paused: ${said(paused)}` }),
      ...(!hasAddress(inspected) && { networking: 'a container on the default network gets no IP address' }),
    };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return lackAll(`running a container of the probe failed: ${error.message}`);
  } finally {
    await remove(transport, api, 'container', name).catch(() => false);
  }
}

function hasAddress(inspected: WireAnswer): boolean {
  return /"IPAddress"\s*:\s*"\d/.test(inspected.body.toString('utf8'));
}

function said(answer: WireAnswer): string {
  return `${answer.status} ${answer.body.subarray(0, 200).toString('utf8').trim()}`;
}
