import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionObserver } from '../../proxy/observe/connection.ts';
import type { ExchangeObserver, RequestHead } from '../../proxy/observe/observed.ts';

/** What was told of the exchanges of a connection, an entry for each. */
interface Told {
  readonly request: string;
  sent: string;
  status: number | undefined;
  received: string;
  stream: { sent: string; received: string } | undefined;
  end: string | undefined;
}

function observed() {
  const told: Told[] = [];
  const unread: string[] = [];
  const begin = ({ method, target, headers }: RequestHead): ExchangeObserver => {
    const one: Told = {
      request: `${method} ${target}`,
      sent: '',
      status: undefined,
      received: '',
      stream: undefined,
      end: undefined,
    };
    told.push(one);
    return {
      mayTakeOver: target.endsWith('/attach') || headers.some(([name]) => name === 'upgrade'),
      requestBody(bytes) {
        one.sent += bytes.toString();
      },
      requestEnded() {
        one.sent += '.';
      },
      answered({ status }) {
        one.status = status;
      },
      answerBody(bytes) {
        one.received += bytes.toString();
      },
      takenOver() {
        one.stream = { sent: '', received: '' };
      },
      streamed: (direction, bytes) => {
        if (one.stream) one.stream[direction] += bytes.toString();
      },
      ended(how) {
        one.end = how;
      },
    };
  };
  return { told, unread, observer: new ConnectionObserver({ begin, unread: (why) => unread.push(why) }) };
}

type Step = readonly ['>' | '<', string] | 'end of answers' | 'client leaves' | 'closed';

