import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { registryImage } from '../../harness/registry/image.ts';
import { Registry, type RegistryOptions } from '../../harness/registry/registry.ts';
import { decodeObjects } from '../../harness/streams/objects.ts';
import { startEngine, type TestEngine } from './client.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function engine(): Promise<TestEngine> {
  const started = await startEngine();
  closing.push(() => started.close());
  return started;
}

async function registry(options: RegistryOptions = {}): Promise<Registry> {
  const started = await Registry.start(options);
  closing.push(() => started.close());
  return started;
}

/** A server that is no whole registry. @returns its host and port */
async function server(answer: RequestListener): Promise<string> {
  const http = createServer(answer);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  return typeof address === 'object' && address ? `127.0.0.1:${address.port}` : '';
}

function header(authConfig: object): Record<string, string> {
  return { 'X-Registry-Auth': Buffer.from(JSON.stringify(authConfig)).toString('base64') };
}

/** The last object of a stream. */
function last(text: string): unknown {
  return decodeObjects(Buffer.from(text)).at(-1)?.value;
}

/** An engine, and a registry with one image under the tag `one` of `some/image`. */
async function stage(options: RegistryOptions = {}) {
  const target = await engine();
  const from = await registry(options);
  const image = await registryImage('amd64', {});
  from.contents.putImage('some/image', 'one', image);
  const name = `${from.host}/some/image`;
  const pull = (headers: Record<string, string> = {}, api = '1.23', tag = 'one') =>
    target.send('POST', `/v${api}/images/create?fromImage=${name}&tag=${tag}`, undefined, headers);
  const inspect = () => target.send('GET', `/v1.23/images/${name}:one/json`);
  return { target, from, image, name, pull, inspect };
}

describe('a pull of the reference engine', () => {
  it('gives the image the identifier, the layers and the digest of the registry', async () => {
    const { image, name, pull, inspect } = await stage();
    expect((await pull()).status).toBe(200);
    const pulled = await inspect();
    expect(pulled.at('Id')).toBe(image.config.digest);
    expect(pulled.at('RepoDigests')).toEqual([`${name}@${image.manifest.digest}`]);
    expect(pulled.at('Created')).toMatch(image.created.toISOString().slice(0, 19));
  });

  it('says that it has the image when it is pulled again, and asks for no layer', async () => {
    const { from, image, pull } = await stage();
    await pull();
    const before = from.seen.length;
    expect((await pull()).text).toContain('Image is up to date');
    expect(from.seen.slice(before).map(({ path }) => path)).not.toContain(`/v2/some/image/blobs/${image.layer.digest}`);
  });

  it('tells of a layer that it may not read in its stream, and keeps no image', async () => {
    let layer = '';
    const { image, pull, inspect } = await stage({ denies: (_method, { rest }) => rest === layer });
    layer = image.layer.digest;
    const pulled = await pull();
    expect(pulled.status).toBe(200);
    expect(last(pulled.text)).toMatchObject({ error: expect.stringContaining('403') });
    expect((await inspect()).status).toBe(404);
  });

  it('takes no layer that has another digest than its manifest says', async () => {
    const { from, image, pull, inspect } = await stage();
    from.contents.blobs.set(image.layer.digest, { ...image.layer, bytes: Buffer.from('other bytes') });
    expect(last((await pull()).text)).toMatchObject({ error: expect.stringContaining('digest') });
    expect((await inspect()).status).toBe(404);
  });

  it('takes no manifest that has another digest than it asked for', async () => {
    const { from, target, image, name } = await stage();
    const other = { ...image.manifest, bytes: Buffer.from('{}') };
    from.contents.put('some/image', image.manifest.digest, other);
    const pulled = await target.send('POST', `/v1.23/images/create?fromImage=${name}@${image.manifest.digest}`);
    expect(pulled.status).toBe(500);
  });

  it('answers 404 without credentials, and to a name without a registry', async () => {
    const { target, pull } = await stage({ access: 'basic' });
    expect((await pull()).status).toBe(404);
    expect((await target.send('POST', '/v1.23/images/create?fromImage=image&tag=one')).status).toBe(404);
  });

  it('answers 500 when the registry cannot be reached or breaks', async () => {
    const target = await engine();
    const pull = (host: string) => target.send('POST', `/v1.23/images/create?fromImage=${host}/image&tag=one`);
    const gone = await Registry.start();
    const { host } = gone;
    await gone.close();
    expect((await pull(host)).status).toBe(500);
    expect((await pull(await server((_request, response) => response.writeHead(500).end('no')))).status).toBe(500);
    expect((await pull(await server((_request, response) => response.end('no JSON')))).status).toBe(500);
    expect((await pull(await server((request) => request.socket.destroy()))).status).toBe(500);
  });

  it('answers 400 to credentials that are none', async () => {
    const { pull } = await stage();
    const statusOf = async (value: string) => (await pull({ 'X-Registry-Auth': value })).status;
    expect(await statusOf('no base64 of JSON')).toBe(400);
    expect(await statusOf(Buffer.from('[]').toString('base64'))).toBe(400);
    expect(await statusOf(Buffer.from('{"username":1}').toString('base64'))).toBe(400);
    expect(await statusOf(Buffer.from('{}').toString('base64'))).toBe(200);
  });

  it.each([
    ['1.23', true],
    ['1.21', false],
  ])('in %s is given up when the client has gone: %s', async (api, isGivenUp) => {
    let layer = '';
    const { target, from, image, name, inspect } = await stage({
      holds: (_method, { rest }) => rest === layer,
    });
    layer = image.layer.digest;
    const head = `POST /v${api}/images/create?fromImage=${name}&tag=one HTTP/1.1`;
    const { socket } = await target.raw([head, 'Content-Length: 0']);
    await from.held;
    socket.destroy();
    if (isGivenUp) await from.abandoned;
    from.release();
    await expect.poll(async () => (await inspect()).status).toBe(isGivenUp ? 404 : 200);
  });
});

