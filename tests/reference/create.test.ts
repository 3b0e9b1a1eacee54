import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine, tar } from './client.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

describe('create and inspect', () => {
  it('keeps the whole configuration and shows each version its own fields', async () => {
    const hostConfig = {
      Binds: ['/host/dir:/bound:ro', 'shared:/volume'],
      Tmpfs: { '/run': 'size=1m' },
      Memory: 8_388_608,
      MemorySwap: 16_777_216,
      BlkioWeight: 300,
      MemorySwappiness: 60,
      OomScoreAdj: 500,
      PidsLimit: -1,
      PortBindings: { '80/tcp': [{ HostPort: '8080' }] },
      ShmSize: 1_048_576,
      Ulimits: [{ Name: 'nofile', Soft: 10, Hard: 20 }],
      RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m' } },
      Devices: [{ PathOnHost: '/dev/null', PathInContainer: '/dev/x', CgroupPermissions: 'mrw' }],
    };
    const config = { Hostname: 'host', Env: ['A=1'], Labels: { a: 'b' }, Cmd: 'out', StopSignal: 'SIGINT' };
    const id = await engine.create([], { ...config, HostConfig: hostConfig });
    const [v20, v21, v23] = await Promise.all(
      ['1.20', '1.21', '1.23'].map((api) => engine.send('GET', `/v${api}/containers/${id}/json`)),
    );
    expect(v23?.at('HostConfig')).toMatchObject({ ...hostConfig, PortBindings: { '80/tcp': [{ HostPort: '8080' }] } });
    expect(v23?.at('Config')).toMatchObject({ ...config, Entrypoint: ['/probe'], Image: 'probe' });
    expect(v23?.json).toMatchObject({
      State: { Status: 'created', Dead: false },
      Image: expect.stringMatching(/^sha256:/),
    });
    expect(v23?.at('Mounts', 0)).not.toHaveProperty('Name');
    expect(v23?.at('Mounts', 1)).toMatchObject({ Name: 'shared', Driver: 'local', RW: true });
    expect(v23?.json).not.toHaveProperty('ExecDriver');
    expect(v21?.at('State')).not.toHaveProperty('Dead');
    expect(v21?.at('HostConfig')).not.toHaveProperty('ShmSize');
    expect(v21?.at('HostConfig')).toHaveProperty('LxcConf');
    expect(v21?.at('NetworkSettings', 'Networks', 'bridge')).not.toHaveProperty('NetworkID');
    expect(v20?.at('State')).not.toHaveProperty('Status');
    expect(v20?.at('Config')).not.toHaveProperty('StopSignal');
    expect(v20?.at('NetworkSettings')).toHaveProperty('PortMapping');
    expect(v20?.at('NetworkSettings')).not.toHaveProperty('Networks');
    expect((await engine.send('GET', `/v1.20/containers/${id}/json?size=1`)).json).not.toHaveProperty('SizeRw');
    expect((await engine.send('GET', `/v1.21/containers/${id}/json?size=1`)).json).toMatchObject({ SizeRw: 0 });
  });

  it.each([
    ['a wrong type', { Tty: 'yes' }],
    ['a weight that is too small', { HostConfig: { BlkioWeight: 9 } }],
    ['a weight that is too large', { HostConfig: { BlkioWeight: 1001 } }],
    ['a swappiness above 100', { HostConfig: { MemorySwappiness: 101 } }],
    ['swap below memory', { HostConfig: { Memory: 2000, MemorySwap: 1000 } }],
    ['swap without memory', { HostConfig: { MemorySwap: 1000 } }],
    ['a negative size of /dev/shm', { HostConfig: { ShmSize: -1 } }],
    ['a port that is a number', { HostConfig: { PortBindings: { '80/tcp': [{ HostPort: 80 }] } } }],
    ['a relative bind', { HostConfig: { Binds: ['/a:b'] } }],
    ['an unknown restart policy', { HostConfig: { RestartPolicy: { Name: 'sometimes' } } }],
    ['an unknown log driver', { HostConfig: { LogConfig: { Type: 'paper' } } }],
    ['a limit whose soft value exceeds the hard', { HostConfig: { Ulimits: [{ Name: 'nofile', Soft: 3, Hard: 2 }] } }],
    ['an unknown capability', { HostConfig: { CapAdd: ['FLY'] } }],
    ['a host without address', { HostConfig: { ExtraHosts: ['name'] } }],
    ['a variable without value', { Env: ['A'] }],
    ['an exposed port without protocol', { ExposedPorts: { '80': {} } }],
    ['no image', { Image: '' }],
  ])('refuses %s', async (_what, defect) => {
    const body = { Image: 'probe', Cmd: ['exit', '0'], ...defect };
    const answer = await engine.send('POST', '/v1.23/containers/create', body);
    expect(answer.status).toBe(400);
    expect(answer.at('message')).toBeTypeOf('string');
  });

  it('refuses broken bodies, names and missing things', async () => {
    const path = '/v1.23/containers/create';
    const ok = { Image: 'probe' };
    const status = async (...args: Parameters<TestEngine['send']>) => (await engine.send(...args)).status;
    expect(await status('POST', path, '{"Image":')).toBe(400);
    expect(await status('POST', path, '[]')).toBe(400);
    expect(await status('POST', path)).toBe(400);
    expect(await status('POST', path, JSON.stringify(ok), { 'Content-Type': 'text/plain' })).toBe(400);
    expect(await status('POST', `${path}?name=a.b`, ok)).toBe(400);
    expect(await status('POST', path, { Image: 'nothing:here' })).toBe(404);
    expect(await status('POST', path, { ...ok, HostConfig: { VolumesFrom: ['nobody'] } })).toBe(404);
    expect(await status('POST', `${path}?name=/_x`, ok)).toBe(201);
    expect(await status('POST', `${path}?name=_x`, ok)).toBe(409);
    expect(await status('GET', '/v1.24/_ping')).toBe(400);
    expect(await status('GET', '/v1.23/containers/%zz/json')).toBe(404);
  });

  it('lists by state, label, ancestor, order and exit code', async () => {
    const first = await engine.create(['exit', '9'], { Labels: { list: 'first' } });
    const second = await engine.run([], { Labels: { list: 'second' } });
    await engine.send('POST', `/v1.23/containers/${first}/start`);
    await engine.wait(first);
    const ids = async (query: string, filters: object = {}, api = '1.23') => {
      const path = `/v${api}/containers/json?${query}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
      const { json } = await engine.send('GET', path);
      return Array.isArray(json) ? json.map(({ Id }) => Id) : json;
    };
    expect(await ids('', { label: ['list'] })).toEqual([second]);
    expect(await ids('all=1', { label: ['list'] })).toEqual([second, first]);
    expect(await ids('all=1', { label: ['list=first'], ancestor: ['probe:latest'] })).toEqual([first]);
    expect(await ids('all=1', { exited: ['9'] })).toEqual([first]);
    expect(await ids(`since=${first}`)).toEqual([second]);
    expect(await ids('limit=1')).toEqual([second]);
    expect(await ids('', { status: ['paused'] })).toEqual([]);
    expect((await engine.send('GET', '/v1.20/containers/json?filters={"ancestor":["probe"]}')).status).toBe(400);
    const item = (await engine.send('GET', '/v1.20/containers/json?size=1')).at(0);
    expect(Object.keys(item ?? {}).sort()).toEqual(
      ['Command', 'Created', 'Id', 'Image', 'Labels', 'Names', 'Ports', 'SizeRootFs', 'SizeRw', 'Status'].sort(),
    );
    await engine.send('DELETE', `/v1.23/containers/${second}?force=1`);
  });
});

describe('what the process sees', () => {
  it('environment, user, directory and names', async () => {
    const config = { Env: ['A=1', 'B='], User: 'user', WorkingDir: '/work/dir', Hostname: 'h', Domainname: 'd' };
    const lines = await engine.output(['id', 'cwd', 'hostname', 'domainname', 'env'], config);
    expect(lines).toContain('uid=1000 gid=1000 groups=50,1000\n/work/dir\nh\nd\n');
    expect(lines).toContain('A=1\nB=\n');
    expect(await engine.output(['id'], { User: '7:8', HostConfig: { GroupAdd: ['extra'] } })).toBe(
      'uid=7 gid=8 groups=8,50\n',
    );
  });

  it('files, mounts and limits', async () => {
    const hostConfig = { Binds: ['vol:/vol', '/tmp:/h:ro'], Tmpfs: { '/t': 'mode=700' }, ReadonlyRootfs: true };
    const steps = ['write', '/vol/a', 'x', 'try', 'write', '/h/a', 'x', 'try', 'write', '/a', 'x', 'stat', '/t'];
    expect(await engine.output(steps, { HostConfig: hostConfig })).toMatch(/^error 30\nerror 30\n40700 0 0 \d+\n$/);
    expect(await engine.output(['read', '/v/a'], { HostConfig: { Binds: ['vol:/v'] } })).toBe('x');
    expect(await engine.output(['list', '/data', 'read', '/data/file'])).toBe('file\nkept');
    const limits = { Ulimits: [{ Name: 'nofile', Soft: 11, Hard: 22 }], ExtraHosts: ['name:10.1.2.3'] };
    const text = await engine.output(['read', '/proc/self/limits', 'read', '/etc/hosts'], { HostConfig: limits });
    expect(text).toMatch(/Max open files +11 +22 +files/);
    expect(text).toContain('10.1.2.3\tname\n');
  });

  it('the ports of other containers on the bridge', async () => {
    const server = await engine.run(['listen', '80']);
    const address = (await engine.send('GET', `/v1.23/containers/${server}/json`)).at('NetworkSettings', 'IPAddress');
    expect(address).toMatch(/^172\.17\.\d+\.\d+$/);
    expect(await engine.output(['connect', String(address), '80'])).toBe('probe\n');
    await engine.send('DELETE', `/v1.23/containers/${server}?force=1`);
    expect(await engine.output(['try', 'connect', String(address), '80'])).toMatch(/^error \d+\n$/);
  });
});

describe('images', () => {
  it('loads the layout with layer directories and applies whiteouts', async () => {
    const [low, top] = ['1', '2'].map((digit) => digit.repeat(64));
    const archive = await tar({
      [`${low}/VERSION`]: '1.0',
      [`${low}/json`]: JSON.stringify({ id: low, created: '2019-01-01T00:00:00Z' }),
      [`${low}/layer.tar`]: await tar({ bin: 'engine-conformance-probe/1', gone: 'x' }),
      [`${top}/VERSION`]: '1.0',
      [`${top}/json`]: JSON.stringify({ id: top, parent: low, config: { Cmd: ['/bin', 'list', '/'] } }),
      [`${top}/layer.tar`]: await tar({ '.wh.gone': '', here: 'y' }),
      repositories: JSON.stringify({ layered: { one: top } }),
    });
    const loaded = await engine.send('POST', '/v1.20/images/load', archive);
    expect([loaded.status, loaded.text]).toEqual([200, '']);
    const image = await engine.send('GET', '/v1.20/images/layered:one/json');
    expect(Object.keys(Object(image.json)).sort()).toEqual([
      'Container',
      'ContainerConfig',
      'Created',
      'Id',
      'Parent',
      'Size',
    ]);
    expect(image.json).toMatchObject({ Id: top, Parent: low });
    expect(await engine.output([], { Image: 'layered:one', Cmd: null })).toMatch(/^bin\nhere\n/);
    const removed = await engine.send('DELETE', '/v1.23/images/layered:one');
    expect(removed.json).toEqual([
      { Untagged: `sha256:${top}` },
      { Deleted: `sha256:${top}` },
      { Deleted: `sha256:${low}` },
    ]);
    expect((await engine.send('DELETE', '/v1.23/images/layered:one')).status).toBe(404);
  });

  it('answers broken tarballs with an error', async () => {
    const junk = Buffer.from('no tar');
    expect((await engine.send('POST', '/v1.21/images/load', junk)).status).toBe(500);
    expect((await engine.send('POST', '/v1.23/images/load', junk)).at('error')).toBeTypeOf('string');
  });
});
