import type { Endpoint } from './endpoint.ts';

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly endpoint: Endpoint;
}

/** Finds the endpoint that a request is for. */
export class Routes {
  /** Paths that are written out stand before those with parameters. */
  readonly #routes: readonly Route[];

  constructor(endpoints: readonly Endpoint[]) {
    this.#routes = endpoints.map(routeOf).toSorted((a, b) => a.parameters - b.parameters);
  }

  /** @param target the path with version prefix and query, as it is sent; the version may be missing */
  find(method: string, target: string): Endpoint | undefined {
    const path = target.replace(/^\/v\d+\.\d+(?=\/)/, '').replace(/\?.*$/s, '');
    return this.#routes.find((route) => route.method === method && route.pattern.test(path))?.endpoint;
  }
}

function routeOf(endpoint: Endpoint): Route {
  const parts = endpoint.path.split(/\{\w+\}/).map((part) => part.replace(/[.+?^$()|[\]\\]/g, '\\$&'));
  // Names of images have slashes.
  const parameter = endpoint.path.startsWith('/images/') ? '.+' : '[^/]+';
  return {
    method: endpoint.method,
    pattern: new RegExp(`^${parts.join(parameter)}$`),
    parameters: parts.length - 1,
    endpoint,
  };
}
