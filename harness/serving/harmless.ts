import type { Engine, RequestOptions } from '../engine/engine.ts';

/** Nobody listens there, whichever host the daemon is on. */
export const nowhere = '127.0.0.1:1';

const archive = { headers: { 'content-type': 'application/x-tar' }, body: Buffer.alloc(1_024) };
const noJson = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{') };
const asNobody = { 'x-registry-auth': Buffer.from('{}').toString('base64url') };

const needed: Readonly<Record<string, (engine: Engine) => RequestOptions>> = {
  'POST /containers/create': (engine) => ({
    query: { name: engine.name('container') },
    json: { Image: engine.unusedName('image') },
  }),
  'POST /containers/{id}/update': () => ({ json: { CpuShares: 512 } }),
  'POST /containers/{id}/rename': (engine) => ({ query: { name: engine.name('container') } }),
  'POST /containers/{id}/copy': () => ({ json: { Resource: '/' } }),
  'HEAD /containers/{id}/archive': () => ({ query: { path: '/' } }),
  'GET /containers/{id}/archive': () => ({ query: { path: '/' } }),
  'PUT /containers/{id}/archive': () => ({ query: { path: '/' }, ...archive }),
  'GET /containers/{id}/logs': () => ({ query: { stdout: true } }),
  'POST /containers/{id}/exec': () => ({ json: { Cmd: ['none'] } }),
  'POST /build': () => archive,
  'POST /commit': (engine) => ({ query: { container: engine.unusedName('container') }, json: {} }),
  'POST /images/create': () => ({ query: { fromImage: 'NO NAME' } }),
  'POST /images/load': () => archive,
  'POST /images/{name}/push': () => ({ headers: asNobody }),
  'POST /images/{name}/tag': () => ({ query: { repo: 'none', tag: 'none' } }),
  'GET /images/search': () => ({ query: { term: `${nowhere}/none` } }),
  'GET /images/get': (engine) => ({ query: { names: engine.unusedName('image') } }),
  'POST /auth': () => ({ json: { username: 'none', password: 'none-of-them', serveraddress: nowhere } }),
  'GET /events': () => ({ query: { since: 1, until: 2 } }),
  'POST /volumes/create': () => noJson,
  'POST /networks/create': () => noJson,
  'POST /networks/{id}/connect': (engine) => ({ json: { Container: engine.unusedName('container') } }),
  'POST /networks/{id}/disconnect': (engine) => ({ json: { Container: engine.unusedName('container') } }),
};

/**
 * What a request to an endpoint needs besides its path so that a daemon understands it but does nothing.
 * @param endpoint by its title: `POST /build`
 */
export function harmless(endpoint: string, engine: Engine): RequestOptions {
  return needed[endpoint]?.(engine) ?? {};
}

/** A path of the endpoint that leads to nothing on the daemon. */
export function pathOfNothing(path: string, engine: Engine): string {
  const of = path.startsWith('/images') ? 'image' : 'container';
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(engine.unusedName(of)));
}
