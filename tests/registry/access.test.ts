import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { registryImage } from '../../harness/registry/image.ts';
import { Registry, type RegistryOptions } from '../../harness/registry/registry.ts';

const started: Registry[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((registry) => registry.close()));
});

async function start(options: RegistryOptions) {
  const registry = await Registry.start(options);
  started.push(registry);
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://${registry.host}${path}`, init);
  return { registry, ask };
}

function basic(username: string, password: string): RequestInit {
  return { headers: { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } };
}

describe('the registry of the suite', () => {
  it('ends no idle connection, on which a daemon may just be sending a request', async () => {
    const registry = await Registry.start();
    started.push(registry);
    const [host = '', port = ''] = registry.host.split(':');
    const connection = net.connect(Number(port), host);
    const gone = new AbortController();
    connection.once('close', () => gone.abort());
    const statusOf = async () => {
      connection.write(`GET /v2/ HTTP/1.1\r\nHost: ${registry.host}\r\n\r\n`);
      const [bytes]: unknown[] = await once(connection, 'data', { signal: gone.signal });
      return String(bytes).split('\r\n')[0];
    };
    expect(await statusOf()).toBe('HTTP/1.1 200 OK');
    // Longer than Node's servers keep a connection by default.
    await delay(7_000);
    expect(await statusOf()).toBe('HTTP/1.1 200 OK');
    connection.destroy();
  });

  it('lets anyone in when it is anonymous', async () => {
    const { ask } = await start({});
    expect((await ask('/v2/')).status).toBe(200);
  });

  it('asks for a password, and takes only its user', async () => {
    const { registry, ask } = await start({ access: 'basic' });
    const { username, password } = registry.access.user;
    const refused = await ask('/v2/');
    expect([refused.status, refused.headers.get('www-authenticate')?.split(' ')[0]]).toEqual([401, 'Basic']);
    expect((await ask('/v2/', basic(username, 'another'))).status).toBe(401);
    expect((await ask('/v2/', basic(username, password))).status).toBe(200);
  });

  it('asks for a token with the scope of what was wanted, and takes only tokens that it gave', async () => {
    const { registry, ask } = await start({ access: 'bearer' });
    const challenge = (await ask('/v2/some/thing/tags/list')).headers.get('www-authenticate');
    expect(challenge).toBe(
      `Bearer realm="http://${registry.host}/token",service="engine-conformance",scope="repository:some/thing:pull"`,
    );
    expect((await ask('/v2/', { headers: { Authorization: 'Bearer made-up' } })).status).toBe(401);
    const { username, password } = registry.access.user;
    const given = await (await ask('/token?service=x', basic(username, password))).text();
    const token = /"access_token":"(\w+)"/.exec(given)?.[1];
    expect((await ask('/v2/', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  it('gives tokens for a password and for the identity token, and for nothing else', async () => {
    const { registry, ask } = await start({ access: 'bearer' });
    const { username, password, identityToken } = registry.access.user;
    const post = (form: Record<string, string>) => ask('/token', { method: 'POST', body: new URLSearchParams(form) });
    const offline = await post({ grant_type: 'password', username, password, access_type: 'offline' });
    expect(await offline.json()).toMatchObject({ refresh_token: identityToken, expires_in: 300 });
    expect((await post({ grant_type: 'refresh_token', refresh_token: identityToken })).status).toBe(200);
    expect((await post({ grant_type: 'refresh_token', refresh_token: 'another' })).status).toBe(401);
    expect((await post({ grant_type: 'password', username, password: 'another' })).status).toBe(401);
    expect((await ask('/token')).status).toBe(401);
  });

  it('answers POST at its token endpoint with 404 when it is told to', async () => {
    const { ask } = await start({ access: 'bearer-get' });
    expect((await ask('/token', { method: 'POST' })).status).toBe(404);
  });

  it('holds one request until its client is gone, or it is released', async () => {
    const { registry, ask } = await start({ holds: (_method, { part }) => part === 'blobs' });
    const image = await registryImage('amd64', {});
    registry.contents.putImage('some/thing', 'one', image);
    const client = new AbortController();
    const asked = ask(`/v2/some/thing/blobs/${image.layer.digest}`, { signal: client.signal }).catch(() => undefined);
    await registry.held;
    client.abort();
    await registry.abandoned;
    expect(await asked).toBeUndefined();
    expect((await ask(`/v2/some/thing/blobs/${image.layer.digest}`)).status).toBe(200);
  });
});
