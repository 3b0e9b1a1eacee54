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
  /** Several parts of the kit ask for the same request one after another. */
  #last: { readonly method: string; readonly target: string; readonly endpoint: Endpoint | undefined } | undefined;

  constructor(endpoints: readonly Endpoint[]) {
    this.#routes = endpoints.map(routeOf).toSorted((a, b) => a.parameters - b.parameters);
  }

  /** @param target the path with version prefix and query, as it is sent; the version is optional */
  find(method: string, target: string): Endpoint | undefined {
    if (this.#last?.target === target && this.#last.method === method) return this.#last.endpoint;
    const path = plainPath(target);
    const endpoint = this.#routes.find((route) => route.method === method && route.pattern.test(path))?.endpoint;
    this.#last = { method, target, endpoint };
    return endpoint;
  }
}

function routeOf(endpoint: Endpoint): Route {
  const { method, path } = endpoint;
  return { method, pattern: pathsOf(path), parameters: path.split('{').length - 1, endpoint };
}
