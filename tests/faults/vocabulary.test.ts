import { describe, expect, test } from 'vitest';
import { answersBody, answersStatus, changesJson, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { readsInBody, refuses } from '../../harness/faults/bodies.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { faultyTransport } from '../../harness/faults/faulty-transport.ts';
import { dropsField, fieldFaults, retypesField, setsField } from '../../harness/faults/fields.ts';
import { dropsPathStat, inPathStat, writesPathStatPlain } from '../../harness/faults/path-stat.ts';
import {
  doesInstead,
  ignoresBodyField,
  ignoresFilter,
  ignoresQuery,
  knowsBodyFieldOnlyAs,
  knowsOnly,
  knowsOnlyIdentifiers,
  knowsOnlyNames,
  mendsCutBody,
  swallows,
  takesBodyFieldAs,
  takesFilterAs,
  takesQueryAs,
} from '../../harness/faults/requests.ts';
import { headerOf, type WireRequest } from '../../harness/transport/wire.ts';
import { httpServer, transportTo } from '../harness/servers.ts';

const endpoint = 'POST /containers/{id}/rename';
const bounds = { wholeMs: 5_000 };
const id = 'a'.repeat(64);
const answerBody = { Id: id, Ports: [{ Type: 'tcp' }, { Type: 'udp' }], Size: 7 };
const stat = Buffer.from('{"name":"passwd"}').toString('base64');

/** A daemon that tells what it was asked. */
async function daemon() {
  const seen: string[] = [];
  const address = await httpServer(async (request, answer) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url}${body ? ` ${body}` : ''}`);
    answer.writeHead(201, { 'Content-Type': 'application/json', 'X-Docker-Container-Path-Stat': stat });
    answer.end(JSON.stringify(answerBody));
  });
  return { seen, transport: transportTo(address) };
}

/** What a daemon with the fault is asked, and what it answers, for one request of a check. */
async function under(fault: Fault, path = '/v1.20/containers/x/rename', json?: unknown) {
  const { seen, transport } = await daemon();
  const body = json === undefined ? {} : { body: Buffer.from(JSON.stringify(json)) };
  const request: WireRequest = { method: 'POST', path, headers: {}, ...body };
  const answer = await faultyTransport(transport, fault, endpoint).exchange(request, bounds);
  return { seen, answer, text: answer.body.toString() };
}

describe('a fault of the body', () => {
  test('refuses only what it is told of', async () => {
    const fault = refuses('a name', ({ body }) => body?.toString().includes('name') ?? false);
    expect(await under(fault, undefined, { name: 'x' })).toMatchObject({ seen: [], answer: { status: 500 } });
    expect(await under(fault, undefined, { other: 'x' })).toMatchObject({ answer: { status: 201 } });
  });

  test('reads a text as another one of the same length, every time', async () => {
    const { seen } = await under(readsInBody('one', 'two'), undefined, { a: 'one', b: 'one' });
    expect(seen).toEqual(['POST /v1.20/containers/x/rename {"a":"two","b":"two"}']);
    expect(() => readsInBody('one', 'three')).toThrow('length');
  });
});

describe('a fault of the request', () => {
  const path = (query: string) => `/v1.20/containers/x/rename${query}`;
  const filters = (map: object) => `?filters=${encodeURIComponent(JSON.stringify(map))}`;
  test.each<[Fault, string, string]>([
    [ignoresQuery('t'), '?t=1&name=b', '?name=b'],
    [ignoresQuery('t'), '?t=1', ''],
    [takesQueryAs('t', '10'), '?t=1', '?t=10'],
    [takesQueryAs('t', '10'), '', '?t=10'],
    [knowsOnly('all', '1', 'true'), '?all=1', '?all=1'],
    [knowsOnly('all', '1'), '?all=True', ''],
    [ignoresFilter('label'), filters({ label: ['a'], status: ['b'] }), filters({ status: ['b'] })],
    [takesFilterAs('event', 'died'), filters({ event: ['die'] }), filters({ event: ['died'] })],
    [takesFilterAs('event', 'died'), filters({ type: ['image'] }), filters({ type: ['image'] })],
    [doesInstead('/rename', '/kill'), '?x=1', '?x=1'],
  ])('$name: $0', async (fault, sent, arrives) => {
    const { seen, answer } = await under(fault, path(sent));
    const arrived = path(arrives).replace('/rename', fault.name.startsWith('does') ? '/kill' : '/rename');
    expect(seen).toEqual([`POST ${arrived}`]);
    expect(answer.status).toBe(201);
  });

  test.each<[Fault, unknown, unknown]>([
    [ignoresBodyField('Cmd'), { Cmd: ['a'], Image: 'i' }, { Image: 'i' }],
    [
      ignoresBodyField('HostConfig.Memory'),
      { HostConfig: { Memory: 1, CpuShares: 2 } },
      { HostConfig: { CpuShares: 2 } },
    ],
    [ignoresBodyField('HostConfig.Memory'), { Cmd: [] }, { Cmd: [] }],
    [takesBodyFieldAs('Tty', true), { Tty: false }, { Tty: true }],
    [knowsBodyFieldOnlyAs('Container', /^[0-9]+$/), { Container: '12' }, { Container: '12' }],
    [knowsBodyFieldOnlyAs('Container', /^[0-9]+$/), { Container: 'web' }, { Container: 'ec-unknown' }],
    [ignoresBodyField('List[].A'), { List: [{ A: 1, B: 2 }, { A: 3 }] }, { List: [{ B: 2 }, {}] }],
    [ignoresBodyField('Map{}.A'), { Map: { x: { A: 1, B: 2 } } }, { Map: { x: { B: 2 } } }],
  ])('$0.name of $1', async (fault, sent, arrives) => {
    const { seen } = await under(fault, undefined, sent);
    expect(seen).toEqual([`POST /v1.20/containers/x/rename ${JSON.stringify(arrives)}`]);
  });

  test('that takes what is cut off gives the daemon something whole', () => {
    const { request } = mendsCutBody();
    const bodyOf = (text: string) => {
      const changed = request?.({ method: 'POST', path: '/', headers: {}, body: Buffer.from(text) });
      return changed && 'body' in changed ? changed.body?.toString() : undefined;
    };
    expect(['{"A":{}', '{"A":{}}', '"A'].map(bodyOf)).toEqual(['{"A":{}}', '{"A":{}}', '"A']);
  });

  test('that swallows the operation keeps it from the daemon', async () => {
    const { seen, answer, text } = await under(swallows(204));
    expect([seen, answer.status, text]).toEqual([[], 204, '']);
    const withBody = await under(swallows(201, '{"Id":"x"}'));
    expect(withBody.text).toBe('{"Id":"x"}');
    expect(headerOf(withBody.answer.headers, 'content-type')).toBe('application/json');
  });

  test('that knows one kind of reference answers 404 to the other', async () => {
    const byName = '/v1.20/containers/some-name/rename';
    const byId = `/v1.20/containers/${id}/rename`;
    expect((await under(knowsOnlyIdentifiers(), byName)).answer.status).toBe(404);
    expect((await under(knowsOnlyIdentifiers(), byId)).answer.status).toBe(201);
    expect((await under(knowsOnlyNames(), byId)).answer.status).toBe(404);
    expect((await under(knowsOnlyNames(), byName)).answer.status).toBe(201);
    const onNetwork = (fault: Fault) =>
      under({ ...fault, on: 'POST /networks/{id}/connect' }, `/networks/${id}/connect`);
    expect((await onNetwork(knowsOnlyNames())).answer.status).toBe(404);
    expect((await onNetwork(knowsOnlyIdentifiers())).answer.status).toBe(201);
  });
});

describe('a fault of the answer', () => {
  test('changes the status, always or in the place of one', async () => {
    expect((await under(answersStatus(500))).answer.status).toBe(500);
    expect((await under(answersStatus(200, 201))).answer.status).toBe(200);
    expect((await under(answersStatus(200, 304))).answer.status).toBe(201);
  });

  test('changes headers, in any case of their names', async () => {
    expect(headerOf((await under(dropsHeader('content-type'))).answer.headers, 'Content-Type')).toBeUndefined();
    const { headers } = (await under(setsHeader('CONTENT-TYPE', 'text/html'))).answer;
    expect(headers.filter(([name]) => name.toLowerCase() === 'content-type')).toEqual([['CONTENT-TYPE', 'text/html']]);
  });

  test('changes the body, and its length with it', async () => {
    const { text, answer } = await under(answersBody('other'));
    expect(text).toBe('other');
    expect(headerOf(answer.headers, 'Content-Length') ?? '5').toBe('5');
    expect((await under(changesJson('nothing left', () => null))).text).toBe('null');
  });

  test('changes one field in every place', async () => {
    const json = async (fault: Fault) => JSON.parse((await under(fault)).text);
    expect((await json(dropsField('Ports[].Type'))).Ports).toEqual([{}, {}]);
    expect((await json(setsField('Size', 'much'))).Size).toBe('much');
    expect(await json(dropsField('Missing'))).toEqual(answerBody);
  });

  test('changes the type of a field to one that its schema does not allow', async () => {
    const wrong = async (schema: Parameters<typeof retypesField>[1]) => {
      const fault = retypesField('Size', schema);
      return fault && JSON.parse((await under(fault)).text).Size;
    };
    expect(await wrong({ type: 'integer' })).toBe('of the wrong type');
    expect(typeof (await wrong({ type: 'string' }))).toBe('number');
    expect(await wrong({ type: ['string', 'number'] })).toBe(true);
    expect(await wrong({ anyOf: [{ type: 'string' }, { type: 'array' }] })).toBe(7.5);
    expect(await wrong({})).toBeUndefined();
    expect(fieldFaults('Size', {})).toHaveLength(1);
    expect(fieldFaults('Size', { type: 'integer' })).toHaveLength(2);
  });

  test('reaches into the path stat', async () => {
    const header = async (fault: Fault) =>
      headerOf((await under(fault)).answer.headers, 'X-Docker-Container-Path-Stat');
    expect(await header(dropsPathStat())).toBeUndefined();
    expect(await header(writesPathStatPlain())).toBe('{"name":"passwd"}');
    const changed = await header(inPathStat(setsField('name', 7)));
    expect(Buffer.from(changed ?? '', 'base64').toString()).toBe('{"name":7}');
  });
});

describe('the requests a fault applies to', () => {
  const fault = answersStatus(500);
  test.each([
    ['/v1.20/containers/x/rename', 500],
    ['/v1.20/containers/x/rename?name=y', 500],
    ['/containers/x/rename', 500],
    ['/v1.20/containers/x/rename/more', 201],
    ['/v1.20/containers/x/y/rename', 201],
    ['/v1.20/containers/rename', 201],
    ['/v1.20/images/x/rename', 201],
  ])('%s: %i', async (path, status) => {
    expect((await under(fault, path)).answer.status).toBe(status);
  });

  test('are those of another endpoint when it says so', async () => {
    const other = on('POST /containers/{id}/start', fault);
    expect((await under(other)).answer.status).toBe(201);
    expect((await under(other, '/v1.20/containers/x/start')).answer.status).toBe(500);
    expect(other.name).toContain('POST /containers/{id}/start');
  });
});
