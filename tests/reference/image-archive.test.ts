import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untar } from './archives.ts';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

/** Commits a container that ran these steps, as `name:ec`. @returns the identifier */
async function commit(name: string, steps: readonly string[]): Promise<string> {
  const container = await engine.run(steps);
  await engine.wait(container);
  const query = `container=${container}&repo=${name}&tag=ec&author=someone&comment=why`;
  const answer = await engine.send('POST', `/v1.23/commit?${query}`, {});
  expect(answer.status).toBe(201);
  return String(answer.at('Id')).replace('sha256:', '');
}

async function save(name: string): Promise<Map<string, Buffer>> {
  const { status, headers, bytes } = await engine.download(`/v1.23/images/${name}/get`);
  expect([status, headers['content-type']]).toEqual([200, 'application/x-tar']);
  return new Map((await untar(bytes)).map((entry) => [entry.name, entry.data]));
}

function json(files: Map<string, Buffer>, name: string): unknown {
  return JSON.parse(String(files.get(name)));
}

async function layer(files: Map<string, Buffer>, id: string) {
  const entries = await untar(files.get(`${id}/layer.tar`) ?? Buffer.alloc(0));
  return Object.fromEntries(entries.map(({ name, data }) => [name, data.toString()]));
}

describe('an archive of an image', () => {
  it('has a directory of three files for each layer, and the names', async () => {
    const id = await commit('saved', ['write', '/kept', 'bytes']);
    const files = await save('saved:ec');
    const ids = [...files.keys()].filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
    expect(ids).toContain(id);
    expect(ids).toHaveLength(2);
    for (const one of ids) {
      expect(String(files.get(`${one}/VERSION`))).toBe('1.0');
      expect(json(files, `${one}/json`)).toMatchObject({ id: one });
      expect(files.has(`${one}/layer.tar`)).toBe(true);
    }
    expect(json(files, `${id}/json`)).toMatchObject({ parent: ids.find((one) => one !== id), author: 'someone' });
    expect(json(files, 'repositories')).toEqual({ saved: { ec: id } });
  });

  it('has in a layer what was written, and whiteouts for what was removed', async () => {
    const id = await commit('changed', ['write', '/kept', 'bytes', 'remove', '/etc/group']);
    const files = await layer(await save('changed:ec'), id);
    expect(files).toMatchObject({ kept: 'bytes', 'etc/.wh.group': '' });
    expect(Object.keys(files)).not.toContain('etc/passwd');
  });

  it('has no names for an identifier, and every name of a repository without a tag', async () => {
    const id = await commit('named', ['exit', '0']);
    expect((await engine.send('POST', `/v1.23/images/${id}/tag?repo=named&tag=two`)).status).toBe(201);
    expect((await save(id)).has('repositories')).toBe(false);
    expect(json(await save('named'), 'repositories')).toEqual({ named: { ec: id, two: id } });
    expect(json(await save('named:two'), 'repositories')).toEqual({ named: { two: id } });
  });

  it('brings the same image back', async () => {
    const id = await commit('again', ['write', '/kept', 'bytes', 'remove', '/etc/group']);
    const before = await engine.send('GET', '/v1.23/images/again:ec/json');
    const { bytes } = await engine.download('/v1.23/images/again:ec/get');
    expect((await engine.send('DELETE', '/v1.23/images/again:ec?force=1')).status).toBe(200);
    expect((await engine.send('GET', `/v1.23/images/${id}/json`)).status).toBe(404);
    expect((await engine.send('POST', '/v1.23/images/load', bytes)).text).toContain('Loaded image: again:ec');
    const after = await engine.send('GET', '/v1.23/images/again:ec/json');
    expect(after.json).toEqual(before.json);
  });
});
