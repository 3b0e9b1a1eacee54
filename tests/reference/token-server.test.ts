import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReferenceTokenServer, startReferenceTokenServer } from '../../reference/token-server/index.ts';

const users = [
  { name: 'ada', password: 'one', scope: 'repository:app:pull,push repository:host:5000/base:pull' },
  { name: 'bob', password: 'two', scope: 'repository:app:pull' },
];
let server: ReferenceTokenServer;

beforeAll(async () => {
  server = await startReferenceTokenServer({ listen: { host: '127.0.0.1', port: 0 }, users });
});

afterAll(() => server.close());

type Form = Record<string, string>;

const ada = { grant_type: 'password', service: 's', client_id: 'c', username: 'ada', password: 'one' };

async function ask(form: Form | string, headers: Record<string, string> = {}) {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${server.url}/token`, { method: 'POST', headers: { ...type, ...headers }, body });
  const json = (await answer.json()) as Record<string, string | number>;
  return { status: answer.status, headers: answer.headers, json };
}

async function refreshToken(form: Form = ada): Promise<string> {
  return String((await ask({ ...form, access_type: 'offline' })).json.refresh_token);
}

function refresh(token: string, more: Form = {}) {
  return ask({ grant_type: 'refresh_token', service: 's', client_id: 'c', refresh_token: token, ...more });
}

describe('a token', () => {
  test('has every field, and is good for the service and the scope that was granted', async () => {
    const { status, headers, json } = await ask({ ...ada, scope: 'repository:app:push,delete repository:x:pull' });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      ...[200, 'application/json', 'no-store'],
    ]);
    expect(json).toMatchObject({ scope: 'repository:app:push', expires_in: 300 });
    expect(json).not.toHaveProperty('refresh_token');
    expect(Math.abs(Date.now() - Date.parse(String(json.issued_at)))).toBeLessThan(10_000);
    const { aud, sub, exp = 0, iat = 0, access } = decodeJwt(String(json.access_token));
    expect({ aud, sub, life: exp - iat, access }).toEqual({
      ...{ aud: 's', sub: 'ada', life: 300 },
      access: [{ type: 'repository', name: 'app', actions: ['push'] }],
    });
  });

  test.each([
    ['repository:host:5000/base:pull,push', 'repository:host:5000/base:pull'],
    [
      'repository:app:push,pull repository:host:5000/base:pull',
      'repository:app:push,pull repository:host:5000/base:pull',
    ],
    ['registry:catalog:*', ''],
    ['', ''],
  ])("with '%s' asked for grants '%s'", async (scope, granted) => {
    expect((await ask({ ...ada, scope })).json.scope).toBe(granted);
  });
});

describe('a refresh token', () => {
  test('gives tokens with other scopes, and comes back only when asked for', async () => {
    const token = await refreshToken();
    expect(token.length).toBeGreaterThan(40);
    const online = await refresh(token, { scope: 'repository:app:pull' });
    expect(online.json).toMatchObject({ scope: 'repository:app:pull' });
    expect(online.json).not.toHaveProperty('refresh_token');
    const offline = await refresh(token, { access_type: 'offline', scope: 'repository:app:push' });
    expect(offline.json).toMatchObject({ scope: 'repository:app:push', refresh_token: token });
  });

  test('is good for its service and its user alone', async () => {
    const token = await refreshToken();
    expect(await refresh(token, { service: 'other' })).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect(await refresh(`${token}x`)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    const ofBob = await refreshToken({ ...ada, username: 'bob', password: 'two' });
    expect((await refresh(ofBob, { scope: 'repository:app:pull,push' })).json.scope).toBe('repository:app:pull');
  });
});

describe('no token is given', () => {
  const { grant_type: _grant, ...noGrant } = ada;
  const { service: _service, ...noService } = ada;
  const { client_id: _client, ...noClient } = ada;
  test.each<[string, Form | string, number, string]>([
    ['without grant_type', noGrant, 400, 'invalid_request'],
    ['without service', noService, 400, 'invalid_request'],
    ['without client_id', noClient, 400, 'invalid_request'],
    ['with an empty service', { ...ada, service: '' }, 400, 'invalid_request'],
    ['for a client_id beyond ASCII', { ...ada, client_id: 'ü' }, 400, 'invalid_request'],
    ['for another access_type', { ...ada, access_type: 'always' }, 400, 'invalid_request'],
    ['for a scope of another form', { ...ada, scope: 'pull' }, 400, 'invalid_scope'],
    ['for the reserved grant', { ...ada, grant_type: 'authorization_code' }, 400, 'unsupported_grant_type'],
    ['for an unknown grant', { ...ada, grant_type: 'x' }, 400, 'unsupported_grant_type'],
    ['for a wrong password', { ...ada, password: 'two' }, 401, 'invalid_grant'],
    ['to an unknown user', { ...ada, username: 'eve' }, 401, 'invalid_grant'],
    ['without a refresh token', { ...ada, grant_type: 'refresh_token' }, 400, 'invalid_request'],
    ['for a parameter that is given twice', `${new URLSearchParams(ada)}&scope=&scope=`, 400, 'invalid_request'],
    ['for a form that is too large', { ...ada, scope: 'x'.repeat(100_000) }, 413, 'invalid_request'],
    ['for nothing', '', 400, 'invalid_request'],
  ])('%s', async (_what, form, status, error) => {
    const answer = await ask(form);
    expect({ status: answer.status, error: answer.json.error }).toEqual({ status, error });
    expect(answer.json).not.toHaveProperty('access_token');
  });

  test('to JSON in place of a form', async () => {
    const answer = await ask(JSON.stringify(ada), { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  });

  test('to another method or path', async () => {
    const get = await fetch(`${server.url}/token?service=s`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${server.url}/`, { method: 'POST', body: 'x' })).status).toBe(404);
  });
});

test('with one service, no tokens are given for others', async () => {
  const one = await startReferenceTokenServer({ listen: { host: '127.0.0.1', port: 0 }, users, service: 's' });
  const ask = async (service: string) =>
    (await fetch(`${one.url}/token`, { method: 'POST', body: new URLSearchParams({ ...ada, service }) })).status;
  expect([await ask('s'), await ask('t')]).toEqual([200, 400]);
  await one.close();
});