describe('the reference engine as a client of a token endpoint', () => {
  const passwordOf = ({ access }: Registry) =>
    header({ username: access.user.username, password: access.user.password });

  it('posts a password as a form, and shows the token', async () => {
    const { from, pull } = await stage({ access: 'bearer' });
    expect((await pull(passwordOf(from))).status).toBe(200);
    const [request] = from.access.tokenRequests;
    expect([request?.method, request?.contentType]).toEqual(['POST', 'application/x-www-form-urlencoded']);
    const { username, password } = from.access.user;
    expect(Object.fromEntries(request?.asked ?? [])).toEqual({
      grant_type: 'password',
      username,
      password,
      service: from.access.service,
      scope: 'repository:some/image:pull',
      client_id: 'engine-conformance-reference',
    });
  });

  it('posts an identitytoken since 1.23 as a refresh token, and does not know it before', async () => {
    const { from, pull } = await stage({ access: 'bearer' });
    const identity = header({ identitytoken: from.access.user.identityToken });
    expect((await pull(identity, '1.21')).status).toBe(404);
    expect((await pull(identity)).status).toBe(200);
    const asked = from.access.tokenRequests.at(-1)?.asked;
    expect(asked?.get('grant_type')).toBe('refresh_token');
    expect(asked?.get('refresh_token')).toBe(from.access.user.identityToken);
    expect(asked?.has('password')).toBe(false);
  });

  it('asks with GET, basic authorization and every scope where POST answers 404', async () => {
    const { from, pull } = await stage({ access: 'bearer-get' });
    expect((await pull(passwordOf(from))).status).toBe(200);
    expect(from.access.tokenRequests.map(({ method }) => method).slice(0, 2)).toEqual(['POST', 'GET']);
    const get = from.access.tokenRequests[1];
    expect(get?.authorization).toMatch(/^Basic /);
    expect(get?.asked.get('account')).toBe(from.access.user.username);
  });

  it('sends several scopes of a challenge as one parameter', async () => {
    const { from, pull } = await stage({ access: 'bearer-scopes' });
    expect((await pull(passwordOf(from))).status).toBe(200);
    expect(from.access.tokenRequests[0]?.asked.getAll('scope')).toEqual([
      'repository:some/image:pull repository:second:pull',
    ]);
  });

  it('answers 404 when the token endpoint does not know the user', async () => {
    const { pull } = await stage({ access: 'bearer' });
    expect((await pull(header({ username: 'a', password: 'b' }))).status).toBe(404);
    expect((await pull()).status).toBe(404);
  });

  it('shows its credentials to no other host than the registry', async () => {
    const shown: (string | undefined)[] = [];
    const elsewhere = await server((request, response) => {
      shown.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    const host = await server((request, response) => {
      if (request.headers.authorization === undefined) {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
      } else {
        response.writeHead(307, { Location: `http://${elsewhere}${request.url}` }).end();
      }
    });
    const target = await engine();
    const path = `/v1.23/images/create?fromImage=${host}/image&tag=one`;
    expect((await target.send('POST', path, undefined, header({ username: 'a', password: 'b' }))).status).toBe(404);
    expect(shown).toEqual([undefined]);
  });
});

describe('a push of the reference engine', () => {
  it('gives a pulled image back byte for byte, to another registry too', async () => {
    const { target, from, image, name, pull } = await stage();
    await pull();
    const to = await registry();
    const copy = `${to.host}/copy`;
    expect((await target.send('POST', `/v1.23/images/${name}:one/tag?repo=${copy}&tag=two`)).status).toBe(201);
    const pushed = await target.send('POST', `/v1.23/images/${copy}/push?tag=two`);
    expect(last(pushed.text)).toMatchObject({ status: expect.stringMatching(/^two: digest: sha256:/) });
    const manifest: unknown = JSON.parse(String(to.contents.manifest('copy', 'two')?.bytes));
    expect(manifest).toMatchObject({ config: { digest: image.config.digest } });
    expect(from.contents.tags('some/image')).toEqual(['one']);
  });

  it('answers 404 to a tag that it does not have, and 500 to a name without a registry', async () => {
    const { target, name, pull } = await stage();
    await pull();
    expect((await target.send('POST', `/v1.23/images/${name}/push?tag=two`)).status).toBe(404);
    await target.send('POST', `/v1.23/images/${name}:one/tag?repo=local&tag=one`);
    expect((await target.send('POST', '/v1.23/images/local/push?tag=one')).status).toBe(500);
    expect((await target.send('POST', '/v1.23/images/unknown/push?tag=one')).status).toBe(404);
  });
});

describe('POST /auth of the reference engine', () => {
  async function login(access: RegistryOptions['access'], api: string, change: object = {}) {
    const from = await registry({ ...(access && { access }) });
    const { username, password } = from.access.user;
    const body = { username, password, serveraddress: `http://${from.host}/v1/`, ...change };
    return { from, answer: await (await engine()).send('POST', `/v${api}/auth`, body) };
  }

  it('gives the token of the registry since 1.23, and no body before', async () => {
    const { from, answer } = await login('bearer', '1.23');
    expect(answer.json).toEqual({ Status: 'Login Succeeded', IdentityToken: from.access.user.identityToken });
    const old = (await login('bearer', '1.21')).answer;
    expect([old.status, old.text]).toEqual([200, '']);
  });

  it.each(['basic', 'bearer', 'bearer-get'] as const)('takes only the user of a registry with %s', async (access) => {
    expect((await login(access, '1.23')).answer.status).toBe(200);
    expect((await login(access, '1.23', { password: 'of another' })).answer.status).toBe(500);
  });

  it.each([
    { serveraddress: undefined },
    { serveraddress: 7 },
    { username: undefined },
    { username: 7 },
    { password: [] },
  ])('answers 400 to %o', async (change) => {
    expect((await login('basic', '1.23', change)).answer.status).toBe(400);
  });
});
