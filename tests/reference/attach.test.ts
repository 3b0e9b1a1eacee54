import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawStream, startEngine, type TestEngine } from './client.ts';

let engine: TestEngine;
const upgrade = ['Connection: Upgrade', 'Upgrade: tcp'];

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

/** Creates a container, attaches with `query`, then starts it. */
async function attached(steps: readonly string[], query: string, more: object, headers: readonly string[], typed = '') {
  const id = await engine.create(steps, more);
  const stream = await engine.raw([`POST /v1.23/containers/${id}/attach?${query} HTTP/1.1`, ...headers], typed);
  await engine.send('POST', `/v1.23/containers/${id}/start`);
  return { id, stream };
}

function frame(stream: number, text: string): string {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(text.length, 4);
  return header.toString('latin1') + text;
}

/** The bytes of all frames, without their headers. */
function payload(text: string): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const size = Buffer.from(text.slice(at + 4, at + 8), 'latin1').readUInt32BE();
    result += text.slice(at + 8, at + 8 + size);
    at += 8 + size;
  }
  return result;
}

async function restOf(stream: RawStream): Promise<string> {
  return (await stream.rest()).toString('latin1');
}

describe('attach', () => {
  it('answers 101 with Upgrade and frames both streams', async () => {
    const { stream } = await attached(['out', 'a', 'err', 'b', 'out', 'c'], 'stream=1&stdout=1&stderr=1', {}, upgrade);
    expect(stream.head).toMatch(/^HTTP\/1\.1 101 /);
    expect(stream.head).toContain('Content-Type: application/vnd.engine.raw-stream\r\n');
    expect(stream.head).toMatch(/Connection: Upgrade\r\n/);
    expect(stream.head).toMatch(/Upgrade: tcp\r\n/);
    expect(await restOf(stream)).toBe(frame(1, 'a') + frame(2, 'b') + frame(1, 'c'));
  });

  it('answers 200 without Upgrade, and takes stdin all the same', async () => {
    const config = { OpenStdin: true, StdinOnce: true };
    const query = 'stream=1&stdin=1&stdout=1';
    // What is typed is sent with the head and looks like the beginning of a request.
    const { stream } = await attached(['echo', 'out', 'end'], query, config, [], 'POST ');
    expect(stream.head).toMatch(/^HTTP\/1\.1 200 /);
    expect(stream.head).not.toMatch(/upgrade/i);
    stream.socket.end('more');
    const text = await restOf(stream);
    expect(payload(text)).toBe('POST moreend');
  });

  it('takes stdin as a chunked body without Upgrade', async () => {
    const config = { OpenStdin: true, StdinOnce: true };
    const query = 'stream=1&stdin=1&stdout=1';
    const headers = ['Transfer-Encoding: chunked'];
    const { stream } = await attached(['count'], query, config, headers, '5\r\nhello\r\n');
    expect(stream.head).toMatch(/^HTTP\/1\.1 200 /);
    stream.socket.write('3\r\nyou\r\n0\r\n\r\n');
    expect(await restOf(stream)).toBe(frame(1, '8\n'));
  });

  it('half-closes stdin and still gets the output', async () => {
    const config = { OpenStdin: true, StdinOnce: true };
    const { stream } = await attached(['count'], 'stream=1&stdin=1&stdout=1', config, upgrade);
    stream.socket.end('x'.repeat(200_000));
    expect(await restOf(stream)).toBe(frame(1, '200000\n'));
  });

  it('keeps stdin open after a client when StdinOnce is not set', async () => {
    const config = { OpenStdin: true };
    const { id, stream } = await attached(['echo'], 'stream=1&stdin=1&stdout=1', config, upgrade);
    stream.socket.end('one\n');
    await stream.until('one\n');
    const second = await engine.raw([`POST /containers/${id}/attach?stream=1&stdin=1&stdout=1 HTTP/1.1`, ...upgrade]);
    second.socket.write('two\n');
    await second.until('two\n');
    await engine.send('DELETE', `/containers/${id}?force=1`);
    expect(await restOf(second)).toBe('');
  });

  it('behaves as a terminal with Tty', async () => {
    const config = { OpenStdin: true, Tty: true };
    const { stream } = await attached(['echo-line', 'count'], 'stream=1&stdin=1&stdout=1', config, upgrade);
    stream.socket.write('ab\x7fc\r');
    expect((await stream.until('ac\r\n')).toString()).toBe('ab\b \bc\r\nac\r\n');
    stream.socket.write('xyz\n\x04');
    expect(await restOf(stream)).toBe('xyz\r\n4\r\n');
  });

  it('sends ^C as a signal and detaches by its keys', async () => {
    const config = { OpenStdin: true, Tty: true };
    const { id, stream } = await attached(['echo'], 'stream=1&stdin=1&stdout=1&detachKeys=ctrl-a,x', config, upgrade);
    stream.socket.write('\x01x');
    expect(await restOf(stream)).toBe('');
    expect((await engine.send('GET', `/containers/${id}/json`)).at('State', 'Running')).toBe(true);
    const again = await engine.raw([`POST /containers/${id}/attach?stream=1&stdin=1&stdout=1 HTTP/1.1`, ...upgrade]);
    again.socket.write('\x03');
    expect(await restOf(again)).toBe('^C');
    expect(await engine.wait(id)).toBe(130);
  });

  it('gives the log, alone and before the stream', async () => {
    const caught = await engine.run(['catch', 'out', 'old\n', 'wait-signal']);
    const path = `POST /v1.23/containers/${caught}/attach`;
    await expect
      .poll(async () => (await engine.send('GET', `/containers/${caught}/logs?stdout=1`)).text)
      .toContain('old');
    const alone = await engine.raw([`${path}?logs=1&stdout=1 HTTP/1.1`, ...upgrade]);
    expect(await restOf(alone)).toBe(frame(1, 'old\n'));
    const both = await engine.raw([`${path}?logs=1&stream=1&stdout=1&stderr=1 HTTP/1.1`, ...upgrade]);
    await engine.send('POST', `/v1.23/containers/${caught}/kill?signal=12`);
    expect(await restOf(both)).toBe(frame(1, 'old\n') + frame(1, 'signal 12\n'));
  });

  it('refuses what it cannot attach to', async () => {
    const missing = await engine.raw(['POST /v1.23/containers/nothing/attach?stream=1 HTTP/1.1', ...upgrade]);
    expect(missing.head).toMatch(/^HTTP\/1\.1 404 /);
    expect(JSON.parse((await missing.rest()).toString())).toHaveProperty('message');
    const id = await engine.run([]);
    await engine.send('POST', `/v1.23/containers/${id}/pause`);
    expect((await engine.send('POST', `/v1.23/containers/${id}/attach?stream=1&stdout=1`)).status).toBe(409);
    expect((await engine.send('POST', `/v1.23/containers/${id}/attach?detachKeys=ctrl-1`)).status).toBe(400);
    expect((await engine.send('POST', `/v1.21/containers/${id}/attach?logs=1&stdout=1`)).status).toBe(200);
    await engine.send('DELETE', `/v1.23/containers/${id}?force=1`);
  });

  it('resizes with effect from the next start', async () => {
    const id = await engine.create(['winsize'], { Tty: true });
    const resized = await engine.send('POST', `/v1.23/containers/${id}/resize?h=40&w=120`);
    expect(resized.status).toBe(200);
    expect(resized.headers['content-length']).toBe('0');
    expect(resized.headers['content-type']).toBe('text/plain; charset=utf-8');
    await engine.send('POST', `/v1.23/containers/${id}/start`);
    await engine.wait(id);
    expect((await engine.send('GET', `/v1.23/containers/${id}/logs?stdout=1`)).text).toBe('40 120\r\n');
  });
});

