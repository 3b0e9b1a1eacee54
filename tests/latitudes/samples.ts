import { tarBytes } from '../../harness/engine/tar-bytes.ts';
import type { WireAnswer, WireRequest } from '../../harness/transport/wire.ts';

/** An answer as a plain engine gives it. */
export interface Sample {
  readonly request: WireRequest;
  readonly given: WireAnswer;
  /** Whether the body is a run of objects or of frames. */
  readonly isStream?: true;
}

const id = 'a1'.repeat(32);
const time = '2024-05-06T07:08:09.123456Z';

/** A directory with a file and a link to it, and a file whose name is in a record of its own. */
export const archive = tarBytes([
  { name: 'a', type: 'directory', mode: 0o755, time: 1_700_000_000, long: 'pax' },
  { name: 'a/b', type: 'file', mode: 0o640, time: 1_700_000_001, content: Buffer.from('four'), long: 'pax' },
  { name: 'a/c', type: 'symlink', mode: 0o777, time: 1_700_000_002, target: 'b', long: 'pax' },
  {
    name: 'd'.repeat(120),
    type: 'file',
    mode: 0o600,
    time: 1_700_000_003,
    content: Buffer.alloc(700, 'x'),
    long: 'pax',
  },
]);

/** Answers of many endpoints, each with what latitudes act on. */
export const samples: readonly Sample[] = [
  json('GET', '/version', 200, { Version: '1-2', ApiVersion: '1.23', KernelVersion: '6.1', GoVersion: 'go1' }),
  json('GET', '/info', 200, { Name: 'host', Driver: 'overlay', NFd: 5, OperatingSystem: 'x' }),
  json('GET', '/containers/json?all=1', 200, [
    { Id: id, Names: ['/a', '/b/c'], Status: 'Up 3 seconds', Ports: [{ PrivatePort: 1 }, { PrivatePort: 2 }] },
    { Id: 'b', Names: ['/d'], Status: 'Exited (0) now', Ports: [] },
  ]),
  json('GET', `/containers/${id}/json`, 200, {
    ...{ Id: id, Created: time, LogPath: '/log', Driver: 'overlay', Mounts: [{ Source: '/a' }, { Source: '/b' }] },
    ...{
      Config: { AttachStdin: false, Env: [], Volumes: {}, Labels: {} },
      HostConfig: { CpuShares: 0, Binds: [], CpusetCpus: '0-0' },
    },
    NetworkSettings: {
      ...{ SandboxKey: '/x', SandboxID: 'y', IPAddress: '172.17.0.2', MacAddress: '02:42:ac:11:00:02' },
      Ports: { '80/tcp': [{ HostPort: '8080' }], '81/tcp': null },
    },
    State: { Pid: 7 },
  }),
  json('GET', `/containers/${id}/top`, 200, { Titles: ['PID'], Processes: [['1'], ['2']] }),
  stream('GET', `/containers/${id}/stats`, 'application/json', '{"networks":{"eth0":{"rx_bytes":1}},"cpu_stats":{}}\n'),
  json('POST', '/token', 200, {
    ...{ access_token: 'a', scope: 'b', expires_in: 60, issued_at: '2024-05-06T07:08:09Z', refresh_token: 'c' },
  }),
  json('GET', `/containers/${id}/changes`, 200, [
    { Path: '/a', Kind: 0 },
    { Path: '/b', Kind: 1 },
  ]),
  asking(
    { Image: 'a', HostConfig: { Memory: 1 } },
    json('POST', '/containers/create?name=a', 201, { Id: id, Warnings: [] }),
  ),
  json('POST', '/containers/create?name=a', 400, { message: 'no' }),
  json('GET', '/images/json', 200, [
    { Id: 'a', RepoTags: ['a:1', 'a:2'], RepoDigests: ['a@1', 'a@2'], VirtualSize: 7 },
    { Id: 'b', RepoTags: [], RepoDigests: [], VirtualSize: 8 },
  ]),
  json('GET', '/images/a:1/json', 200, { Id: 'a', GraphDriver: { Name: 'overlay', Data: {} } }),
  json('GET', `/images/${id}/history`, 404, { message: 'no' }),
  json('GET', '/images/a:1/history', 200, [{ Id: 'a', CreatedBy: 'RUN' }]),
  json('GET', '/images/search?term=a', 200, [{ name: 'a' }, { name: 'b' }]),
  json('GET', '/networks', 200, [{ Name: 'a' }, { Name: 'b' }]),
  json('GET', '/volumes', 200, { Volumes: [{ Name: 'a' }, { Name: 'b' }] }),
  json('DELETE', '/networks/a', 204, undefined),
  json('GET', `/exec/${id}/json`, 200, { ID: id, Running: false }),
  stream('POST', '/images/create?fromImage=a', 'application/json', '{"status":"one"}\n{"status":"two"}\n'),
  stream('POST', '/images/a/push', 'application/json', '{"status":"one"}\n'),
  stream('POST', '/build?t=a', 'application/json', '{"stream":"Step 1"}\n{"stream":"Successfully built a1\\n"}\n'),
  stream('GET', '/events', 'application/json', `{"status":"die","id":"${id}","time":1}\n`),
  stream(
    'GET',
    '/events?filters=%7B%22container%22%3A%5B%22web%22%5D%7D',
    'application/json',
    '{"status":"die","time":1}\n',
  ),
  stream('GET', `/containers/${id}/logs?stdout=1`, 'application/vnd.engine.raw-stream', '\x01\0\0\0\0\0\0\x04four'),
  stream('POST', `/containers/${id}/attach`, 'application/vnd.engine.raw-stream', '\x02\0\0\0\0\0\0\x05fünf'),
  stream('GET', `/containers/${id}/archive?path=/a`, 'application/x-tar', archive.toString('latin1')),
  json('POST', `/containers/${id}/start`, 204, undefined),
  carried(json('POST', `/containers/${id}/resize?h=1&w=1`, 500, { message: 'no' })),
  json('POST', `/exec/${id}/start`, 200, undefined),
];

/** The same as a later version has it. */
function carried({ request, ...sample }: Sample): Sample {
  return { ...sample, request: { ...request, path: request.path.replace('/v1.23/', '/v1.24/') } };
}

/** The same as the answer to a request with a body. */
function asking(body: object, { request, ...sample }: Sample): Sample {
  return { ...sample, request: { ...request, body: Buffer.from(JSON.stringify(body)) } };
}

function json(method: string, path: string, status: number, value: unknown): Sample {
  const body = Buffer.from(value === undefined ? '' : JSON.stringify(value));
  const typed = value === undefined ? [] : [['Content-Type', 'application/json'] as const];
  const headers = [['Date', 'now'] as const, ...typed];
  return { request: { method, path: `/v1.23${path}`, headers: {} }, given: { status, headers, body } };
}

function stream(method: string, path: string, mediaType: string, text: string): Sample {
  const headers = [['Content-Type', mediaType] as const, ['Transfer-Encoding', 'chunked'] as const];
  const given = { status: 200, headers, body: Buffer.from(text, 'latin1') };
  return { request: { method, path: `/v1.23${path}`, headers: {} }, given, isStream: true };
}
