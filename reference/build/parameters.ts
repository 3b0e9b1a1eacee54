import { type HostConfig, readHostConfig } from '../containers/settings/host-config.ts';
import { badParameter } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { isObject } from '../http/fields.ts';
import { parseReference, taggedName } from '../images/reference.ts';
import { readNewName } from '../images/tag.ts';
import { type CredentialsFor, configCredentials } from '../registry-client/credentials.ts';

/** The parameters of a build. */
export interface BuildParameters {
  /** `repository:tag` of the new image. */
  readonly names: readonly string[];
  /** The path of the build file in the context; undefined for the default. */
  readonly buildFile: string | undefined;
  readonly remote: string | undefined;
  readonly quiet: boolean;
  readonly useCache: boolean;
  /** The base image is pulled from its registry even when it exists. */
  readonly pull: boolean;
  /** The credentials for the registries of base images. */
  readonly credentials: CredentialsFor;
  /** Containers of a successful build are removed. */
  readonly remove: boolean;
  /** Those of a failed build, too. */
  readonly alwaysRemove: boolean;
  readonly arguments: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
  /** Limits for the containers of RUN. */
  readonly hostConfig: HostConfig;
}

/** Reads the query of POST /build (Document 3, Build an image). Throws 400. */
export function readBuildParameters(call: Call): BuildParameters {
  const { query } = call;
  const alwaysRemove = query.flag('forcerm');
  return {
    names: readNames(call),
    buildFile: query.text('dockerfile'),
    remote: query.text('remote'),
    quiet: query.flag('q'),
    useCache: !query.flag('nocache'),
    pull: query.flag('pull'),
    credentials: configCredentials(call),
    remove: query.flag('rm', true) || alwaysRemove,
    alwaysRemove,
    arguments: call.since('1.21') ? readMap(call, 'buildargs') : new Map(),
    labels: call.since('1.23') ? readMap(call, 'labels') : new Map(),
    hostConfig: readLimits(call),
  };
}

function readNames(call: Call): string[] {
  const given = call.query.texts('t').filter((name) => name !== '');
  const wanted = call.since('1.21') ? given : given.slice(0, 1);
  return wanted.map((name) => {
    const { repository, tag } = parseReference(name);
    return taggedName(readNewName(repository, tag));
  });
}

function readMap({ query }: Call, name: string): Map<string, string> {
  const text = query.text(name);
  if (text === undefined) return new Map();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badParameter(`parameter ${name}: not JSON`);
  }
  if (!isObject(value)) throw badParameter(`parameter ${name}: not a map`);
  return new Map(
    Object.entries(value).map(([key, item]) => {
      if (typeof item !== 'string') throw badParameter(`parameter ${name}: ${key} is not a string`);
      return [key, item];
    }),
  );
}

function readLimits({ query, api, engine }: Call): HostConfig {
  const limits = {
    Memory: query.integer('memory'),
    MemorySwap: query.integer('memswap'),
    CpuShares: query.integer('cpushares'),
    CpuPeriod: query.integer('cpuperiod'),
    CpuQuota: query.integer('cpuquota'),
    CpusetCpus: query.text('cpusetcpus'),
    ShmSize: query.integer('shmsize'),
  };
  return readHostConfig(limits, api, engine);
}
