import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untar } from './archives.ts';
import { startEngine, type TestEngine, tar } from './client.ts';

let engine: TestEngine;
let container: string;

beforeAll(async () => {
  engine = await startEngine();
  const steps = ['symlink', '/data/file', '/link', 'symlink', '/data', '/way', 'symlink', '/gone', '/lost', 'forever'];
  container = await engine.run(['mkdir', '/data/empty', ...steps]);
});

afterAll(() => engine.close());

function archive(method: string, path: string, body?: Buffer, of = container) {
  return engine.send(method, `/v1.23/containers/${of}/archive?path=${path}`, body);
}

async function names(path: string): Promise<string[]> {
  const { status, headers, bytes } = await engine.download(`/v1.23/containers/${container}/archive?path=${path}`);
  expect([status, headers['content-type']]).toEqual([200, 'application/x-tar']);
  return (await untar(bytes)).map(({ name }) => name);
}

async function stat(path: string, method = 'HEAD'): Promise<Record<string, unknown>> {
  const answer = await archive(method, path);
  expect(answer.status).toBe(200);
  return JSON.parse(Buffer.from(String(answer.headers['x-engine-container-path-stat']), 'base64').toString());
}

async function content(id: string, path: string): Promise<string | undefined> {
  const { bytes } = await engine.download(`/v1.23/containers/${id}/archive?path=${path}`);
  return (await untar(bytes))[0]?.data.toString();
}

describe('archive', () => {
  it('gives files and directories, each form of path with its own names', async () => {
    expect(await names('/data/file')).toEqual(['file']);
    expect(await names('data/file')).toEqual(['file']);
    expect(await names('/data')).toEqual(['data/', 'data/empty/', 'data/file']);
    expect(await names('/data/')).toEqual(['data/', 'data/empty/', 'data/file']);
    expect(await names('/data/.')).toEqual(['./', './empty/', './file']);
    expect(await names('/way/.')).toEqual(['./', './empty/', './file']);
    expect(await names('/')).toContain('/data/file');
    expect(await content(container, '/link')).toBe('kept');
  });

  it('tells of a path in the header', async () => {
    expect(await stat('/data/file')).toEqual({
      name: 'file',
      size: 4,
      mode: 0o755,
      mtime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      linkTarget: '',
    });
    expect(await stat('/data/', 'GET')).toMatchObject({ name: 'data', mode: 2 ** 31 + 0o755 });
    expect(await stat('/link')).toMatchObject({ name: 'link', size: 4, linkTarget: '/data/file' });
    expect(await stat('/')).toMatchObject({ name: '/' });
  });

  it('refuses bad paths with details', async () => {
    for (const method of ['HEAD', 'GET', 'PUT']) {
      const body = method === 'PUT' ? await tar({ a: 'b' }) : undefined;
      for (const [path, status] of [
        ['', 400],
        ['/data/missing', 404],
        ['/lost', 404],
        ['/data/file/', 400],
        ['/data/file/.', 400],
        ['/data/file/below', 404],
      ] as const) {
        const answer = await archive(method, path, body);
        expect([method, path, answer.status]).toEqual([method, path, status]);
        if (method !== 'HEAD') expect(answer.at('message')).toBeTypeOf('string');
      }
      expect((await archive(method, '/', body, 'nothing')).status).toBe(404);
    }
    expect((await engine.send('GET', `/containers/${container}/archive`)).status).toBe(400);
  });

  it('does not copy what the kernel makes', async () => {
    for (const path of ['/proc/version', '/proc/1/status', '/sys/kernel', '/dev/null', '/dev/console']) {
      expect((await archive('GET', path)).status).toBe(404);
    }
    expect(await names('/proc')).toEqual(['proc/']);
    expect((await archive('PUT', '/proc', await tar({ a: 'b' }))).status).toBe(403);
  });

  it('unpacks where it is asked to', async () => {
    const id = await engine.create([]);
    const put = await archive('PUT', '/data', await tar({ 'a/b/c': 'one', file: 'two', '../up': 'in' }), id);
    expect([put.status, put.text]).toEqual([200, '']);
    expect(await content(id, '/data/a/b/c')).toBe('one');
    expect(await content(id, '/data/file')).toBe('two');
    expect(await content(id, '/data/up')).toBe('in');
    expect((await archive('PUT', 'data/', await tar({ file: 'three' }), id)).status).toBe(200);
    expect(await content(id, 'data/file')).toBe('three');
    expect((await archive('PUT', '/data/file', await tar({ a: 'b' }), id)).status).toBe(400);
    expect((await archive('PUT', '/data', Buffer.from('x'.repeat(512)), id)).status).toBe(400);
  });

  it('replaces a directory by a file and the reverse unless told not to', async () => {
    const id = await engine.create([]);
    const overDirectory = await tar({ data: 'file now' });
    const overFile = await tar({ other: null });
    const below = await tar({ 'other/deep': 'x' });
    for (const body of [overDirectory, overFile, below]) {
      for (const flag of ['1', 'true', 'True']) {
        expect((await archive('PUT', `/&noOverwriteDirNonDir=${flag}`, body, id)).status).toBe(400);
      }
    }
    expect(await content(id, '/data/file')).toBe('kept');
    for (const body of [overDirectory, overFile]) expect((await archive('PUT', '/', body, id)).status).toBe(200);
    expect(await content(id, '/data')).toBe('file now');
    expect((await archive('GET', '/other/', undefined, id)).status).toBe(200);
  });

  it('writes to volumes, but not to what is read-only', async () => {
    const binds = ['archived:/volume', 'archived:/again:ro'];
    const id = await engine.create([], { HostConfig: { Binds: binds } });
    const body = await tar({ file: 'x' });
    expect((await archive('PUT', '/volume', body, id)).status).toBe(200);
    expect(await content(id, '/again/file')).toBe('x');
    expect((await archive('PUT', '/again', body, id)).status).toBe(403);
    expect((await archive('PUT', '/', await tar({ 'again/file': 'y' }), id)).status).toBe(403);
    const readOnly = await engine.create([], { HostConfig: { ReadonlyRootfs: true, Binds: ['archived:/volume'] } });
    expect((await archive('PUT', '/data', body, readOnly)).status).toBe(403);
    expect((await archive('PUT', '/volume', body, readOnly)).status).toBe(200);
  });

  it('is spelt in the dialect', async () => {
    const docker = await startEngine({ dialect: 'docker' });
    const id = await docker.create([]);
    const answer = await docker.send('HEAD', `/v1.23/containers/${id}/archive?path=/data`);
    expect(answer.headers).toHaveProperty('x-docker-container-path-stat');
    await docker.close();
  });
});

