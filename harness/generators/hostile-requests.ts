import fc from 'fast-check';
import type { RawOptions } from '../engine/raw-exchange.ts';

/** The target of a hostile request: things of the suite's own. */
interface Aim {
  /** The version prefix, `/v1.23`. */
  readonly prefix: string;
  /** A container of the suite. */
  readonly container: string;
  /** A name that a container may get. */
  readonly newName: string;
  readonly image: string;
}

/** A request that no client should send. */
export interface HostileRequest {
  readonly words: string;
  readonly after: RawOptions['after'];
  /** Whether the request is complete, or waiting for the rest is all that can be expected. */
  readonly isWhole: boolean;
  readonly bytes: (aim: Aim) => Buffer;
}

type Head = readonly [words: string, lines: (aim: Aim) => readonly string[], body?: string];

const ping = ({ prefix }: Aim) => `GET ${prefix}/_ping HTTP/1.1`;
const creating = ({ prefix, newName }: Aim) => `POST ${prefix}/containers/create?name=${newName} HTTP/1.1`;
const json = 'Content-Type: application/json';

/** Heads with one defect or oddity. */
const heads: readonly Head[] = [
  ['no version of HTTP', ({ prefix }) => [`GET ${prefix}/_ping`]],
  ['an unknown version of HTTP', ({ prefix }) => [`GET ${prefix}/_ping HTTP/9.9`]],
  ['a NUL in the method', ({ prefix }) => [`G\0T ${prefix}/_ping HTTP/1.1`]],
  ['a method in lower case', ({ prefix }) => [`get ${prefix}/_ping HTTP/1.1`]],
  ['a method of 70,000 characters', ({ prefix }) => [`${'G'.repeat(70_000)} ${prefix}/_ping HTTP/1.1`]],
  ['an absolute address', ({ prefix }) => [`GET http://other.invalid${prefix}/_ping HTTP/1.1`]],
  ['no path but an asterisk', () => ['OPTIONS * HTTP/1.1']],
  ['CONNECT', () => ['CONNECT other.invalid:1 HTTP/1.1']],
  ['a path that climbs', ({ prefix }) => [`GET ${prefix}/containers/../../../../etc/passwd HTTP/1.1`]],
  ['a path that climbs, encoded', ({ prefix }) => [`GET ${prefix}/containers/%2e%2e%2f%2e%2e%2fetc/json HTTP/1.1`]],
  ['a NUL in the path', ({ prefix, container }) => [`GET ${prefix}/containers/${container}%00/json HTTP/1.1`]],
  ['half an escape in the path', ({ prefix }) => [`GET ${prefix}/containers/%/json HTTP/1.1`]],
  ['an invalid escape in the path', ({ prefix }) => [`GET ${prefix}/containers/%zz/json HTTP/1.1`]],
  ['bytes that are not UTF-8 in the path', ({ prefix }) => [`GET ${prefix}/containers/%c0%af%ff/json HTTP/1.1`]],
  ['a path of 100,000 characters', ({ prefix }) => [`GET ${prefix}/containers/${'a'.repeat(100_000)}/json HTTP/1.1`]],
  [
    'a query of 60,000 characters',
    ({ prefix }) => [`GET ${prefix}/containers/json?filters=${'['.repeat(60_000)} HTTP/1.1`],
  ],
  ['a filter 20,000 deep', ({ prefix }) => [`GET ${prefix}/containers/json?filters=${'%5B'.repeat(20_000)} HTTP/1.1`]],
  ['many slashes', ({ prefix }) => [`GET //${prefix}///_ping HTTP/1.1`]],
  ['a header without a colon', (aim) => [ping(aim), 'Broken']],
  ['a header without a name', (aim) => [ping(aim), ': value']],
  ['a space before a colon', (aim) => [ping(aim), 'Content-Length : 0']],
  ['a NUL in a header', (aim) => [ping(aim), 'X-Odd: a\0b']],
  ['a folded header', (aim) => [ping(aim), 'X-Odd: a', ' b']],
  ['a header of 70,000 characters', (aim) => [ping(aim), `X-Odd: ${'a'.repeat(70_000)}`]],
  ['a header of a million characters', (aim) => [ping(aim), `X-Odd: ${'a'.repeat(1_000_000)}`]],
  ['3,000 headers', (aim) => [ping(aim), ...Array.from({ length: 3_000 }, (_, at) => `X-Odd-${at}: 1`)]],
  ['two hosts', (aim) => [ping(aim), 'Host: one', 'Host: two']],
  ['an unknown transfer coding', (aim) => [creating(aim), json, 'Transfer-Encoding: odd'], '{}'],
  ['a chunk whose size is not a number', (aim) => [creating(aim), json, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n'],
  ['a chunk of 2^64 bytes', (aim) => [creating(aim), json, 'Transfer-Encoding: chunked'], 'ffffffffffffffff\r\n{}'],
  ['a chunk of negative size', (aim) => [creating(aim), json, 'Transfer-Encoding: chunked'], '-2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk without its end', (aim) => [creating(aim), json, 'Transfer-Encoding: chunked'], '2\r\n{}0\r\n\r\n'],
  [
    'a chunk with 70,000 characters after its size',
    (aim) => [creating(aim), json, 'Transfer-Encoding: chunked'],
    `2;${'a'.repeat(70_000)}\r\n{}\r\n0\r\n\r\n`,
  ],
  ['an upgrade that is not served', (aim) => [ping(aim), 'Connection: Upgrade', 'Upgrade: h2c']],
  [
    'an upgrade of attach with a body in chunks',
    ({ prefix, container }) => [
      `POST ${prefix}/containers/${container}/attach?stream=1&stdout=1 HTTP/1.1`,
      'Connection: Upgrade',
      'Upgrade: tcp',
      'Transfer-Encoding: chunked',
    ],
    'zz\r\n',
  ],
  [
    'a websocket with a broken key',
    ({ prefix, container }) => [
      `GET ${prefix}/containers/${container}/attach/ws HTTP/1.1`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: ?',
    ],
    '\xff\xff\xff\xff',
  ],
  ['an unknown expectation', (aim) => [creating(aim), json, 'Expect: the-worst', 'Content-Length: 2'], '{}'],
  [
    'a registry login that is not base64',
    ({ prefix }) => [`POST ${prefix}/images/ec.invalid/push HTTP/1.1`, 'X-Registry-Auth: {{{'],
  ],
];

/** Heads after which an engine may still wait for the rest of a body, as nobody knows where it ends. */
const openHeads: readonly Head[] = [
  ['two lengths', (aim) => [creating(aim), json, 'Content-Length: 2', 'Content-Length: 3'], '{}x'],
  ['a negative length', (aim) => [creating(aim), json, 'Content-Length: -1'], '{}'],
  ['a length in hexadecimal', (aim) => [creating(aim), json, 'Content-Length: 0x2'], '{}'],
  ['a length beyond 64 bits', (aim) => [creating(aim), json, 'Content-Length: 99999999999999999999'], '{}'],
  [
    'a length and chunks',
    (aim) => [creating(aim), json, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
  ],
  ['half a body', (aim) => [creating(aim), json, 'Content-Length: 4000'], '{"Image":'],
  ['more than the body', (aim) => [creating(aim), json, 'Content-Length: 2'], `{}${'x'.repeat(3_000)}`],
  [
    'an upgrade with half a body',
    (aim) => [creating(aim), json, 'Connection: Upgrade', 'Upgrade: tcp', 'Content-Length: 4000'],
    '{',
  ],
];

const badHeads: fc.Arbitrary<HostileRequest> = fc
  .record({
    head: fc.constantFrom(...heads, ...openHeads),
    after: fc.constantFrom('waits' as const, 'half-closes' as const, 'drops' as const),
  })
  .map(({ head, after }) => {
    const [words, lines, body = ''] = head;
    return {
      words: `sends a request with ${words}`,
      after,
      isWhole: !openHeads.includes(head),
      bytes: (aim) => Buffer.from(`${[...lines(aim), 'Host: localhost'].join('\r\n')}\r\n\r\n${body}`, 'latin1'),
    };
  });

const noise: fc.Arbitrary<HostileRequest> = fc
  .record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 400 }), ends: fc.boolean() })
  .map(({ bytes, ends }) => ({
    words: `sends ${bytes.length} bytes of noise`,
    after: 'half-closes' as const,
    isWhole: ends,
    bytes: () => Buffer.concat([bytes, Buffer.from(ends ? '\r\n\r\n' : '')]),
  }));

