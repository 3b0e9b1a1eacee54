import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { probeImage } from '../../harness/probe/image.ts';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import type { ApiWish } from '../../harness/target/judged-versions.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { type Changes, proxyTo } from '../harness/proxy.ts';
import { httpServer, newSocketPath } from '../harness/servers.ts';
import { type Passing, passing } from './passing.ts';

async function referenceEngine(): Promise<Address> {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  return parseAddress(`unix://${socketPath}`);
}

interface Sent {
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer | object;
}

/** One request of an ordinary client. */
function send({ address }: Passing, method: string, path: string, { headers, body }: Sent = {}) {
  return new Promise<{ status: number; body: Buffer; headers: http.IncomingHttpHeaders }>((resolve, reject) => {
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
    const request = http.request({
      ...{ socketPath: address.socketPath, method, path },
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    });
    request.on('error', reject);
    request.on('response', async (answer) => {
      resolve({ status: answer.statusCode ?? 0, body: await buffer(answer), headers: answer.headers });
    });
    request.end(isJson ? JSON.stringify(body) : body);
  });
}

/** A container of the probe, by its id. */
async function container(proxy: Passing, cmd: readonly string[], more: object = {}): Promise<string> {
  const { tar } = await probeImage({ architecture: 'amd64', tag: 'ec-passing:1' });
  await send(proxy, 'POST', '/v1.23/images/load', { body: tar, headers: { 'content-type': 'application/x-tar' } });
  const body = { Image: 'ec-passing:1', Cmd: cmd, ...more };
  const created = await send(proxy, 'POST', '/v1.23/containers/create', { body });
  return JSON.parse(created.body.toString()).Id;
}