describe('copy and export', () => {
  it('copy gives an archive of Resource', async () => {
    const path = `/v1.20/containers/${container}/copy`;
    const answer = await engine.download(path, { Resource: 'data/file' });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-tar']);
    expect(await untar(answer.bytes)).toMatchObject([{ name: 'file', type: 'file' }]);
    expect((await engine.send('POST', path, { Resource: '/missing' })).status).toBe(500);
    expect((await engine.send('POST', path, { Resource: '' })).status).toBe(400);
    expect((await engine.send('POST', '/containers/nothing/copy', { Resource: '/' })).status).toBe(404);
  });

  it('export gives all files but those of volumes', async () => {
    const id = await engine.run(['write', '/volume/inside', 'x', 'symlink', '/a', '/b', 'forever'], {
      Volumes: { '/volume': {} },
    });
    await expect.poll(async () => (await archive('HEAD', '/b', undefined, id)).status).toBe(404);
    const answer = await engine.download(`/v1.23/containers/${id}/export`);
    expect(answer.headers['content-type']).toBe('application/octet-stream');
    const entries = await untar(answer.bytes);
    const found = entries.map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(['data/', 'data/file', 'probe', 'volume/', 'b']));
    expect(found).not.toContain('volume/inside');
    expect(entries.find(({ name }) => name === 'b')).toMatchObject({ type: 'symlink', linkname: '/a' });
    expect((await engine.send('GET', '/containers/nothing/export')).status).toBe(404);
  });
});
