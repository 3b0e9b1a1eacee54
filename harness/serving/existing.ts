import type { Container } from '../engine/container.ts';
import { createBody, makeContainer } from '../engine/containers.ts';
import type { Engine, RequestOptions } from '../engine/engine.ts';
import { given } from '../engine/given.ts';
import { makeNetwork } from '../engine/networks.ts';
import { textMemberIn } from '../streams/json.ts';
import { harmless, nowhere } from './harmless.ts';

/** A request about something that is on the daemon. */
export interface Existing {
  readonly path: string;
  readonly options: RequestOptions;
}

/**
 * Makes what an endpoint works on, so that a daemon that serves the endpoint finds it. Whatever the daemon does with it
 * is harmless, as it was made for that.
 * @param endpoint by its title: `GET /containers/{id}/json`
 * @returns undefined for an endpoint that works on nothing
 * @throws Blocked when it cannot be made
 */
export async function aboutExisting(endpoint: string, engine: Engine): Promise<Existing | undefined> {
  const options = harmless(endpoint, engine);
  const path = endpoint.slice(endpoint.indexOf(' ') + 1);
  const at = (id: string) => path.replace(/\{\w+\}/, () => encodeURIComponent(id));
  const special = specials[endpoint];
  if (special) return special(engine, at);
  if (path.startsWith('/containers/{id}')) return { path: at((await makeContainer(engine)).id), options };
  if (path.startsWith('/exec/{id}')) return { path: at(await makeExec(engine)), options };
  if (path.startsWith('/images/{name}')) return { path: at(engine.sandbox.image), options };
  if (path.startsWith('/volumes/{name}')) return { path: at(await makeVolume(engine)), options };
  if (path.startsWith('/networks/{id}')) return { path: at((await makeNetwork(engine)).id), options };
  return undefined;
}

type At = (id: string) => string;

const specials: Readonly<Record<string, (engine: Engine, at: At) => Existing | Promise<Existing>>> = {
  'POST /containers/create': (engine) => ({
    path: '/containers/create',
    options: { query: { name: engine.name('container') }, json: createBody(engine) },
  }),
  'POST /commit': async (engine) => {
    const { id } = await makeContainer(engine);
    return { path: '/commit', options: { query: { container: id, ...newTag(engine) }, json: {} } };
  },
  // Two ways to bring an image: a daemon may have one and not the other.
  'POST /images/create': (engine) => ({
    path: '/images/create',
    options: { query: { fromSrc: `http://${nowhere}/none`, ...newTag(engine) } },
  }),
  'GET /images/get': (engine) => ({ path: '/images/get', options: { query: { names: engine.sandbox.image } } }),
  'POST /images/{name}/tag': (engine, at) => ({
    path: at(engine.sandbox.image),
    options: { query: newTag(engine) },
  }),
  // Not the probe image itself, which must not be removed or pushed anywhere.
  'POST /images/{name}/push': async (engine, at) => ({
    path: at(await makeTag(engine)),
    options: harmless('POST /images/{name}/push', engine),
  }),
  'DELETE /images/{name}': async (engine, at) => ({ path: at(await makeTag(engine)), options: {} }),
  'POST /networks/{id}/connect': joining,
  'POST /networks/{id}/disconnect': joining,
};

async function joining(engine: Engine, at: At): Promise<Existing> {
  const [network, container]: [{ id: string }, Container] = [await makeNetwork(engine), await makeContainer(engine)];
  return { path: at(network.id), options: { json: { Container: container.id } } };
}

async function makeExec(engine: Engine): Promise<string> {
  const container = await makeContainer(engine, { state: 'running' });
  const json = { Cmd: ['/probe', 'forever'], AttachStdout: true };
  const made = await given(engine.post(container.path('exec'), { json }), 201);
  return textMemberIn(made.text, 'Id') ?? '';
}

async function makeVolume(engine: Engine): Promise<string> {
  const name = engine.name('volume');
  await given(engine.post('/volumes/create', { json: { Name: name } }), 201);
  return name;
}

/** A name for an image in a registry where nobody listens; whatever gets it is removed. */
function newTag(engine: Engine): { readonly repo: string; readonly tag: string } {
  const repo = `${nowhere}/${engine.name('image')}`;
  engine.made({ kind: 'image', name: `${repo}:ec` });
  return { repo, tag: 'ec' };
}

async function makeTag(engine: Engine): Promise<string> {
  const query = newTag(engine);
  await given(engine.post(`/images/${engine.sandbox.image}/tag`, { query }), 201);
  return `${query.repo}:${query.tag}`;
}
