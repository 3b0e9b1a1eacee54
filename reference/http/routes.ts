import findMyWay from 'find-my-way';
import type { Call } from './call.ts';

/** Answers one endpoint. */
type Handler = (call: Call) => void | Promise<void>;

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

/** An endpoint: `METHOD /path/{parameter}`. A last segment `{parameter…}` takes the rest of the path. */
export type Route = readonly [method: Method, path: string, handler: Handler];

/** A route that matches a request, with its path parameters decoded. */
interface Found {
  readonly handler: Handler;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** Finds the endpoint of a method and a path (without version and query); undefined when there is none. */
export type FindRoute = (method: string, path: string) => Found | undefined;

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

export function routeFinder(routes: readonly Route[]): FindRoute {
  const router = findMyWay({ maxParamLength: 4096 });
  for (const [index, [method, path]] of routes.entries()) {
    router.on(method, path.replace(/\{\w+…\}$/, '*').replace(/\{(\w+)\}/g, ':$1'), () => {}, index);
  }
  return (name, path) => {
    const method = methods.find((known) => known === name);
    const found = method && router.find(method, path);
    const route = found ? routes[Number(found.store)] : undefined;
    if (!found || !route) return undefined;
    const rest = /\{(\w+)…\}$/.exec(route[1])?.[1];
    return { handler: route[2], params: rest ? { ...found.params, [rest]: found.params['*'] } : found.params };
  };
}
