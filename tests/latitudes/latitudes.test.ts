import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Latitude } from '../../harness/latitudes/latitude.ts';
import { contrarians, latitudes } from '../../harness/latitudes/latitudes.ts';
import { latitudinalTransport, Variation } from '../../harness/latitudes/latitudinal-transport.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import type { LiveAnswer, Transport, WireAnswer, WireRequest } from '../../harness/transport/wire.ts';
import { samples } from './samples.ts';

/** What a daemon behind the latitude answers, as a whole or as a stream. */
function whole(latitude: Latitude, { request, given }: { request: WireRequest; given: WireAnswer }): WireAnswer {
  return new Variation([latitude]).answer(given, request);
}

async function streamed(latitude: Latitude, { request, given }: { request: WireRequest; given: WireAnswer }) {
  const { status, headers } = given;
  const live: LiveAnswer = {
    ...{ status, headers, upgraded: false, incoming: Readable.from([given.body]) },
    outgoing: new PassThrough(),
    destroy: () => {},
  };
  const varied = new Variation([latitude]).live(live, request);
  const pieces: Buffer[] = [];
  for await (const piece of varied.incoming) pieces.push(piece);
  return {
    status: varied.status,
    headers: varied.headers,
    pieces: pieces.map((piece) => piece.toString('latin1')),
  };
}

