import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

const filtered = (path: string, filters: object): string =>
  `${path}?filters=${encodeURIComponent(JSON.stringify(filters))}`;

async function names(path: string): Promise<unknown[]> {
  const { json } = await engine.send('GET', path);
  return Array.isArray(json) ? json.map(({ Name }) => Name).sort() : [];
}

async function makeNetwork(body: object, api = '1.23'): Promise<string> {
  const answer = await engine.send('POST', `/v${api}/networks/create`, body);
  expect([answer.status, answer.at('Warning')]).toEqual([201, '']);
  return String(answer.at('Id'));
}

async function status(...args: Parameters<TestEngine['send']>): Promise<number> {
  return (await engine.send(...args)).status;
}

async function inspect(id: string): Promise<Awaited<ReturnType<TestEngine['send']>>> {
  return engine.send('GET', `/v1.23/containers/${id}/json`);
}

describe('networks', () => {
  it('has the predefined ones, which stay', async () => {
    expect(await names(filtered('/v1.23/networks', { type: ['builtin'] }))).toEqual(['bridge', 'host', 'none']);
    for (const name of ['bridge', 'host', 'none']) expect(await status('DELETE', `/v1.23/networks/${name}`)).toBe(403);
    expect((await engine.send('GET', '/v1.21/networks/none')).at('Driver')).toBe('null');
    expect(await status('GET', '/v1.20/networks')).toBe(404);
  });

  it('makes, shows by version, filters and removes', async () => {
    const IPAM = {
      Driver: 'default',
      Config: [{ Subnet: '10.9.0.0/24', IPRange: '10.9.0.128/25', Gateway: '10.9.0.9' }],
    };
    const body = { Name: 'front-one', IPAM, Options: { a: 'b' }, Internal: true, Labels: { l: '1' } };
    const id = await makeNetwork(body);
    const v23 = await engine.send('GET', `/v1.23/networks/${id}`);
    expect(v23.json).toMatchObject({
      ...body,
      Id: id,
      Scope: 'local',
      Driver: 'bridge',
      EnableIPv6: false,
      Containers: {},
    });
    const v21 = await engine.send('GET', '/v1.21/networks/front-one');
    for (const name of ['EnableIPv6', 'Internal', 'Labels']) expect(v21.json).not.toHaveProperty(name);
    expect(v21.at('IPAM')).not.toHaveProperty('Options');
    expect(await names(filtered('/v1.23/networks', { name: ['ront-o'] }))).toEqual(['front-one']);
    expect(await names(filtered('/v1.21/networks', { name: ['ront-o'] }))).toEqual([]);
    expect(await names(filtered('/v1.21/networks', { id: [id] }))).toEqual(['front-one']);
    expect(await names(filtered('/v1.23/networks', { type: ['custom'] }))).toEqual(['front-one']);
    expect(await status('GET', filtered('/v1.23/networks', { type: ['odd'] }))).toBe(400);
    expect(await status('POST', '/v1.23/networks/create', { Name: 'front-one', CheckDuplicate: true })).toBe(409);
    expect(await status('POST', '/v1.23/networks/create', { Name: 'n', IPAM })).toBe(500);
    expect(await status('POST', '/v1.23/networks/create', { Name: 'n', Driver: 'nothing' })).toBe(404);
    const unknownIpam = { Name: 'n', IPAM: { Driver: 'nothing' } };
    expect(await status('POST', '/v1.23/networks/create', unknownIpam)).toBe(404);
    expect(await status('POST', '/v1.23/networks/create', { Driver: 'bridge' })).toBe(400);
    expect(await status('DELETE', '/v1.21/networks/front-one')).toBe(200);
    expect(await status('GET', `/v1.23/networks/${id}`)).toBe(404);
    expect(await status('DELETE', `/v1.23/networks/${await makeNetwork({ Name: 'n' })}`)).toBe(204);
  });

  it('gives endpoints the addresses, aliases and MAC address asked for', async () => {
    const Config = [{ Subnet: '10.8.0.0/24' }, { Subnet: 'fd00:8::/64' }];
    const id = await makeNetwork({ Name: 'addressed', EnableIPv6: true, IPAM: { Config } });
    const asked = { IPAMConfig: { IPv4Address: '10.8.0.77', IPv6Address: 'fd00:8::77' }, Aliases: ['other'] };
    const container = await engine.run(['read', '/sys/class/net/eth0/address', 'read', '/proc/net/dev', 'forever'], {
      MacAddress: '02:aa:bb:cc:dd:ee',
      HostConfig: { NetworkMode: 'addressed' },
      NetworkingConfig: { EndpointsConfig: { addressed: asked } },
    });
    expect((await inspect(container)).at('NetworkSettings', 'Networks', 'addressed')).toMatchObject({
      ...asked,
      // Up to 1.44 it is known by its identifier as well.
      Aliases: ['other', container.slice(0, 12)],
      NetworkID: id,
      Gateway: '10.8.0.1',
      IPAddress: '10.8.0.77',
      IPPrefixLen: 24,
      GlobalIPv6Address: 'fd00:8::77',
      GlobalIPv6PrefixLen: 64,
      MacAddress: '02:aa:bb:cc:dd:ee',
    });
    expect((await engine.send('GET', '/v1.23/networks/addressed')).at('Containers', container)).toMatchObject({
      Name: (await inspect(container)).at('Name')?.toString().slice(1),
      IPv4Address: '10.8.0.77/24',
      IPv6Address: 'fd00:8::77/64',
    });
    const log = (await engine.send('GET', `/v1.23/containers/${container}/logs?stdout=1`)).text;
    expect(log).toContain('02:aa:bb:cc:dd:ee\n');
    expect(log).toContain('eth0:');
    const taken = await engine.create([], {
      HostConfig: { NetworkMode: 'addressed' },
      NetworkingConfig: { EndpointsConfig: { addressed: asked } },
    });
    expect(await status('POST', `/v1.23/containers/${taken}/start`)).toBe(500);
    expect(await status('DELETE', '/v1.23/networks/addressed')).toBe(500);
    await engine.send('DELETE', `/v1.23/containers/${container}?force=1`);
    expect(await status('POST', `/v1.23/containers/${taken}/start`)).toBe(204);
    await engine.send('DELETE', `/v1.23/containers/${taken}?force=1`);
    expect(await status('DELETE', '/v1.23/networks/addressed')).toBe(204);
  });

  it('names the links and aliases of a network in the hosts file', async () => {
    await makeNetwork({ Name: 'named', IPAM: { Config: [{ Subnet: '10.7.0.0/24' }] } });
    const on = (settings: object) => ({
      HostConfig: { NetworkMode: 'named' },
      NetworkingConfig: { EndpointsConfig: { named: settings } },
    });
    const server = await engine.run(['forever'], on({}));
    const asked = { Links: [`${server}:db`, 'nobody:none'], Aliases: ['me'] };
    const hosts = (await engine.output(['read', '/etc/hosts'], on(asked))).split('\n');
    expect(hosts).toContain('10.7.0.2\tdb');
    expect(hosts.find((line) => line.startsWith('10.7.0.3\t'))).toMatch(/ me$/);
    expect(hosts.join()).not.toContain('none');
    await engine.send('DELETE', `/v1.23/containers/${server}?force=1`);
  });

  it('connects and disconnects containers, which reach only those on the same network', async () => {
    await makeNetwork({ Name: 'apart' });
    const server = await engine.run(['listen', '80'], { HostConfig: { NetworkMode: 'apart' } });
    const address = String((await inspect(server)).at('NetworkSettings', 'Networks', 'apart', 'IPAddress'));
    const steps = ['try', 'connect', address, '80', 'echo-line', 'connect', address, '80', 'list', '/sys/class/net'];
    const client = await engine.create(steps, { Tty: true, OpenStdin: true });
    const stream = await engine.raw([`POST /v1.23/containers/${client}/attach?stream=1&stdout=1&stdin=1 HTTP/1.1`]);
    expect(await status('POST', `/v1.23/containers/${client}/start`)).toBe(204);
    expect((await stream.until('error 113\r\n')).toString()).toContain('error 113');
    const connect = { Container: client, EndpointConfig: { IPAMConfig: {} } };
    expect(await status('POST', '/v1.23/networks/apart/connect', connect)).toBe(200);
    expect(await status('POST', '/v1.23/networks/apart/connect', connect)).toBe(500);
    expect(Object.keys(Object((await inspect(client)).at('NetworkSettings', 'Networks')))).toEqual(['bridge', 'apart']);
    stream.socket.write('go\n');
    expect((await stream.rest()).toString()).toContain('probe\r\nlo\r\neth0\r\neth1\r\n');
    expect(await status('POST', '/v1.23/networks/apart/disconnect', { Container: client, Force: true })).toBe(200);
    expect(await status('POST', '/v1.21/networks/apart/disconnect', { Container: client })).toBe(500);
    expect(await status('POST', '/v1.23/networks/apart/connect', { Container: 'nobody' })).toBe(404);
    expect(await status('POST', '/v1.23/networks/nothing/connect', { Container: client })).toBe(404);
    expect(await status('POST', '/v1.23/networks/apart/disconnect', { Container: server })).toBe(200);
    expect((await engine.send('GET', '/v1.23/networks/apart')).at('Containers')).toEqual({});
    await engine.send('DELETE', `/v1.23/containers/${server}?force=1`);
    expect(await status('DELETE', '/v1.23/networks/apart')).toBe(204);
  });

  it('tells of it in the newest event stream only', async () => {
    const network = await makeNetwork({ Name: 'told' });
    const container = await engine.run(['exit', '0'], { HostConfig: { NetworkMode: 'told' } });
    await engine.wait(container);
    await engine.send('DELETE', '/v1.23/networks/told');
    const until = Math.floor(Date.now() / 1000) + 1;
    const path = (api: string): string => `/v${api}/events?since=1&until=${until}`;
    const events = (await engine.send('GET', path('1.23'))).text.split('\n').filter((line) => line.includes(network));
    const parsed = events.map((line): unknown => JSON.parse(line));
    expect(parsed.map((event) => Object(event).Action)).toEqual(['create', 'connect', 'disconnect', 'destroy']);
    expect(parsed[1]).toMatchObject({
      Type: 'network',
      Actor: { Attributes: { container, name: 'told', type: 'bridge' } },
    });
    expect(parsed[1]).not.toHaveProperty('status');
    expect((await engine.send('GET', path('1.21'))).text).not.toContain(network);
  });

  it('shows the interfaces of each mode', async () => {
    const list = (config: object) => engine.output(['list', '/sys/class/net'], config);
    expect(await list({})).toBe('lo\neth0\n');
    const unasked = { NetworkingConfig: { EndpointsConfig: { default: {} } }, HostConfig: { NetworkMode: 'default' } };
    expect(await list(unasked)).toBe('lo\neth0\n');
    expect(await list({ HostConfig: { NetworkMode: 'none' } })).toBe('lo\n');
    expect(await list({ NetworkDisabled: true })).toBe('lo\n');
    expect(await list({ HostConfig: { NetworkMode: 'host' } })).toBe('lo\neth0\nengine0\n');
    const other = await engine.run(['read', '/sys/class/net/eth0/address', 'forever']);
    const joined = { HostConfig: { NetworkMode: `container:${other}` } };
    const mac = (await inspect(other)).at('NetworkSettings', 'MacAddress');
    expect(await engine.output(['read', '/sys/class/net/eth0/address'], joined)).toBe(`${mac}\n`);
    const id = await engine.create([], joined);
    expect(await status('POST', '/v1.23/networks/bridge/connect', { Container: id })).toBe(500);
    await engine.send('DELETE', `/v1.23/containers/${other}?force=1`);
    expect(await status('POST', `/v1.23/containers/${id}/start`)).toBe(404);
  });
});