describe('before an engine that keeps the contract', () => {
  test('finds what traffic can show, and no violation', async () => {
    const proxy = await passing(await referenceEngine());
    const id = await container(proxy, ['out', 'hello\\n', 'err', 'oops\\n']);
    for (const api of ['1.20', '1.21', '1.23']) {
      for (const path of [
        'info',
        'version',
        '_ping',
        'containers/json?all=1',
        'images/json',
        `containers/${id}/json`,
      ]) {
        await send(proxy, 'GET', `/v${api}/${path}`);
      }
    }
    expect((await send(proxy, 'POST', `/v1.23/containers/${id}/start`)).status).toBe(204);
    await send(proxy, 'POST', `/v1.23/containers/${id}/wait`);
    await send(proxy, 'GET', `/v1.23/containers/${id}/logs?stdout=1&stderr=1`);
    await send(proxy, 'HEAD', `/v1.23/containers/${id}/archive?path=/etc/passwd`);
    await send(proxy, 'DELETE', `/v1.23/containers/${id}`);
    const { result, traffic } = await proxy.end();
    expect(proxy.violations).toEqual([]);
    expect(proxy.said).toEqual([]);
    for (const rule of [
      'containers.start.answers-204',
      'containers.start.empty-body',
      'containers.wait.field.StatusCode',
      'containers.logs.stream.no-upgrade-answers-200',
      'containers.logs.stream.frame-stdout',
      'containers.logs.stream.frame-stderr',
      'containers.logs.stream.frame-size',
      'containers.archive-stat.path-stat',
      'containers.archive-stat.field.mode',
      'containers.inspect.field.State.Running',
      'images.load.objects-in-a-row',
      'system.info.field.ID',
    ]) {
      expect(result(rule), rule).toMatchObject({ verdict: 'pass', evidence: [expect.any(String)] });
    }
    expect(result('system.info.field.ID', '1.20')?.verdict).toBe('pass');
    expect(result('containers.list.undocumented')?.verdict).toBe('observed');
    expect(result('events.field.time')).toMatchObject({ verdict: 'skip', reason: 'the traffic did not show it' });
    expect(result('containers.stop.kills-after-t')?.verdict).toBe('untested');
    expect(traffic.notJudged).toEqual({});
  });

  test('reads a hijacked connection, with what goes in and what comes out', async () => {
    const proxy = await passing(await referenceEngine());
    const stdin = { OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true };
    const id = await container(proxy, ['echo'], stdin);
    const socket = net.connect({ path: proxy.address.socketPath, allowHalfOpen: true });
    const output = buffer(socket);
    const head = 'Host: x\r\nUpgrade: tcp\r\nConnection: Upgrade\r\nContent-Length: 0';
    socket.write(`POST /v1.23/containers/${id}/attach?stream=1&stdin=1&stdout=1 HTTP/1.1\r\n${head}\r\n\r\n`);
    await send(proxy, 'POST', `/v1.23/containers/${id}/start`);
    socket.end('through a hijacked connection');
    expect(String(await output)).toContain('through a hijacked connection');
    const { result, exchanges } = await proxy.end();
    for (const name of [
      'upgrade-answers-101',
      'repeats-Upgrade',
      'upgraded-media-type',
      'frame-header',
      'frame-stdout',
    ]) {
      expect(result(`containers.attach.stream.${name}`)?.verdict, name).toBe('pass');
    }
    const attach = exchanges.find(({ request }) => request.path.includes('/attach'));
    expect(attach?.stream?.map(({ direction }) => direction)).toEqual(expect.arrayContaining(['sent', 'received']));
    expect(attach?.stream?.find(({ direction }) => direction === 'sent')?.text).toBe('through a hijacked connection');
  });

  test('passes a websocket on, and reads its handshake', async () => {
    const proxy = await passing(await referenceEngine());
    const id = await container(proxy, ['echo-line'], { OpenStdin: true });
    await send(proxy, 'POST', `/v1.23/containers/${id}/start`);
    const target = `/v1.23/containers/${id}/attach/ws?stream=1&stdin=1&stdout=1`;
    const socket = new WebSocket(`ws+unix://${proxy.address.socketPath}:${target}`);
    await once(socket, 'open');
    const message = once(socket, 'message');
    socket.send('through a websocket\n');
    expect(String((await message)[0])).toBe('through a websocket\n');
    socket.terminate();
    const { result } = await proxy.end();
    for (const name of ['handshake', 'accept-key']) {
      expect(result(`containers.attach-ws.${name}`)?.verdict, name).toBe('pass');
    }
    expect(proxy.violations).toEqual([]);
  });

  test('counts what it does not judge', async () => {
    const proxy = await passing(await referenceEngine());
    for (const path of ['/_ping', '/v1.99/_ping', '/v1.23/no/such/path', '/v1.20/volumes'])
      await send(proxy, 'GET', path);
    const { traffic } = await proxy.end();
    expect(traffic).toMatchObject({ exchanges: 4 });
    expect(Object.values(traffic.notJudged)).toEqual([1, 1, 1, 1]);
  });

  test('keeps no secrets', async () => {
    const proxy = await passing(await referenceEngine());
    const auth = Buffer.from('{"username":"me","password":"hunter2hunter2"}').toString('base64');
    const password = 'hunter2hunter2';
    await send(proxy, 'POST', '/v1.23/auth', { body: { username: 'me', password, serveraddress: 'x', more: 'y' } });
    await send(proxy, 'POST', '/v1.23/images/create?fromImage=ec-none&more=1', {
      headers: { 'x-registry-auth': auth },
    });
    const { exchanges } = await proxy.end();
    const kept = JSON.stringify(exchanges);
    expect(kept).not.toContain(password);
    expect(kept).not.toContain(auth);
  });

  test('keeps the beginning of large bodies only', async () => {
    const large = Buffer.alloc(50_000_000, 'x');
    const reads: Changes = {
      before({ request, answer }) {
        if (request.method !== 'PUT') return false;
        request.resume().once('end', () => answer.end(large));
        return true;
      },
    };
    const proxy = await passing(await proxyTo(await referenceEngine(), reads));
    const path = '/v1.23/containers/x/archive?path=/&more=1';
    expect((await send(proxy, 'PUT', path, { body: large })).body.length).toBe(large.length);
    const { exchanges } = await proxy.end();
    const [put] = exchanges;
    for (const body of [put?.request.body, put?.answer?.body]) {
      expect(body).toMatchObject({ size: large.length, truncated: true });
      expect(body?.text?.length).toBe(64 * 1024);
    }
  });
});