describe('logs', () => {
  it('selects by stream, tail and time, with timestamps', async () => {
    const id = await engine.run(['out', '1\n2\n', 'err', 'e\n', 'out', '3', 'out', '4\n']);
    await engine.wait(id);
    const logs = async (query: string) => (await engine.send('GET', `/v1.23/containers/${id}/logs?${query}`)).text;
    expect(await logs('stderr=1')).toBe(frame(2, 'e\n'));
    expect(await logs('stdout=1&tail=1')).toBe(frame(1, '3') + frame(1, '4\n'));
    expect(await logs('stdout=1&tail=0')).toBe('');
    expect(await logs('stdout=1&since=99999999999')).toBe('');
    expect(await logs('')).toBe('');
    const stamp = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z ';
    expect(await logs('stderr=1&timestamps=1')).toMatch(new RegExp(`^.{8}${stamp}e\\n$`, 's'));
    expect((await engine.send('GET', `/v1.23/containers/${id}/logs?tail=x`)).status).toBe(400);
  });

  it('follows until the container stops, with 101 on Upgrade', async () => {
    const id = await engine.run(['out', 'a\n', 'sleep', '30', 'out', 'b\n']);
    const path = `GET /v1.23/containers/${id}/logs?stdout=1&follow=1 HTTP/1.1`;
    const upgraded = await engine.raw([path, ...upgrade]);
    expect(upgraded.head).toMatch(/^HTTP\/1\.1 101 /);
    const plain = await engine.send('GET', `/v1.23/containers/${id}/logs?stdout=1&follow=1`);
    expect(plain.text).toBe(frame(1, 'a\n') + frame(1, 'b\n'));
    expect(await restOf(upgraded)).toBe(plain.text);
  });
});
