import { allEndpoints } from '../../specs/catalogue.ts';
import { type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import { Routes } from '../../specs/routes.ts';
import type { IsRefused } from './door.ts';

/** Families of endpoints that an engine may begin without, by the endpoints that they have. */
const families = {
  load: /^POST \/images\/load$/,
  'import and pull': /^POST \/images\/create$/,
  build: /^POST \/build$/,
  events: /^GET \/events$/,
  attach: /\/attach(?:\/ws)?$/,
  exec: /\/exec(?:\/|$)/,
  networks: /^\w+ \/networks/,
  volumes: /^\w+ \/volumes/,
  logs: /\/logs$/,
  archive: /\/(?:archive|export|copy)$/,
  stats: /\/stats$/,
  info: /^GET \/info$/,
  'running containers': /^POST \/containers\/\{id\}\/(?:start|restart)$/,
} as const satisfies Record<string, RegExp>;

export type Family = keyof typeof families;

const engineEndpoints = allEndpoints.filter(({ server }) => server === undefined);
const routes = new Routes(engineEndpoints);

/** The endpoints of some families. */
export function endpointsOf(names: readonly Family[]): readonly Endpoint[] {
  return engineEndpoints.filter((endpoint) => names.some((name) => families[name].test(endpointTitle(endpoint))));
}

/** Refuses the endpoints of some families, and pages that no engine has. */
export function without(names: readonly Family[]): IsRefused {
  const refused = new Set(endpointsOf(names));
  return (method, path) => {
    const endpoint = routes.find(method, path);
    return endpoint ? refused.has(endpoint) : /^(?:\/v1\.\d+)?\/ec-no-such-path/.test(path);
  };
}
