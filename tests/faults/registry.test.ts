import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../../harness/faults/fault.ts';
import { asksTokenWith, postsForToken, sendsTokenFormAs, showsNoToken } from '../../harness/faults/registry.ts';
import { ignoresHeader, knowsHeaderOnlyAs } from '../../harness/faults/requests.ts';
import { Registry } from '../../harness/registry/registry.ts';
import type { WireRequest } from '../../harness/transport/wire.ts';

/** What the token endpoint of a registry sees of a client with the fault, and whether the token opens the registry. */
async function under(fault: Fault | undefined) {
  const registry = await Registry.start({ access: 'bearer', garbles: fault?.toRegistry });
  onTestFinished(() => registry.close());
  const { username, password } = registry.access.user;
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://${registry.host}${path}`, init);
  const form = { grant_type: 'password', username, password, service: 's', scope: 'repository:a:pull' };
  const given = await (await ask('/token', { method: 'POST', body: new URLSearchParams(form) })).text();
  const token = /"access_token":"(\w+)"/.exec(given)?.[1];
  const { status } = await ask('/v2/', { headers: { Authorization: `Bearer ${token}` } });
  await ask('/token?service=s');
  const [posted, got] = registry.access.tokenRequests;
  return { status, posted, got };
}

describe('a fault towards the registry', () => {
  it('is none when there is none', async () => {
    const { status, posted, got } = await under(undefined);
    expect([status, posted?.method, got?.method]).toEqual([200, 'POST', 'GET']);
    expect(posted?.asked.get('scope')).toBe('repository:a:pull');
  });

  it('hides the bearer token', async () => {
    expect((await under(showsNoToken())).status).toBe(401);
    expect(showsNoToken().toRegistry?.authorization?.('Basic abc')).toBe('Basic abc');
  });

  it('changes the method, the media type or a parameter of the request for a token', async () => {
    expect((await under(postsForToken())).got?.method).toBe('POST');
    expect((await under(sendsTokenFormAs('text/plain'))).posted?.contentType).toBe('text/plain');
    const scopes = async (...values: string[]) =>
      (await under(asksTokenWith('scope', ...values))).posted?.asked.getAll('scope');
    expect(await scopes()).toEqual([]);
    expect(await scopes('a', 'b')).toEqual(['a', 'b']);
  });
});

describe('a fault of a request header', () => {
  const sent: WireRequest = { method: 'POST', path: '/x', headers: { 'X-Registry-Auth': 'a+b', Accept: '*' } };

  it('drops it, in any case of its name', () => {
    expect(ignoresHeader('x-registry-auth').request?.(sent)).toMatchObject({ headers: { Accept: '*' } });
    expect(ignoresHeader('x-other').request?.(sent)).toEqual(sent);
  });

  it('drops it unless it is written in one way', () => {
    expect(knowsHeaderOnlyAs('x-registry-auth', /^[^+/]*$/).request?.(sent)).toEqual({
      ...sent,
      headers: { Accept: '*' },
    });
    expect(knowsHeaderOnlyAs('x-registry-auth', /\+/).request?.(sent)).toEqual(sent);
  });
});