/** Plays steps with every chunk cut in pieces of a size, and tells what was seen. */
function play(steps: readonly Step[], size: number) {
  const { told, unread, observer } = observed();
  for (const step of steps) {
    if (step === 'end of answers') observer.receivedAll();
    else if (step === 'client leaves') observer.closed('client');
    else if (step === 'closed') observer.closed('both');
    else {
      const bytes = Buffer.from(step[1]);
      for (let at = 0; at < bytes.length; at += size) {
        const piece = bytes.subarray(at, at + size);
        if (step[0] === '>') observer.sent(piece);
        else observer.received(piece);
      }
    }
  }
  return { told, unread };
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (path: string, body: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
const whole = (request: string, rest: Partial<Told>): Told => ({
  ...{ request, sent: '.', status: 200, received: '', stream: undefined, end: 'whole' },
  ...rest,
});

const upgrade = 'Upgrade: tcp\r\nConnection: Upgrade\r\n';

const cases: readonly (readonly [name: string, steps: readonly Step[], told: readonly Told[]])[] = [
  [
    'two exchanges on one connection',
    [
      ['>', post('/a', 'one')],
      ['<', 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok'],
      ['>', get('/b')],
      ['<', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ],
    [whole('POST /a', { sent: 'one.', status: 201, received: 'ok' }), whole('GET /b', { status: 204 })],
  ],
  [
    'pipelined requests',
    [
      ['>', get('/a') + get('/b') + get('/c')],
      ['<', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb'],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nc'],
    ],
    [whole('GET /a', { status: 304 }), whole('GET /b', { received: 'b' }), whole('GET /c', { received: 'c' })],
  ],
  [
    'chunks with extensions and trailers, in both directions',
    [
      ['>', 'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\none\r\n0\r\nT: 1\r\n\r\n'],
      [
        '<',
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nok\r\nA\r\n0123456789\r\n0\r\nT: 1\r\n\r\n',
      ],
      ['>', get('/b')],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ],
    [whole('POST /a', { sent: 'one.', received: 'ok0123456789' }), whole('GET /b', {})],
  ],
  [
    'an answer to HEAD, which has no body',
    [
      ['>', `HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n${get('/b')}`],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb'],
    ],
    [whole('HEAD /a', {}), whole('GET /b', { received: 'b' })],
  ],
  [
    'an interim answer before the body is sent',
    [
      ['>', 'POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n'],
      ['<', 'HTTP/1.1 100 Continue\r\n\r\n'],
      ['>', 'body'],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ],
    [whole('POST /a', { sent: 'body.', received: 'ok' })],
  ],
  [
    'a refusal before the body is sent',
    [
      ['>', 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n'],
      ['<', 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'],
      ['>', `body${get('/b')}`],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ],
    [whole('POST /a', { sent: 'body.', status: 413 }), whole('GET /b', {})],
  ],
  [
    'an answer that ends with the connection',
    [['>', get('/a')], ['<', 'HTTP/1.0 200 OK\r\n\r\nuntil the end'], 'end of answers', 'closed'],
    [whole('GET /a', { received: 'until the end' })],
  ],
  [
    'a connection that is switched, with bytes of both sides right behind the heads',
    [
      ['>', `${post('/a', '{}', upgrade)}early stdin`],
      ['<', 'HTTP/1.1 101 UPGRADED\r\nUpgrade: tcp\r\nConnection: Upgrade\r\n\r\nHTTP/1.1 is no answer here'],
      ['>', ' and more'],
      'end of answers',
      'closed',
    ],
    [
      whole('POST /a', {
        sent: '{}.',
        status: 101,
        stream: { sent: 'early stdin and more', received: 'HTTP/1.1 is no answer here' },
      }),
    ],
  ],
  [
    'a connection that becomes a stream with 200',
    [
      ['>', `${post('/attach', '')}early`],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Type: application/vnd.engine.raw-stream\r\n\r\nGET /no HTTP/1.1\r\n\r\n'],
      ['>', get('/no')],
      'client leaves',
    ],
    [
      whole('POST /attach', {
        stream: { sent: `early${get('/no')}`, received: 'GET /no HTTP/1.1\r\n\r\n' },
      }),
    ],
  ],
  [
    'a stream that is refused: what was sent behind it is the next request',
    [
      ['>', post('/attach', '', upgrade) + get('/b')],
      ['<', 'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno'],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb'],
    ],
    [whole('POST /attach', { status: 404, received: 'no' }), whole('GET /b', { received: 'b' })],
  ],
  [
    'an upgrade that the daemon passes over',
    [
      ['>', get('/a', upgrade)],
      ['<', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'],
      ['>', get('/b')],
      ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb'],
    ],
    [whole('GET /a', { received: 'a' }), whole('GET /b', { received: 'b' })],
  ],
  [
    'a daemon that leaves inside an answer',
    [['>', get('/a')], ['<', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'], 'end of answers', 'closed'],
    [whole('GET /a', { received: 'half', end: 'daemon' })],
  ],
  [
    'a client that leaves before the answer',
    [['>', get('/a')], 'client leaves'],
    [whole('GET /a', { status: undefined, end: 'client' })],
  ],
];

describe.each([1, 2, 7, 1_000_000])('in pieces of %i bytes', (size) => {
  test.each(cases)('reads %s', (_, steps, expected) => {
    const { told, unread } = play(steps, size);
    expect(unread).toEqual([]);
    expect(told).toEqual(expected);
  });
});

test.each<[string, readonly Step[]]>([
  ['bytes that are no HTTP', [['>', 'hello daemon\r\n\r\n']]],
  ['a length that is none', [['>', 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nbody']]],
  ['an answer without a request', [['<', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n']]],
  [
    'an answer that is no HTTP',
    [
      ['>', get('/a')],
      ['<', 'no answer\r\n'],
    ],
  ],
  [
    'a chunk without a size',
    [
      ['>', get('/a')],
      ['<', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'],
    ],
  ],
  ['a tunnel', [['>', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n']]],
  ['a head without an end', [['>', `GET /a HTTP/1.1\r\nX: ${'x'.repeat(2 * 1024 * 1024)}`]]],
  [
    'many bytes ahead of a stream',
    [
      ['>', post('/attach', '')],
      ['>', 'x'.repeat(2 * 1024 * 1024)],
    ],
  ],
])('says once that it reads no more after %s', (_, steps) => {
  const { told, unread } = play([...steps, ['>', get('/more')], ['<', 'HTTP/1.1 200 OK\r\n\r\n'], 'closed'], 65_536);
  expect(unread).toHaveLength(1);
  expect(told.filter(({ request }) => request === 'GET /more')).toEqual([]);
  for (const { end } of told) expect(end).toBe('unread');
});

test('whatever bytes come, it neither throws nor goes on reading what it has given up', () => {
  const heads = [
    'GET /a HTTP/1.1\r\nHost: x\r\n',
    'HTTP/1.1 200 OK\r\n',
    'Transfer-Encoding: chunked\r\n',
    '\r\n',
    '5\r\n',
  ];
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
    fc.constantFrom(...heads).map((text) => Buffer.from(text)),
  );
  const steps = fc.array(fc.tuple(fc.constantFrom('sent' as const, 'received' as const), bytes), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (pieces) => {
      const { told, unread, observer } = observed();
      for (const [direction, piece] of pieces) observer[direction](piece);
      observer.receivedAll();
      observer.closed('both');
      expect(unread.length).toBeLessThanOrEqual(1);
      for (const { end } of told) expect(end).toBeDefined();
    }),
    { numRuns: 2_000 },
  );
});