type Body = readonly [words: string, bytes: (aim: Aim) => Buffer];

const text = (words: string, body: (aim: Aim) => string): Body => [words, (aim) => Buffer.from(body(aim))];

const bodies: fc.Arbitrary<Body> = fc.oneof(
  fc
    .record({
      depth: fc.integer({ min: 1_000, max: 200_000 }),
      signs: fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const),
      closed: fc.boolean(),
      field: fc.constantFrom('Labels', 'Env', 'HostConfig', 'Odd'),
    })
    .map(({ depth, signs: [open, close], closed, field }) =>
      text(`JSON ${depth} deep in ${field}${closed ? '' : ', not closed'}`, ({ image }) => {
        const inner = `${open.repeat(depth)}${open === '[' ? '' : '1'}${closed ? close.repeat(depth) : ''}`;
        return `{"Image":"${image}","${field}":${inner}}`;
      }),
    ),
  fc
    .uint8Array({ minLength: 1, maxLength: 40 })
    .map(
      (bytes): Body => [
        'a label that is not UTF-8',
        ({ image }) =>
          Buffer.concat([
            Buffer.from(`{"Image":"${image}","Labels":{"odd":"`),
            Buffer.from([0xff]),
            bytes,
            Buffer.from('"}}'),
          ]),
      ],
    ),
  fc.constantFrom<Body>(
    text('nothing', () => ''),
    text('a list', () => '[]'),
    text('null', () => 'null'),
    text('a number', () => '1e999'),
    text('half of it', ({ image }) => `{"Image":"${image}","Cmd":["for`),
    text('something behind it', ({ image }) => `{"Image":"${image}"}}}]]x`),
    text('half of a surrogate pair', ({ image }) => `{"Image":"${image}","Labels":{"odd":"\\ud800"}}`),
    text('a NUL in a command', ({ image }) => `{"Image":"${image}","Cmd":["a\\u0000b"]}`),
    text(
      'a number that is too large for any type',
      ({ image }) => `{"Image":"${image}","HostConfig":{"Memory":1e400}}`,
    ),
    text('an integer of 400 digits', ({ image }) => `{"Image":"${image}","HostConfig":{"Memory":${'9'.repeat(400)}}}`),
    text('a field twice', ({ image }) => `{"Image":"${image}","Cmd":["a"],"Cmd":{"b":1}}`),
    text(
      'names of what every object has',
      ({ image }) =>
        `{"Image":"${image}","__proto__":{"Cmd":[1]},"constructor":1,"Labels":{"__proto__":"x","toString":"y"}}`,
    ),
    text('a text of a million characters', ({ image }) => `{"Image":"${image}","Hostname":"${'a'.repeat(1_000_000)}"}`),
    text(
      '20,000 labels',
      ({ image }) =>
        `{"Image":"${image}","Labels":{${Array.from({ length: 20_000 }, (_, at) => `"l${at}":"x"`).join()}}}`,
    ),
    text('a byte order mark', ({ image }) => `\ufeff{"Image":"${image}"}`),
  ),
);

const badBodies: fc.Arbitrary<HostileRequest> = fc
  .record({ body: bodies, to: fc.constantFrom('create' as const, 'exec' as const) })
  .map(({ body: [words, bytes], to }) => ({
    words: `sends ${words} as the body of ${to === 'create' ? 'create' : 'exec create'}`,
    after: 'waits' as const,
    isWhole: true,
    bytes: (aim) => {
      const body = bytes(aim);
      const start = to === 'create' ? creating(aim) : `POST ${aim.prefix}/containers/${aim.container}/exec HTTP/1.1`;
      const head = [start, 'Host: localhost', json, `Content-Length: ${body.length}`];
      return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
    },
  }));

export const hostileRequests: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 4, arbitrary: badHeads },
  { weight: 4, arbitrary: badBodies },
  { weight: 1, arbitrary: noise },
);