describe('volumes', () => {
  it('are made, shown by version, listed and removed', async () => {
    const made = await engine.send('POST', '/v1.23/volumes/create', { Name: 'kept', Labels: { a: 'b' } });
    const Mountpoint = expect.stringMatching(/^\//);
    expect([made.status, made.json]).toEqual([201, { Name: 'kept', Driver: 'local', Mountpoint, Labels: { a: 'b' } }]);
    expect((await engine.send('GET', '/v1.21/volumes/kept')).json).toEqual({
      Name: 'kept',
      Driver: 'local',
      Mountpoint,
    });
    expect((await engine.send('POST', '/v1.21/volumes/create', {})).at('Name')).toMatch(/^[0-9a-f]{64}$/);
    expect((await engine.send('GET', '/v1.21/volumes')).json).not.toHaveProperty('Warnings');
    const container = await engine.run(['write', '/v/file', 'data'], { HostConfig: { Binds: ['kept:/v'] } });
    await engine.wait(container);
    expect(await status('DELETE', '/v1.23/volumes/kept')).toBe(409);
    const dangling = (value: string) => engine.send('GET', filtered('/v1.23/volumes', { dangling: [value] }));
    expect((await dangling('true')).text).not.toContain('kept');
    expect((await dangling('false')).text).toContain('kept');
    expect((await dangling('often')).status).toBe(400);
    expect(await status('POST', '/v1.23/volumes/create', { Driver: 'nothing' })).toBe(500);
    await engine.send('DELETE', `/v1.23/containers/${container}?v=1`);
    expect(await engine.output(['read', '/v/file'], { HostConfig: { Binds: ['kept:/v:ro'] } })).toBe('data');
    expect(await status('DELETE', '/v1.23/volumes/kept')).toBe(204);
    expect(await status('DELETE', '/v1.23/volumes/kept')).toBe(404);
    expect(await status('GET', '/v1.20/volumes')).toBe(404);
  });

  it('without a name go with their container when asked', async () => {
    const id = await engine.create([], { Volumes: { '/v': {} } });
    const name = String((await inspect(id)).at('Mounts', 0, 'Name'));
    await engine.send('DELETE', `/v1.23/containers/${id}`);
    expect(await status('GET', `/v1.23/volumes/${name}`)).toBe(200);
    const other = await engine.create([], { Volumes: { '/v': {} } });
    const gone = String((await inspect(other)).at('Mounts', 0, 'Name'));
    await engine.send('DELETE', `/v1.23/containers/${other}?v=1`);
    expect(await status('GET', `/v1.23/volumes/${gone}`)).toBe(404);
  });
});
