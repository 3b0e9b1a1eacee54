import type { Endpoint } from './endpoint.ts';
import { pathsOf, plainPath } from './path-template.ts';

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly endpoint: Endpoint;
}

/** Finds the endpoint that a request is for. */
export class Routes {
  /** Literal paths precede those with parameters. */
  readonly #routes: readonly Route[];

  constructor(endpoints: readonly Endpoint[]) {
    this.#routes = endpoints.map(routeOf).toSorted((a, b) => a.parameters - b.parameters);
  }

  /** @param target the path with version prefix and query, as it is sent; the version is optional */
  find(method: string, target: string): Endpoint | undefined {
    const path = plainPath(target);
    return this.#routes.find((route) => route.method === method && route.pattern.test(path))?.endpoint;
  }
}

function routeOf(endpoint: Endpoint): Route {
  const { method, path } = endpoint;
  return { method, pattern: pathsOf(path), parameters: path.split('{').length - 1, endpoint };
}
