import type { Endpoint } from './endpoint.ts';

/** Gives the endpoint that a request line is for: its method, and its path with or without version and query. */
export type FindEndpoint = (method: string, target: string) => Endpoint | undefined;

/** Of several endpoints that a path fits, the one with the fewest parameters is meant. */
export function endpointFinder(endpoints: readonly Endpoint[]): FindEndpoint {
  const routes = endpoints.map(routeOf).toSorted((a, b) => a.parameters - b.parameters);
  return (method, target) => {
    const path = target.replace(/^\/v\d+\.\d+(?=\/)/, '').replace(/\?.*$/s, '');
    return routes.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint;
  };
}

interface Route {
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
  readonly parameters: number;
}

function routeOf(endpoint: Endpoint): Route {
  const parts = endpoint.path.split(/\{\w+\}/).map((part) => part.replace(/[.+?^$()|[\]\\]/g, '\\$&'));
  // Names of images have slashes.
  const parameter = endpoint.path.startsWith('/images/') ? '.+' : '[^/]+';
  return { endpoint, pattern: new RegExp(`^${parts.join(parameter)}$`), parameters: parts.length - 1 };
}
