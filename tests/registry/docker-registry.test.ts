import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeImage } from '../../harness/probe/image.ts';
import { registryImage } from '../../harness/registry/image.ts';
import { Registry } from '../../harness/registry/registry.ts';
import { decodeObjects } from '../../harness/streams/objects.ts';
import { startEngine, type TestEngine } from '../reference/client.ts';
import { type DockerRegistry, startRegistry, user, whyNoRegistry } from './docker-registry.ts';

const missing = whyNoRegistry();
const title = missing === undefined ? "Debian's docker-registry" : `Debian's docker-registry (skipped: ${missing})`;

function authHeader(authConfig: object): Record<string, string> {
  return { 'X-Registry-Auth': Buffer.from(JSON.stringify(authConfig)).toString('base64') };
}

async function load(engine: TestEngine, tag: string): Promise<void> {
  const { tar } = await probeImage({ architecture: 'amd64', tag });
  expect((await engine.send('POST', '/v1.23/images/load', tar)).status).toBe(200);
}

describe.skipIf(missing !== undefined)(title, () => {
  let engine: TestEngine;
  let open: DockerRegistry;
  let closed: DockerRegistry;

  beforeAll(async () => {
    engine = await startEngine();
    [open, closed] = await Promise.all([startRegistry({ withPassword: false }), startRegistry({ withPassword: true })]);
  });

  afterAll(async () => {
    await Promise.all([engine?.close(), open?.stop(), closed?.stop()]);
  });

  const inspect = (name: string) => engine.send('GET', `/v1.23/images/${name}/json`);
  const pull = (query: string, headers = {}) =>
    engine.send('POST', `/v1.23/images/create?${query}`, undefined, headers);
  const push = (name: string, headers = {}) => engine.send('POST', `/v1.23/images/${name}/push`, undefined, headers);

  it('takes what the reference engine pushes, and gives it back with every tag', async () => {
    const name = `${open.host}/some/image`;
    await load(engine, `${name}:one`);
    await load(engine, `${name}:two`);
    const pushed = await push(name);
    expect(pushed.text).not.toContain('"error"');
    for (const tag of ['one', 'two']) await engine.send('DELETE', `/v1.23/images/${name}:${tag}?force=1`);
    expect((await inspect(`${name}:one`)).status).toBe(404);
    const pulled = await pull(`fromImage=${name}&tag=`);
    expect(pulled.text).not.toContain('"error"');
    for (const tag of ['one', 'two']) expect((await inspect(`${name}:${tag}`)).status).toBe(200);
    const digests = (await inspect(`${name}:one`)).at('RepoDigests');
    expect(digests).toEqual([expect.stringMatching(/@sha256:[0-9a-f]{64}$/)]);
    expect((await pull(`fromImage=${String(digests)}`)).status).toBe(200);
  });

  it('has no repository that was never pushed', async () => {
    expect((await pull(`fromImage=${open.host}/never/pushed&tag=latest`)).status).toBe(404);
  });

  it('lets only its user in', async () => {
    const name = `${closed.host}/image`;
    await load(engine, `${name}:latest`);
    const refused = decodeObjects(Buffer.from((await push(name)).text)).at(-1);
    expect(refused?.value).toMatchObject({ error: expect.stringContaining('401') });
    expect((await push(name, authHeader(user))).text).not.toContain('"error"');
    expect((await pull(`fromImage=${name}&tag=latest`)).status).toBe(404);
    expect((await pull(`fromImage=${name}&tag=latest`, authHeader(user))).status).toBe(200);
  });

  it('tells the engine whether credentials are good', async () => {
    const login = (password: string) =>
      engine.send('POST', '/v1.23/auth', { username: user.username, password, serveraddress: closed.host });
    expect((await login(user.password)).json).toEqual({ Status: 'Login Succeeded' });
    expect((await login('of another user')).status).toBe(500);
  });

  it("answers as the suite's own registry does", async () => {
    const own = await Registry.start();
    try {
      const image = await registryImage('amd64', {});
      expect(await transcript(own.host, image)).toEqual(await transcript(open.host, image));
    } finally {
      await own.close();
    }
  });
});

/** The statuses and telling headers of a client's life: misses, an upload, a push, and reading it back. */
async function transcript(host: string, image: Awaited<ReturnType<typeof registryImage>>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const ask = async (method: string, path: string, body?: Buffer, type = 'application/octet-stream') => {
    const address = new URL(path, `http://${host}`);
    const answer = await fetch(address, {
      method,
      ...(body && { body: new Uint8Array(body), headers: { 'Content-Type': type } }),
    });
    const text = await answer.text();
    const code = answer.ok ? '' : (/"code":"(\w+)"/.exec(text)?.[1] ?? '');
    const read = method === 'GET' && answer.ok ? text : '';
    const described = read === '' ? '' : (answer.headers.get('docker-content-digest') ?? '');
    seen.push([method, address.pathname.replace(/uploads\/.+/, 'uploads/…'), answer.status, code, described]);
    return answer.headers.get('location') ?? '';
  };
  const { manifest, config, layer } = image;
  await ask('GET', '/v2/');
  await ask('GET', '/v2/own/tags/list');
  await ask('GET', '/v2/own/manifests/one');
  await ask('HEAD', `/v2/own/blobs/${layer.digest}`);
  for (const blob of [config, layer]) {
    const location = await ask('POST', '/v2/own/blobs/uploads/');
    const separator = location.includes('?') ? '&' : '?';
    await ask('PUT', `${location}${separator}digest=${encodeURIComponent(blob.digest)}`, blob.bytes);
  }
  await ask('PUT', '/v2/own/manifests/one', manifest.bytes, manifest.mediaType);
  await ask('GET', '/v2/own/manifests/two');
  await ask('HEAD', '/v2/own/manifests/one');
  await ask('GET', `/v2/own/blobs/${layer.digest}`);
  await ask('GET', '/v2/own/tags/list');
  return seen;
}
