import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;
let container: string;
const upgrade = ['Connection: Upgrade', 'Upgrade: tcp'];
const both = { AttachStdout: true, AttachStderr: true };

beforeAll(async () => {
  engine = await startEngine();
  container = await engine.run([], { Env: ['A=1'], WorkingDir: '/data' });
});

afterAll(() => engine.close());

async function create(steps: readonly string[], more: object = both, of = container, api = '1.23'): Promise<string> {
  const body = { Cmd: ['/probe', ...steps], ...more };
  const answer = await engine.send('POST', `/v${api}/containers/${of}/exec`, body);
  expect([answer.status, answer.at('Warnings')]).toEqual([201, []]);
  return String(answer.at('Id'));
}

/** Starts an exec instance on a raw connection. */
async function start(id: string, headers: readonly string[], typed = '', body: object = {}) {
  const json = JSON.stringify(body);
  const head = [`POST /v1.23/exec/${id}/start HTTP/1.1`, 'Content-Type: application/json', ...headers];
  return engine.raw([...head, `Content-Length: ${json.length}`], json + typed);
}

async function output(steps: readonly string[], more: object = {}, of = container): Promise<string> {
  const id = await create(steps, { ...both, ...more, Tty: true }, of);
  const stream = await start(id, upgrade, '', { Tty: true });
  return (await stream.rest()).toString().replaceAll('\r\n', '\n');
}

function frame(stream: number, text: string): string {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(text.length, 4);
  return header.toString('latin1') + text;
}

async function inspect(id: string, api = '1.23') {
  return engine.send('GET', `/v${api}/exec/${id}/json`);
}