describe('a latitude', () => {
  test.each(latitudes.map((latitude) => [latitude.name, latitude] as const))(
    '%s does something',
    async (_, latitude) => {
      if (latitude.company || ['late-events', 'late-commands', 'progress-at-end'].includes(latitude.name)) return;
      const acts = samples.map(async (sample) => {
        const plain = { status: sample.given.status, headers: sample.given.headers };
        const isWhole = JSON.stringify(whole(latitude, sample)) !== JSON.stringify(sample.given);
        const same = { ...plain, pieces: [sample.given.body.toString('latin1')] };
        const isStreamed = JSON.stringify(await streamed(latitude, sample)) !== JSON.stringify(same);
        const isAsked =
          JSON.stringify(latitude.request?.(sample.request) ?? sample.request) !== JSON.stringify(sample.request);
        const isLate = (latitude.delayMs?.(sample.request) ?? 0) > 0 || latitude.holdsHead?.(sample.request) === true;
        return isWhole || isStreamed || isAsked || isLate;
      });
      expect(await Promise.all(acts)).toContain(true);
    },
  );

  const layouts = ['indented-json', 'spaced-json', 'escaped-json', 'members-reversed', 'space-around-json'];
  test.each(layouts)('%s leaves JSON what it means', (name) => {
    const latitude = latitudes.find((one) => one.name === name);
    for (const sample of samples.filter(({ isStream, given }) => !isStream && given.body.length > 0)) {
      if (!/json/.test(JSON.stringify(sample.given.headers))) continue;
      const varied = latitude && whole(latitude, sample).body.toString('utf8');
      expect(JSON.parse(varied ?? '')).toEqual(JSON.parse(sample.given.body.toString('utf8')));
    }
  });

  test('together with others is not undone by them', () => {
    const named = ['members-reversed', 'indented-json', 'escaped-json', 'space-around-json', 'other-version-texts'];
    const together = new Variation(latitudes.filter(({ name }) => named.includes(name)));
    const sample = samples.find(({ request }) => request.path.endsWith('/version'));
    if (!sample) throw new Error('no sample');
    const text = together.answer(sample.given, sample.request).body.toString('utf8');
    expect(text).toMatch(/^ \n\{\n {4}"[\s\S]*\}\r\n\t $/);
    expect(text).toContain('\\u0065');
    expect(Object.entries(JSON.parse(text))).toEqual([
      ...[
        ['GoVersion', 'none'],
        ['KernelVersion', 'other'],
      ],
      ...[
        ['ApiVersion', '1.23'],
        ['Version', '1-2'],
      ],
    ]);
  });

  test.each([
    ['times-to-the-second', '2024-05-06T07:08:09Z', '0001-01-01T00:00:00Z'],
    ['times-to-the-nanosecond', '2024-05-06T07:08:09.120000000Z', '0001-01-01T00:00:00.000000000Z'],
    ['times-of-elsewhere', '2024-05-06T09:08:09.12+02:00', '0001-01-01T00:00:00Z'],
  ])('%s tells the same time', (name, started, never) => {
    const [latitude] = latitudes.filter((one) => one.name === name);
    const [sample] = samples.filter(({ request }) => request.path.endsWith('/info'));
    if (!latitude?.json || !sample) throw new Error('no sample');
    const told = { StartedAt: '2024-05-06T07:08:09.12Z', FinishedAt: '0001-01-01T00:00:00Z' };
    expect(latitude.json(told, sample.request)).toEqual({ StartedAt: started, FinishedAt: never });
  });

  test.each([
    ['other-subnets', 'address 172.18.3.4', 'address 10.118.3.4'],
    ['other-hardware-addresses', 'mac 02:42:ac:12:00:02', 'mac 0a:6d:ac:12:00:02'],
    ['other-hardware-addresses', 'at 2024-05-06T02:42:03.1Z', 'at 2024-05-06T02:42:03.1Z'],
    ['other-interface-names', 'no net0, eth0 and eth1', 'no eth0, net0 and net1'],
  ])('%s calls things otherwise in the same number of bytes, and knows what it is asked for', (name, own, called) => {
    const [latitude] = latitudes.filter((one) => one.name === name);
    const request = { method: 'POST', path: '/v1.23/containers/a/exec', headers: {} };
    const output = { status: 200, headers: [['Content-Type', 'application/vnd.engine.raw-stream']] as const };
    const said = latitude?.answer?.({ ...output, body: Buffer.from(own) }, request);
    expect(said?.body.toString()).toBe(called);
    expect(called).toHaveLength(own.length);
    expect(latitude?.json?.({ [own]: [own, 1] }, request)).toEqual({ [called]: [called, 1] });
    const asked = latitude?.request?.({ ...request, path: `/${called}`, body: Buffer.from(called) });
    expect(asked).toEqual({ ...request, path: `/${own}`, body: Buffer.from(own) });
  });

  test('identifiers-of-letters calls containers, networks and commands otherwise, and knows what it is asked for', () => {
    const [latitude] = latitudes.filter(({ name }) => name === 'identifiers-of-letters');
    const id = '0123456789abcdef'.repeat(4);
    const called = 'ghijklmnopqrstuv'.repeat(4);
    const asked = (path: string, method = 'GET') => ({ method, path: `/v1.23${path}`, headers: {} });
    const said = (path: string, value: JsonValue) => latitude?.json?.(value, asked(path));
    const inspect = { Id: id, Image: `sha256:${id}`, Mounts: [{ Name: id }], HostsPath: `/var/${id}/hosts` };
    expect(said('/containers/a/json', inspect)).toEqual({ ...inspect, Id: called, HostsPath: `/var/${called}/hosts` });
    expect(said('/networks/a', { Containers: { [id]: {} } })).toEqual({ Containers: { [called]: {} } });
    expect(said('/containers/a/json', { Aliases: ['ec-a', id.slice(0, 12)] })).toEqual({
      Aliases: ['ec-a', called.slice(0, 12)],
    });
    expect(said('/events', { status: 'die', id, from: id })).toEqual({ status: 'die', id: called, from: called });
    for (const ofImage of [
      { status: 'pull', id },
      { Type: 'image', Actor: { ID: id } },
    ]) {
      expect(said('/events', ofImage)).toEqual(ofImage);
    }
    expect(said('/images/a/json', { Id: id, Container: id })).toEqual({ Id: id, Container: called });
    expect(said('/images/json', [{ Id: id }])).toEqual([{ Id: id }]);
    const sent = {
      ...asked(`/containers/${called}/json`),
      body: Buffer.from(`{"Container":"${called.slice(0, 12)}"}`),
    };
    expect(latitude?.request?.(sent)).toEqual({
      ...asked(`/containers/${id}/json`),
      body: Buffer.from(`{"Container":"${id.slice(0, 12)}"}`),
    });
    for (const path of [
      '/containers/ec-1a2b-container-17/rename?name=throughput',
      `/containers/a/archive?path=%5B${'n'.repeat(40)}`,
    ]) {
      expect(latitude?.request?.(asked(path))).toEqual(asked(path));
    }
    // A name of such letters in an archive is a file's.
    const headers = { 'content-type': 'application/x-tar' };
    const upload = { ...asked('/containers/a/archive', 'PUT'), headers, body: Buffer.from(called) };
    expect(latitude?.request?.(upload)).toEqual(upload);
  });

  test('what changes events changes those that come as JSON lines, too', async () => {
    const [latitude] = latitudes.filter(({ name }) => name === 'further-event-members');
    const [sample] = samples.filter(({ request }) => request.path.endsWith('/events'));
    if (!latitude || !sample) throw new Error('no sample');
    const lines = { ...sample.given, headers: [['Content-Type', 'application/jsonl']] as const };
    const { pieces } = await streamed(latitude, { ...sample, given: lines });
    expect(pieces).toEqual((await streamed(latitude, sample)).pieces);
    expect(pieces.join('')).not.toBe(sample.given.body.toString());
  });

  test('late-events holds events back, and ends after the last', async () => {
    const [latitude] = latitudes.filter(({ name }) => name === 'late-events');
    const [sample] = samples.filter(({ request }) => request.path.endsWith('/events'));
    const late = sample && latitude?.incoming?.(sample.given, sample.request);
    if (!late) throw new Error('no sample');
    late.end(sample.given.body);
    await new Promise((resolve) => setImmediate(resolve));
    expect(late.read()).toBeNull();
    const pieces: Buffer[] = [];
    for await (const piece of late) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(sample.given.body);
  });

  test('late-listening leaves out what happens at first, but for a stream from a time on', async () => {
    const [latitude] = latitudes.filter(({ name }) => name === 'late-listening');
    const [sample] = samples.filter(({ request }) => request.path.endsWith('/events'));
    if (!latitude || !sample) throw new Error('no sample');
    const late = latitude.incoming?.(sample.given, sample.request);
    if (!late) throw new Error('the latitude leaves the stream alone');
    late.write(sample.given.body);
    await delay(100);
    late.end(sample.given.body);
    const pieces: Buffer[] = [];
    for await (const piece of late) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(sample.given.body);
    const since = { ...sample, request: { ...sample.request, path: `${sample.request.path}?since=1` } };
    expect((await streamed(latitude, since)).pieces).toEqual([sample.given.body.toString()]);
  });

  test('progress-at-end says nothing of a build before its end, and everything then', async () => {
    const [latitude] = latitudes.filter(({ name }) => name === 'progress-at-end');
    const asked = (path: string) => ({ method: 'POST', path: `/v1.23${path}`, headers: {} });
    const late = latitude?.incoming?.({ status: 200, headers: [] }, asked('/build?t=a'));
    if (!late) throw new Error('the latitude leaves the stream alone');
    late.write('{"stream":"one"}');
    late.write('{"stream":"two"}');
    await new Promise((resolve) => setImmediate(resolve));
    expect(late.read()).toBeNull();
    late.end();
    const pieces: Buffer[] = [];
    for await (const piece of late) pieces.push(piece);
    expect(pieces.map(String)).toEqual(['{"stream":"one"}{"stream":"two"}']);
    expect(latitude?.incoming?.({ status: 200, headers: [] }, asked('/containers/a/attach'))).toBeUndefined();
  });

  test('late-heads sends a head with the first bytes, and lets a client go before', async () => {
    const [sample] = samples.filter(({ request }) => request.path.endsWith('/events'));
    if (!sample) throw new Error('no sample');
    const behind = (incoming: PassThrough): Transport => {
      const { status, headers } = sample.given;
      const live = { status, headers, upgraded: false, incoming, outgoing: new PassThrough() };
      const daemon: Transport = {
        open: async () => ({ ...live, destroy: () => incoming.destroy() }),
        exchange: () => Promise.reject(new Error('not asked')),
        connect: () => Promise.reject(new Error('not asked')),
        close: async () => {},
      };
      return latitudinalTransport(
        daemon,
        latitudes.filter(({ name }) => name === 'late-heads'),
      );
    };
    const bounds = { wholeMs: 10_000, upgrade: undefined };

    const stream = new PassThrough();
    const opening = behind(stream).open(sample.request, bounds);
    const first = await Promise.race([opening, delay(20).then(() => 'silence')]);
    expect(first).toBe('silence');
    stream.end(sample.given.body);
    const pieces: Buffer[] = [];
    for await (const piece of (await opening).incoming) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(sample.given.body);

    const silent = new PassThrough();
    const dropped = new AbortController();
    const waiting = behind(silent).open(sample.request, { ...bounds, signal: dropped.signal });
    dropped.abort();
    await expect(waiting).rejects.toThrow('the connection was dropped before an answer came');
    expect(silent.destroyed).toBe(true);
  });

  test('late-commands shows nothing of a command until it has begun', async () => {
    const [latitude] = latitudes.filter(({ name }) => name === 'late-commands');
    const asked = (method: string, operation: string) => ({ method, path: `/v1.23/exec/a/${operation}`, headers: {} });
    const inspect = asked('GET', 'json');
    const resize = asked('POST', 'resize?h=1&w=2');
    const resized = { status: 201, headers: [], body: Buffer.alloc(0) };
    const late = latitude?.incoming?.({ status: 101, headers: [] }, asked('POST', 'start'));
    if (!late) throw new Error('no latitude');
    late.end('output');
    expect(latitude?.json?.({ Running: true }, inspect)).toEqual({ Running: false });
    expect(latitude?.answer?.(resized, resize)).toMatchObject({ status: 404 });
    const pieces: Buffer[] = [];
    for await (const piece of late) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('output');
    expect(latitude?.json?.({ Running: true }, inspect)).toEqual({ Running: true });
    expect(latitude?.answer?.(resized, resize)).toEqual(resized);
  });

  test('further-event-kinds tells each event, and others of another kind about the same thing and about something else', async () => {
    const [latitude] = latitudes.filter(({ name }) => name === 'further-event-kinds');
    const [sample] = samples.filter(({ request }) => request.path.endsWith('/events'));
    if (!latitude || !sample) throw new Error('no sample');
    const { pieces } = await streamed(latitude, sample);
    const [event, ofIt, ofOther] = pieces
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(event).toEqual(JSON.parse(sample.given.body.toString()));
    expect(ofIt).toEqual({ ...event, status: 'considered' });
    expect(ofOther).toEqual({ ...ofIt, id: 'f'.repeat(64) });
    const filtered = { ...sample, request: { ...sample.request, path: `${sample.request.path}?filters=%7B%7D` } };
    expect((await streamed(latitude, filtered)).pieces).toEqual([sample.given.body.toString()]);
  });

  test('that cuts frames leaves the output what it is', async () => {
    const [sample] = samples.filter(({ request }) => request.path.includes('/logs'));
    const output = (bytes: Buffer): string => {
      let text = '';
      for (let at = 0; at < bytes.length; ) {
        const size = bytes.readUInt32BE(at + 4);
        text += `${bytes[at]}:${bytes.subarray(at + 8, at + 8 + size).toString()}`.replace(/^\d:$/, '');
        at += 8 + size;
      }
      return text.replaceAll(/[12]:/g, '');
    };
    for (const latitude of latitudes.filter(({ name }) => /frames|pieces/.test(name))) {
      if (!sample) throw new Error('no sample');
      const { pieces } = await streamed(latitude, sample);
      const bytes = Buffer.from(pieces.join(''), 'latin1');
      expect(output(bytes), latitude.name).toBe(output(sample.given.body));
    }
  });
});

describe('contrarian engines', () => {
  test('take every latitude once, and none beside its contrary', () => {
    const engines = contrarians();
    expect(
      engines
        .flat()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(latitudes.map(({ name }) => name).toSorted());
    for (const engine of engines) {
      const names = engine.map(({ name }) => name);
      expect(engine.flatMap(({ against = [] }) => against).filter((name) => names.includes(name))).toEqual([]);
    }
    expect(engines.length).toBeLessThanOrEqual(6);
  });

  test('name only latitudes that there are as contraries, and each by one name', () => {
    const names = latitudes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(latitudes.flatMap(({ against = [] }) => against).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });
});