describe('before an engine that does not', () => {
  /** A daemon that is found to be an engine, and answers everything else in one way. */
  function answers(status: number, body = '', headers: http.OutgoingHttpHeaders = {}): http.RequestListener {
    return (request, answer) => {
      if (/\/(?:_ping|version|info)$/.test(request.url ?? '')) return answer.end('{}');
      return answer.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
    };
  }

  /** What came of one request. */
  async function judged(daemon: http.RequestListener, request: string) {
    const proxy = await passing(await httpServer(daemon));
    const [method = '', path = ''] = request.split(' ');
    await send(proxy, method, path);
    return { proxy, passed: await proxy.end() };
  }

  const frames = (...parts: readonly (readonly number[])[]) => Buffer.from(parts.flat()).toString('latin1');
  const raw = { 'content-type': 'application/vnd.engine.raw-stream' };

  test.each<[rule: string, daemon: http.RequestListener, request: string, actual: string | RegExp]>([
    ['containers.list.field.Id', answers(200, '[{"Id":1}]'), 'GET /v1.23/containers/json', '1'],
    ['containers.list.field.Names', answers(200, '[{"Id":"x"}]'), 'GET /v1.23/containers/json', 'no Names'],
    ['containers.list.answers-list', answers(200, '{}'), 'GET /v1.23/containers/json', '{}'],
    ['containers.inspect.field.Id', answers(200, 'no JSON'), 'GET /v1.23/containers/x/json', /"no JSON"/],
    ['containers.stop.server-error-500', answers(503, 'busy'), 'POST /v1.23/containers/x/stop', '[503]'],
    ['containers.stop.answers-204', answers(200, 'done'), 'POST /v1.23/containers/x/stop', /status 200 with "done"/],
    ['containers.resize.empty-body', answers(200, 'done'), 'POST /v1.23/containers/x/resize?h=1&w=1', /done/],
    ['containers.export.media-type', answers(200, 'tar'), 'GET /v1.23/containers/x/export', 'no header Content-Type'],
    [
      'containers.top.columns',
      answers(200, '{"Titles":["A"],"Processes":[["1","2"]]}'),
      'GET /v1.23/containers/x/top',
      '[2]',
    ],
    ['containers.archive-put.bad-path-json', answers(400, 'bad'), 'PUT /v1.23/containers/x/archive?path=', /bad/],
    [
      'containers.archive-get.path-stat',
      answers(200, 'tar'),
      'GET /v1.23/containers/x/archive?path=/',
      'no such header',
    ],
    ['events.objects-in-a-row', answers(200, '{"time":1},{'), 'GET /v1.23/events', /offset 10/],
    ['events.field.time', answers(200, '{"time":"now"}'), 'GET /v1.23/events', '"now"'],
    ['events.no-id-of-network', answers(200, '{"Type":"network","id":"x"}'), 'GET /v1.23/events', '"x"'],
    [
      'images.create.objects-in-a-row',
      answers(200, '{"status":"x"'),
      'POST /v1.23/images/create?fromImage=x',
      /inside/,
    ],
    ['containers.logs.stream.no-upgrade-answers-200', answers(202), 'GET /v1.23/containers/x/logs', 'status 202'],
    [
      'containers.logs.stream.frame-zeros',
      answers(200, frames([1, 0, 0, 0, 0, 0, 0, 1, 65], [1, 0, 7, 0])),
      'GET /v1.23/containers/x/logs',
      /byte 2 that is not 0/,
    ],
    [
      'containers.attach.stream.frame-header',
      answers(200, frames([1, 0, 0, 0, 0, 0, 0, 1, 65], [9]), raw),
      'POST /v1.23/containers/x/attach',
      /stream type/,
    ],
  ])('shows a violation of %s', async (rule, daemon, request, actual) => {
    const { proxy, passed } = await judged(daemon, request);
    const matches = actual instanceof RegExp ? expect.stringMatching(actual) : actual;
    expect(passed.result(rule)).toMatchObject({ verdict: 'fail', actual: matches, evidence: ['x1'] });
    expect(proxy.violations.map((one) => one.rule)).toContain(rule);
    expect(passed.exchanges.map(({ id }) => id)).toContain('x1');
  });

  test.each<[what: string, daemon: http.RequestListener, request: string]>([
    ['an error that is listed nowhere', answers(418, 'short and stout'), 'GET /v1.23/containers/json'],
    ['a stream that may be that of a terminal', answers(200, 'plain text'), 'GET /v1.23/containers/x/logs'],
    ['a field that is empty', answers(200, '[{"Id":"x","RepoTags":null}]'), 'GET /v1.23/images/json'],
    ['another version', answers(200, 'no JSON'), 'GET /v1.41/containers/json'],
  ])('finds no violation in %s', async (_, daemon, request) => {
    expect((await judged(daemon, request)).proxy.violations).toEqual([]);
  });

  describe('and serves later versions', () => {
    /** Serves every documented version, and those up to 1.41. */
    const upTo141: http.RequestListener = (request, answer) => {
      if (/\/version$/.test(request.url ?? '')) return answer.end('{"ApiVersion":"1.41"}');
      return answers(200, '[{"Id":1}]')(request, answer);
    };

    test.each<[asked: readonly ApiWish[] | undefined, fails: readonly string[], notJudged: object]>([
      [undefined, ['1.23', '1.40', '1.41'], { 'API version 1.42, which the daemon does not serve': 1 }],
      [['newest'], ['1.41'], { 'API version 1.23, not in --api': 1, 'API version 1.40, not in --api': 1 }],
      [['1.23'], ['1.23'], { 'API version 1.40, not in --api': 1, 'API version 1.41, not in --api': 1 }],
    ])('judges of the versions that clients speak those asked for, %j', async (asked, fails, notJudged) => {
      const proxy = await passing(await httpServer(upTo141), undefined, asked);
      for (const api of ['1.23', '1.40', '1.41', '1.42']) await send(proxy, 'GET', `/v${api}/containers/json`);
      const { traffic, events } = await proxy.end();
      const failed = proxy.violations.filter(({ rule }) => rule === 'containers.list.field.Id').map(({ api }) => api);
      expect(failed).toEqual(fails);
      expect(traffic.notJudged).toMatchObject(notJudged);
      expect(events[0]).toMatchObject({ type: 'run-started', apis: fails });
    });
  });

  test('tells a violation once, and counts how often it came', async () => {
    const proxy = await passing(await httpServer(answers(200, '[{"Id":1}]')));
    for (let times = 0; times < 3; times++) await send(proxy, 'GET', '/v1.23/containers/json');
    const { result } = await proxy.end();
    expect(proxy.violations.filter(({ rule }) => rule === 'containers.list.field.Id')).toHaveLength(1);
    expect(result('containers.list.field.Id')?.reason).toContain('in 3 of 3 exchanges');
  });
});

