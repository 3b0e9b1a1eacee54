import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DockerRegistry, startRegistry, whyNoRegistry } from '../registry/docker-registry.ts';
import { startDistribution } from './servers/distribution.ts';
import { startDockerAuth } from './servers/docker-auth.ts';
import type { Listening } from './servers/listen.ts';
import { makeSigner } from './servers/signer.ts';

const missing = whyNoRegistry();
const title = missing === undefined ? "Debian's docker-registry" : `Debian's docker-registry (skipped: ${missing})`;
const user = { name: 'grace', password: 'of-grace' };
const service = 'registry.test';
const issuer = 'token-server.test';

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** What a client does at the registry with one token, by the statuses that it gets. */
class Client {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(host: string, repository: string, token: string | undefined) {
    this.#base = `http://${host}/v2/${repository}`;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** Pushes an image without layers. @returns the status of the first step that is refused, or of the last */
  async push(): Promise<number> {
    const config = '{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}';
    const started = await this.#send('POST', '/blobs/uploads/');
    const location = started.headers.get('location');
    if (started.status !== 202 || location === null) return started.status;
    const digest = digestOf(config);
    const uploaded = await fetch(`${location}${location.includes('?') ? '&' : '?'}digest=${digest}`, {
      method: 'PUT',
      headers: { ...this.#headers, 'content-type': 'application/octet-stream' },
      body: config,
    });
    if (uploaded.status !== 201) return uploaded.status;
    const mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
    const described = { mediaType: 'application/vnd.docker.container.image.v1+json', size: config.length, digest };
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: described, layers: [] });
    return (await this.#send('PUT', '/manifests/latest', { 'content-type': mediaType }, manifest)).status;
  }

  async pull(): Promise<number> {
    const accept = 'application/vnd.docker.distribution.manifest.v2+json';
    return (await this.#send('GET', '/manifests/latest', { accept })).status;
  }

  #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Response> {
    const options = { method, headers: { ...this.#headers, ...headers } };
    return fetch(this.#base + path, body === undefined ? options : { ...options, body });
  }
}

describe.skipIf(missing !== undefined)(title, () => {
  let registry: DockerRegistry;
  const servers: Record<string, Listening & { readonly endpoint: string }> = {};

  beforeAll(async () => {
    const signer = await makeSigner(issuer);
    const distribution = await startDistribution({ release: '2.5.2', users: [user], signer });
    const dockerAuth = await startDockerAuth({ users: [user], signer });
    servers.distribution = { ...distribution, endpoint: `${distribution.url}/token/` };
    servers.docker_auth = { ...dockerAuth, endpoint: `${dockerAuth.url}/auth` };
    registry = await startRegistry({
      tokens: { realm: `${distribution.url}/token/`, service, issuer, certificate: signer.certificate },
    });
  });

  afterAll(async () => {
    await Promise.all([registry?.stop(), ...Object.values(servers).map((server) => server.close())]);
  });

  async function answerOf(server: string, scope: string, changes: Readonly<Record<string, string>> = {}) {
    const form = { grant_type: 'password', service, client_id: 'a', username: user.name, password: user.password };
    const body = new URLSearchParams({ ...form, scope, ...changes });
    const answer = await fetch(servers[server]?.endpoint ?? '', { method: 'POST', body });
    return { status: answer.status, token: answer.ok ? String(Object(await answer.json()).access_token) : undefined };
  }

  test.each(['distribution', 'docker_auth'])('a token of %s pushes and pulls what it was granted for', async (name) => {
    const repository = `grace/of-${name}`;
    const { token } = await answerOf(name, `repository:${repository}:pull,push`);
    const client = new Client(registry.host, repository, token);
    expect(await client.push()).toBe(201);
    expect(await client.pull()).toBe(200);
    const { token: pulls } = await answerOf(name, `repository:${repository}:pull`);
    const reader = new Client(registry.host, repository, pulls);
    expect([await reader.pull(), await reader.push()]).toEqual([200, 401]);
  });

  test.each(['distribution', 'docker_auth'])('a token of %s for another repository does nothing', async (name) => {
    const { token } = await answerOf(name, 'repository:grace/one:pull,push repository:ada/two:pull,push');
    const other = new Client(registry.host, 'ada/two', token);
    expect([await other.push(), await other.pull()]).toEqual([401, 401]);
    expect(await new Client(registry.host, 'grace/one', token).push()).toBe(201);
  });

  test('no token, one that is altered, of another service, or of another signer does nothing', async () => {
    const scope = 'repository:grace/app:pull,push';
    const { token = '' } = await answerOf('distribution', scope);
    const [head, claims = '', signature] = token.split('.');
    const more = Buffer.from(claims, 'base64url').toString('utf8').replace('grace/app', 'grace/all');
    const stranger = await makeSigner(issuer);
    const access = [{ type: 'repository', name: 'grace/app', actions: ['pull', 'push'] }];
    const tokens = [
      undefined,
      [head, Buffer.from(more).toString('base64url'), signature].join('.'),
      (await answerOf('distribution', scope, { service: 'other.test' })).token,
      await stranger.sign({ subject: user.name, service, access, seconds: 300 }),
    ];
    for (const one of tokens) expect(await new Client(registry.host, 'grace/app', one).push()).toBe(401);
    expect(await new Client(registry.host, 'grace/app', token).push()).toBe(201);
  });

  test('where a token server refuses there is no token to try', async () => {
    for (const name of Object.keys(servers)) {
      const refused = await answerOf(name, 'repository:grace/app:pull', { password: 'wrong' });
      expect(refused).toEqual({ status: 401, token: undefined });
    }
  });
});
