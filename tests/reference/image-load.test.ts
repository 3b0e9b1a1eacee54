import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine, tar } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

const base = 'a'.repeat(64);
const top = 'b'.repeat(64);

/** An archive of two layers in the format of Document 1. */
async function layers(more: Readonly<Record<string, string | Buffer>> = {}): Promise<Buffer> {
  const config = { Entrypoint: ['/probe'], Env: ['ONE=1'] };
  return tar({
    [`${base}/VERSION`]: '1.0',
    [`${base}/json`]: JSON.stringify({ id: base, created: '2024-01-02T03:04:05.123456789Z' }),
    [`${base}/layer.tar`]: await tar({ one: '1', two: '2' }),
    [`${top}/VERSION`]: '1.0',
    [`${top}/json`]: JSON.stringify({ id: top, parent: base, created: '2024-01-02T03:04:06Z', author: 'me', config }),
    [`${top}/layer.tar`]: await tar({ '.wh.one': '', three: '3' }),
    repositories: JSON.stringify({ old: { ec: top } }),
    ...more,
  });
}

function load(body: Buffer, query = '', api = '1.23') {
  return engine.send('POST', `/v${api}/images/load${query}`, body);
}

async function status(path: string): Promise<number> {
  const created = await engine.send('POST', '/v1.23/containers/create', { Image: 'old:ec' });
  const id = String(created.at('Id'));
  const answer = await engine.send('GET', `/v1.23/containers/${id}/archive?path=${path}`);
  await engine.send('DELETE', `/v1.23/containers/${id}`);
  return answer.status;
}

describe('load', () => {
  it('takes layers in their directories, with whiteouts and names', async () => {
    expect((await load(await layers())).text).toContain('Loaded image: old:ec');
    const image = await engine.send('GET', '/v1.23/images/old:ec/json');
    expect(image.json).toMatchObject({ Id: `sha256:${top}`, Parent: `sha256:${base}`, Author: 'me' });
    expect(image.at('Config', 'Env')).toEqual(['ONE=1']);
    expect(await Promise.all(['/one', '/two', '/three'].map(status))).toEqual([404, 200, 200]);
    const below = await engine.send('GET', `/v1.23/images/${base}/json`);
    expect(below.at('Created')).toBe('2024-01-02T03:04:05.123456789Z');
  });

  it('tells of the progress since 1.23, only of the result when quiet, and nothing before', async () => {
    const body = await layers();
    expect((await load(body)).text).toContain('"status"');
    expect((await load(body, '?quiet=1')).text.trim().split('\n')).toHaveLength(1);
    expect((await load(body, '', '1.21')).text).toBe('');
  });

  it.each([
    ['no archive', async () => Buffer.from('this is no archive of anything')],
    ['no image', async () => tar({ file: 'text' })],
    [
      'a layer that is missing',
      async () => layers({ [`${top}/json`]: JSON.stringify({ id: top, parent: 'c'.repeat(64) }) }),
    ],
    [
      'a layer that is its own parent',
      async () => layers({ [`${base}/json`]: JSON.stringify({ id: base, parent: top }) }),
    ],
    ['a name for no layer', async () => layers({ repositories: JSON.stringify({ bad: { ec: 'd'.repeat(64) } }) })],
    ['a json that is none', async () => layers({ [`${top}/json`]: '{' })],
    ['a layer that breaks off', async () => layers({ [`${top}/layer.tar`]: Buffer.alloc(700, 'x') })],
  ])('refuses %s with an error', async (_what, body) => {
    const bytes = await body();
    expect((await load(bytes, '', '1.21')).status).toBe(500);
    const { status, text } = await load(bytes);
    expect(status).toBe(200);
    expect(JSON.parse(text.trim())).toMatchObject({
      error: expect.any(String),
      errorDetail: { message: expect.any(String) },
    });
  });
});