test('tells what a client does otherwise than the contract says, and holds nothing of it against the daemon', async () => {
  const proxy = await passing(await referenceEngine());
  await send(proxy, 'GET', '/v1.23/containers/json?limit=many&colour=red&all=yes&filters={"status":{"exited":true}}');
  const body = { Image: 1, Cmd: null, HostConfig: { Memory: '1g' }, Wishes: {} };
  for (let times = 0; times < 2; times++) await send(proxy, 'POST', '/v1.23/containers/create', { body });
  await send(proxy, 'PUT', '/v1.23/containers/x/archive', { body: 'tar' });
  const { traffic } = await proxy.end();
  expect(proxy.violations).toEqual([]);
  expect(traffic.clients.map(({ weight, says, actual, times }) => [weight, says, actual, times])).toEqual([
    ['deviates', 'sends limit with a value that is not an integer', 'many', 1],
    ['deviates', 'filters: sends status as something other than a list of strings', '{"exited":true}', 1],
    ['deviates', 'sends Image as something other than a string', '1', 2],
    ['deviates', 'sends HostConfig.Memory as something other than an integer', '"1g"', 2],
    ['deviates', 'leaves out the parameter path', '', 1],
    ['deviates', 'sends its body with a Content-Type other than application/x-tar', 'no Content-Type', 1],
    ['beyond', 'sends the parameter colour, which the documents do not name', 'red', 1],
    ['beyond', 'spells all differently', 'yes', 1],
    ['beyond', 'sends Wishes, which the documents do not name', '', 2],
  ]);
});

test('passes on what it cannot read, and says that it does not judge it', async () => {
  const socketPath = newSocketPath();
  const engine = await referenceEngine();
  const odd = net.createServer((socket) => {
    socket.once('data', (bytes) => {
      if (!String(bytes).startsWith('GET')) return socket.end('odd answer');
      if (engine.kind !== 'unix') return socket.destroy();
      const onward = net.connect({ path: engine.socketPath });
      onward.write(bytes);
      return socket.pipe(onward).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => odd.listen(socketPath, resolve));
  onTestFinished(() => void odd.close());
  const proxy = await passing(parseAddress(`unix://${socketPath}`));
  const socket = net.connect({ path: proxy.address.socketPath });
  socket.write('no HTTP at all');
  expect(await text(socket)).toBe('odd answer');
  expect(proxy.said).toEqual([expect.stringContaining('no longer judged')]);
});