describe('exec', () => {
  it('answers 101 with Upgrade and 200 without, and frames both streams', async () => {
    for (const headers of [upgrade, []]) {
      const stream = await start(await create(['out', 'a', 'err', 'b']), headers);
      expect(stream.head).toMatch(headers.length > 0 ? /^HTTP\/1\.1 101 / : /^HTTP\/1\.1 200 /);
      expect(stream.head).toContain('Content-Type: application/vnd.engine.raw-stream\r\n');
      expect((await stream.rest()).toString('latin1')).toBe(frame(1, 'a') + frame(2, 'b'));
    }
  });

  it('sends only the streams that were asked for', async () => {
    const id = await create(['out', 'a', 'err', 'b'], { AttachStderr: true });
    expect((await (await start(id, upgrade)).rest()).toString('latin1')).toBe(frame(2, 'b'));
  });

  it('passes stdin on until the client half-closes', async () => {
    for (const headers of [upgrade, []]) {
      const stream = await start(await create(['count'], { ...both, AttachStdin: true }), headers, 'hello');
      stream.socket.end(' you');
      expect((await stream.rest()).toString('latin1')).toBe(frame(1, '9\n'));
    }
    const without = await start(await create(['count']), upgrade, 'hello');
    expect((await without.rest()).toString('latin1')).toBe(frame(1, '0\n'));
  });

  it('takes a body in chunks', async () => {
    const id = await create(['out', 'x']);
    const head = [`POST /exec/${id}/start HTTP/1.1`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const stream = await engine.raw(head, '2\r\n{}\r\n0\r\n\r\n');
    expect(stream.head).toMatch(/^HTTP\/1\.1 200 /);
    expect((await stream.rest()).toString('latin1')).toContain(frame(1, 'x'));
  });

  it('runs detached, and once only', async () => {
    const id = await create(['sleep', '2000', 'exit', '7']);
    expect((await inspect(id)).json).toMatchObject({ Running: false, ExitCode: 0, CanRemove: false });
    const answer = await engine.send('POST', `/v1.23/exec/${id}/start`, { Detach: true });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await inspect(id)).json).toMatchObject({ Running: true, ExitCode: 0 });
    expect((await engine.send('POST', `/v1.23/exec/${id}/start`, {})).status).toBe(409);
    await expect.poll(async () => (await inspect(id)).at('Running'), { timeout: 15_000 }).toBe(false);
    expect((await inspect(id)).json).toMatchObject({ ExitCode: 7, CanRemove: true });
  });

  it('has a terminal with a size, and detach keys', async () => {
    const more = { ...both, AttachStdin: true, Tty: true, DetachKeys: 'ctrl-a,x' };
    const id = await create(['tty', 'out', '>', 'wait-winsize', 'echo'], more);
    expect((await engine.send('POST', `/v1.23/exec/${id}/resize?h=3&w=4`)).status).toBe(500);
    const stream = await start(id, upgrade, '', { Tty: true });
    await stream.until('tty=111\r\n>');
    const resized = await engine.send('POST', `/v1.23/exec/${id}/resize?h=30&w=100`);
    expect([resized.status, resized.text, resized.headers['content-type']]).toEqual([201, '', 'text/plain']);
    await stream.until('30 100\r\n');
    stream.socket.write('\x01x');
    await stream.rest();
    expect((await inspect(id)).json).toMatchObject({ Running: true, DetachKeys: 'ctrl-a,x' });
    const plain = await create(['forever']);
    await engine.send('POST', `/v1.23/exec/${plain}/start`, { Detach: true });
    expect((await engine.send('POST', `/v1.23/exec/${plain}/resize?h=3&w=4`)).status).toBe(500);
  });

  it('runs as the user asked for, inside the container', async () => {
    expect(await output(['id'])).toBe('uid=0 gid=0 groups=0\n');
    expect(await output(['id'], { User: 'user' })).toBe('uid=1000 gid=1000 groups=50,1000\n');
    expect(await output(['id'], { User: 'user:extra' })).toBe('uid=1000 gid=50 groups=50\n');
    expect(await output(['id'], { User: '7' })).toBe('uid=7 gid=0 groups=0\n');
    expect(await output(['id'], { User: '7:8' })).toBe('uid=7 gid=8 groups=8\n');
    expect(await output(['cwd'])).toBe('/data\n');
    expect(await output(['env'])).toMatch(/^A=1$/m);
    expect(await output(['read', '/proc/1/comm'])).toBe('probe\n');
    expect(await output(['write', '/shared', 'x', 'read', '/proc/self/cmdline'])).toContain('/shared');
    expect(await output(['read', '/shared'])).toBe('x');
  });

  it('has every capability with Privileged', async () => {
    const bits = async (more: object) =>
      /^CapEff:\t(\w+)$/m.exec(await output(['read', '/proc/self/status'], more))?.[1];
    const plain = BigInt(`0x${await bits({})}`);
    const privileged = BigInt(`0x${await bits({ Privileged: true })}`);
    expect(privileged).toBeGreaterThan(plain);
    expect(privileged & plain).toBe(plain);
  });

  it('is shaped by version', async () => {
    const id = await create(['out', 'x'], { ...both, User: 'user', Privileged: true });
    const newest = await inspect(id);
    expect(newest.headers['content-type']).toBe('application/json');
    expect(newest.json).toEqual({
      ID: id,
      Running: false,
      ExitCode: 0,
      ProcessConfig: { privileged: true, user: 'user', tty: false, entrypoint: '/probe', arguments: ['out', 'x'] },
      OpenStdin: false,
      OpenStderr: true,
      OpenStdout: true,
      CanRemove: false,
      ContainerID: container,
      DetachKeys: '',
    });
    const older = await inspect(id, '1.21');
    expect(older.headers['content-type']).toBe('plain/text');
    expect(older.json).not.toHaveProperty('ContainerID');
    expect(older.at('Container')).toMatchObject({ ID: container, State: { Running: true }, Config: {}, Mounts: [] });
    expect(older.at('Container')).not.toHaveProperty('HostConfig');
    expect((await engine.send('GET', `/v1.23/containers/${container}/json`)).at('ExecIDs')).toContain(id);
  });

  it('is refused while the container is paused since 1.21, and freezes with it', async () => {
    const id = await engine.run([]);
    const made = await create(['sleep', '20', 'exit', '3'], both, id);
    const running = await create(['sleep', '1500', 'exit', '4'], both, id);
    await engine.send('POST', `/v1.23/exec/${running}/start`, { Detach: true });
    await engine.send('POST', `/containers/${id}/pause`);
    const body = { Cmd: ['/probe'] };
    for (const api of ['1.21', '1.23']) {
      expect((await engine.send('POST', `/v${api}/containers/${id}/exec`, body)).status).toBe(409);
      expect((await engine.send('POST', `/v${api}/exec/${made}/start`, {})).status).toBe(409);
    }
    expect((await engine.send('POST', `/v1.20/containers/${id}/exec`, body)).status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await inspect(running)).at('Running')).toBe(true);
    await engine.send('POST', `/containers/${id}/unpause`);
    await expect.poll(async () => (await inspect(running)).at('ExitCode'), { timeout: 15_000 }).toBe(4);
    await engine.send('DELETE', `/containers/${id}?force=1`);
    expect((await inspect(made)).status).toBe(404);
  });

  it('ends with the container', async () => {
    const id = await engine.run([]);
    const exec = await create(['forever'], both, id);
    const stream = await start(exec, upgrade);
    await engine.send('POST', `/containers/${id}/kill`);
    expect((await stream.rest()).length).toBe(0);
    expect((await inspect(exec)).json).toMatchObject({ Running: false, ExitCode: 137 });
    expect((await engine.send('POST', `/containers/${id}/exec`, { Cmd: ['/probe'] })).status).toBe(409);
  });

  it('refuses what cannot be run', async () => {
    expect((await engine.send('POST', '/containers/nothing/exec', { Cmd: ['/probe'] })).status).toBe(404);
    expect((await engine.send('POST', '/exec/nothing/start', {})).status).toBe(404);
    expect((await engine.send('POST', '/exec/nothing/resize?h=1&w=1')).status).toBe(404);
    expect((await inspect('nothing')).status).toBe(404);
    for (const body of [{}, { Cmd: [] }, { Cmd: [1] }, { Cmd: 'x', Tty: 'yes' }, { Cmd: 'x', DetachKeys: 'ctrl-1' }]) {
      expect((await engine.send('POST', `/v1.23/containers/${container}/exec`, body)).status).toBe(400);
    }
    const missing = await engine.send('POST', `/containers/${container}/exec`, { Cmd: '/missing' });
    const id = String(missing.at('Id'));
    const stream = await start(id, []);
    expect(stream.head).toMatch(/^HTTP\/1\.1 200 /);
    const told = await stream.rest();
    expect([told[0], told.readUInt32BE(4)]).toEqual([2, told.length - 8]);
    expect(told.toString()).toContain('/missing');
    const detached = await create([], { User: 'nobody' });
    expect((await engine.send('POST', `/exec/${detached}/start`, { Detach: true })).status).toBe(500);
    expect((await inspect(detached)).json).toMatchObject({ Running: false, ExitCode: 126 });
    expect((await inspect(id)).json).toMatchObject({ Running: false, ExitCode: 127 });
  });

  it('tells of its create and start', async () => {
    const id = await engine.run([]);
    const exec = await create(['out', 'x'], both, id);
    await (await start(exec, upgrade)).rest();
    const filters = encodeURIComponent(JSON.stringify({ container: [id], event: ['exec_create', 'exec_start'] }));
    const until = (Date.now() / 1000 + 0.01).toFixed(3);
    const events = await engine.send('GET', `/v1.23/events?since=1&until=${until}&filters=${filters}`);
    const lines = events.text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(['exec_create', 'exec_start']);
  });
});
