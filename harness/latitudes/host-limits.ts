import { atLeast, isApiVersion } from '../../specs/versions.ts';
import { type JsonValue, writeJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { WireRequest } from '../transport/wire.ts';
import { endpointOf, jsonBodyOf, versionOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

type JsonObject = { readonly [name: string]: JsonValue };

const ground = {
  interpretation: 'host-limits',
  because: 'a limit whose control group the host lacks cannot be kept',
} as const;

const limits = [
  ...['Memory', 'MemorySwap', 'MemoryReservation', 'MemorySwappiness', 'KernelMemory', 'OomKillDisable'],
  ...['CpuShares', 'CpuPeriod', 'CpuQuota', 'NanoCpus', 'Cpuset', 'CpusetCpus', 'CpusetMems', 'PidsLimit'],
  ...['BlkioWeight', 'BlkioWeightDevice', 'BlkioDeviceReadBps', 'BlkioDeviceWriteBps'],
  ...['BlkioDeviceReadIOps', 'BlkioDeviceWriteIOps'],
];

/** What `/info` says of limits. */
const inInfo = ['MemoryLimit', 'SwapLimit', 'KernelMemory', 'CpuCfsPeriod', 'CpuCfsQuota', 'OomKillDisable'];

/** A latitude of the engine with most of them: they are to be tried with rules on limits, which are skipped here. */
const inMost = 'errors-without-body';

/** Rules are skipped in the engine's own words alone. */
const skips = /^the daemon (?:warns|says): /;

/** How a build asks for the same limits. */
const inBuilds = ['memory', 'memswap', 'cpushares', 'cpusetcpus', 'cpuperiod', 'cpuquota'];

/** What control groups do for a container. */
const inGroups = [...limits, 'CgroupParent'];

/** Where nothing is paused, nothing is asked that an engine has to refuse as paused. */
const forPauses = /^containers cannot be paused: |^nothing that the run asked of it was a server error$/;

/** What the control groups of an engine's host are. */
export const ofHosts: readonly Latitude[] = [
  {
    name: 'host-without-limits',
    says: 'has a host without control groups, discards limits and warns of it',
    area: 'values',
    ground,
    against: [inMost, 'host-without-control-groups'],
    skips,
    request: (request) => withLimits(request, (set) => without(set, limits)),
    json: (value, request) => {
      if (!isObject(value)) return value;
      const endpoint = endpointOf(request);
      if (endpoint === 'GET /info') return { ...value, ...noneOf(inInfo, value) };
      if (endpoint === 'GET /containers/{id}/stats' && 'memory_stats' in value) return { ...value, memory_stats: {} };
      const warnings = setIn(request, limits).map((name) => `the kernel does not support ${name}: it was discarded`);
      return warned(value, warnings);
    },
  },
  {
    name: 'host-without-swap-limit',
    says: 'has a host that does not limit swap, limits memory alone and warns of it',
    area: 'values',
    ground,
    against: [inMost, 'host-without-limits', 'host-without-control-groups'],
    skips,
    request: (request) => withLimits(request, (set) => (limitsSwap(set) ? { ...set, MemorySwap: -1 } : set)),
    json: (value, request) => {
      if (!isObject(value)) return value;
      if (endpointOf(request) === 'GET /info') return { ...value, ...noneOf(['SwapLimit'], value) };
      const isAsked = settingsOf(request).some(limitsSwap);
      return warned(value, isAsked ? ['the kernel does not support a limit of swap: memory is limited alone'] : []);
    },
  },
  withoutControlGroups(),
];

function withoutControlGroups(): Latitude {
  // What containers were asked to have, by the name or identifier in the request: inspect shows it.
  const asked = new Map<string, JsonObject>();
  const keep = (request: WireRequest) => {
    const { pathname, searchParams } = new URL(request.path, 'http://engine');
    const container = searchParams.get('name') ?? /\/containers\/([^/]+)\/update$/.exec(pathname)?.[1];
    const set = settingsOf(request).flatMap((settings) =>
      Object.entries(settings).filter(([name]) => inGroups.includes(name) && !isIgnored(name, request)),
    );
    if (container === undefined || set.length === 0) return;
    asked.set(container, { ...asked.get(container), ...Object.fromEntries(set) });
  };
  const withAsked = (container: JsonObject): JsonObject => {
    const names = [String(container.Name).replace('/', ''), String(container.Id)];
    const set = Object.assign({}, ...names.map((name) => asked.get(name)));
    return isObject(container.HostConfig)
      ? { ...container, HostConfig: { ...container.HostConfig, ...set } }
      : container;
  };
  return {
    name: 'host-without-control-groups',
    says: 'has no control groups at all: it pauses nothing, discards limits, and tells of it in its information alone',
    area: 'values',
    ground,
    against: [inMost],
    skips: new RegExp(`${skips.source}|${forPauses.source}`),
    request: (request) => {
      // What is not paused cannot go on: the engine refuses that, and knows whether there is such a container.
      if (isPause(request)) return { ...request, path: request.path.replace(/\/pause(?=$|\?)/, '/unpause') };
      keep(request);
      return withoutQuery(
        withLimits(request, (set) => without(set, inGroups)),
        inBuilds,
      );
    },
    json: (value, request) => {
      if (!isObject(value)) return value;
      const endpoint = endpointOf(request);
      if (endpoint === 'GET /info') return { ...value, ...noneOf(inInfo, value), CgroupDriver: 'none' };
      if (endpoint === 'GET /containers/{id}/json') return withAsked(value);
      const measured = ['memory_stats', 'pids_stats'].filter((name) => name in value);
      if (endpoint !== 'GET /containers/{id}/stats') return value;
      return { ...value, ...Object.fromEntries(measured.map((name) => [name, {}])) };
    },
  };
}

/** From 1.42 on an engine ignores it (Document 4, Containers). */
function isIgnored(name: string, request: WireRequest): boolean {
  const api = versionOf(request);
  return name === 'KernelMemory' && isApiVersion(api) && atLeast(api, '1.42');
}

function limitsSwap({ Memory, MemorySwap }: JsonObject): boolean {
  return Number(Memory) > 0 && Number(MemorySwap) > 0;
}

/** The objects of a request in which limits may be. */
function settingsOf(request: WireRequest): readonly JsonObject[] {
  const body = takesLimits(request) ? jsonBodyOf(request) : undefined;
  if (!isObject(body)) return [];
  return [body, ...(isObject(body.HostConfig) ? [body.HostConfig] : [])];
}

function setIn(request: WireRequest, names: readonly string[]): readonly string[] {
  const settings = settingsOf(request);
  return names.filter((name) => settings.some((set) => Boolean(set[name])));
}

function withLimits(request: WireRequest, change: (set: JsonObject) => JsonObject): WireRequest {
  const body = takesLimits(request) ? jsonBodyOf(request) : undefined;
  if (!isObject(body)) return request;
  const changed = change(isObject(body.HostConfig) ? { ...body, HostConfig: change(body.HostConfig) } : body);
  return { ...request, body: Buffer.from(writeJson(changed)) };
}

function takesLimits(request: WireRequest): boolean {
  const endpoint = endpointOf(request);
  return endpoint === 'POST /containers/create' || endpoint === 'POST /containers/{id}/update';
}

function warned(answer: JsonObject, warnings: readonly string[]): JsonObject {
  if (warnings.length === 0 || !('Warnings' in answer)) return answer;
  return { ...answer, Warnings: [...(Array.isArray(answer.Warnings) ? answer.Warnings : []), ...warnings] };
}

function without(set: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(set).filter(([name]) => !names.includes(name)));
}

/** Those of the members that the object has, as false. */
function noneOf(names: readonly string[], object: JsonObject): JsonObject {
  return Object.fromEntries(names.filter((name) => name in object).map((name) => [name, false]));
}

function isPause(request: WireRequest): boolean {
  return endpointOf(request) === 'POST /containers/{id}/pause';
}

function withoutQuery(request: WireRequest, names: readonly string[]): WireRequest {
  if (endpointOf(request) !== 'POST /build') return request;
  const [path = '', query = ''] = request.path.split('?');
  const asked = new URLSearchParams(query);
  for (const name of names) asked.delete(name);
  return { ...request, path: asked.size === 0 ? path : `${path}?${asked}` };
}
