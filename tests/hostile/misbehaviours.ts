import type net from 'node:net';

/** Answers one request in a way that no daemon should. The request is there when it is called. */
type Misbehaviour = (socket: net.Socket) => void;

const ok = 'HTTP/1.1 200 OK\r\n';
const json = `${ok}Content-Type: application/json\r\n`;
const chunked = `${json}Transfer-Encoding: chunked\r\n\r\n`;

function says(...pieces: readonly (string | Buffer)[]): Misbehaviour {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
  };
}

function saysAndEnds(...pieces: readonly (string | Buffer)[]): Misbehaviour {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };
}

function saysAndDrops(...pieces: readonly (string | Buffer)[]): Misbehaviour {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
    setTimeout(() => socket.destroy(), 20);
  };
}

/** Ends the connection with a reset (over TCP; a unix socket knows no reset, and is dropped). */
function saysAndResets(...pieces: readonly (string | Buffer)[]): Misbehaviour {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
    setTimeout(() => (socket.remoteAddress === undefined ? socket.destroy() : socket.resetAndDestroy()), 20);
  };
}

/** Writes again and again as long as someone reads. */
function endless(head: string, piece: string | Buffer, pauseMs = 0): Misbehaviour {
  return (socket) => {
    socket.write(head);
    const write = () => {
      if (socket.destroyed) return;
      if (pauseMs > 0) {
        socket.write(piece);
        setTimeout(write, pauseMs);
      } else if (socket.write(piece)) setImmediate(write);
      else socket.once('drain', write);
    };
    write();
  };
}

function whole(body: string | Buffer): Misbehaviour {
  const bytes = Buffer.from(body);
  return saysAndEnds(`${json}Content-Length: ${bytes.length}\r\n\r\n`, bytes);
}

/** A frame of stdout that says it has 16 bytes, and the first four of them. */
const halfFrame = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 16]), Buffer.from('half')]);
const switched = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n';

const block = Buffer.alloc(256 * 1024, 'x');

/** Misbehaviours below HTTP and in its framing: no whole answer comes of them. */
export const brokenAnswers: Readonly<Record<string, Misbehaviour>> = {
  'says nothing': () => {},
  'closes without a word': (socket) => socket.end(),
  'drops the connection without a word': (socket) => void socket.destroy(),
  'ends in the status line': saysAndEnds('HTTP/1.1 2'),
  'ends in the headers': saysAndEnds(`${ok}Content-Type: app`),
  'drops the connection in the headers': saysAndDrops(`${ok}Content-Type: app`),
  'never ends the headers': says(`${ok}Content-Type: text/plain\r\n`),
  'sends headers a byte at a time': endless(ok, 'x', 30),
  'sends headers without end': endless(ok, `X-Header: ${'x'.repeat(1000)}\r\n`),
  'sends one header without end': endless(`${ok}X-Header: `, block),
  'speaks another protocol': saysAndEnds('SSH-2.0-OpenSSH_9.2\r\n'),
  'sends bytes that are no text': saysAndEnds(Buffer.from([0x16, 3, 1, 0, 0xff, 0xfe, 0, 0])),
  'names an HTTP that is none': saysAndEnds('HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n'),
  'gives a status that is no number': saysAndEnds('HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n'),
  'gives a status of two digits': saysAndEnds('HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n'),
  'gives a status below 100': saysAndEnds('HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n'),
  'gives a header without a colon': saysAndEnds(`${ok}Content-Length 2\r\n\r\nOK`),
  'gives a header name with a space': saysAndEnds(`${ok}Content Length: 2\r\n\r\nOK`),
  'puts NUL in a header': saysAndEnds(`${ok}X-Nul: a\0b\r\nContent-Length: 2\r\n\r\nOK`),
  'gives a negative length': saysAndEnds(`${ok}Content-Length: -1\r\n\r\nOK`),
  'gives a length that is no number': saysAndEnds(`${ok}Content-Length: two\r\n\r\nOK`),
  'gives a length beyond all bounds': says(`${ok}Content-Length: 99999999999999999999999\r\n\r\nOK`),
  'gives two lengths': saysAndEnds(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nOK!`),
  'gives a length and chunks': saysAndEnds(
    `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`,
  ),
  'sends less than it said': saysAndEnds(`${json}Content-Length: 10\r\n\r\n{}`),
  'sends less than it said and waits': says(`${json}Content-Length: 10\r\n\r\n{}`),
  'drops the connection in the body': saysAndDrops(`${json}Content-Length: 10\r\n\r\n{}`),
  'sends a body without end': endless(`${json}\r\n`, block),
  'sends a body a byte at a time': endless(`${json}\r\n`, 'x', 30),
  'sends a body of 1 GB': endless(`${json}Content-Length: 1073741824\r\n\r\n`, block),
  'gives a chunk size that is no number': saysAndEnds(`${chunked}zz\r\nOK\r\n0\r\n\r\n`),
  'gives a negative chunk size': saysAndEnds(`${chunked}-2\r\nOK\r\n0\r\n\r\n`),
  'gives a chunk size beyond all bounds': saysAndEnds(`${chunked}ffffffffffffffffff\r\nOK`),
  'sends a chunk longer than its size': saysAndEnds(`${chunked}1\r\nOK\r\n0\r\n\r\n`),
  'sends chunks without end': endless(chunked, `40000\r\n${'x'.repeat(0x40000)}\r\n`),
  'ends before the last chunk': saysAndEnds(`${chunked}2\r\n{}\r\n`),
  'drops the connection in a chunk': saysAndDrops(`${chunked}20\r\n{}`),
  'never sends the last chunk': says(`${chunked}2\r\n{}\r\n`),
  'continues without end': endless('', 'HTTP/1.1 102 Processing\r\n\r\n', 5),
  'resets the connection without a word': saysAndResets(),
  'resets the connection in the headers': saysAndResets(`${ok}Content-Type: app`),
  'resets the connection in the body': saysAndResets(`${json}Content-Length: 10\r\n\r\n{}`),
  'resets the connection in a chunk': saysAndResets(`${chunked}20\r\n{}`),
  'switches protocols unasked': says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'),
};

/** Streams that go wrong once they have begun, after 101 as well as after 200. */
export const brokenStreams: Readonly<Record<string, Misbehaviour>> = {
  'is switched to and never talks': says(switched),
  'is answered and never talks': says(`${ok}\r\n`),
  'is reset inside a frame': saysAndResets(switched, halfFrame),
  'is reset inside the header of a frame': saysAndResets(switched, halfFrame.subarray(0, 5)),
  'is dropped inside a frame': saysAndDrops(switched, halfFrame),
  'ends inside a frame': saysAndEnds(`${ok}\r\n`, halfFrame),
  'has a frame of 4 GB': endless(switched, Buffer.concat([Buffer.from([1, 0, 0, 0, 255, 255, 255, 255]), block])),
  'has frames of no known stream': endless(switched, Buffer.from([9, 0, 0, 0, 0, 0, 0, 1, 120]), 5),
  'has empty frames without end': endless(switched, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), 5),
};

/** Whole answers whose body is no JSON object with a Version. */
export const oddBodies: Readonly<Record<string, Misbehaviour>> = {
  'an empty body': whole(''),
  'white space': whole(' \n '),
  'cut JSON': whole('{"Version":"1'),
  'JSON with a tail': whole('{"Version":"1"}}'),
  'two JSON texts': whole('{"Version":"1"}{"Version":"2"}'),
  NaN: whole('NaN'),
  'a number beyond all bounds': whole(`1e${'9'.repeat(400)}`),
  null: whole('null'),
  'a list': whole('[]'),
  'invalid UTF-8': whole(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x22])),
  'half a surrogate pair in a key': whole('{"\\ud800":1}'),
  'a byte order mark': whole('\ufeff{}'),
  'nesting 100,000 deep': whole('['.repeat(100_000)),
  'objects nested 100,000 deep': whole(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'closed nesting 100,000 deep': whole('['.repeat(100_000) + ']'.repeat(100_000)),
  'a text of 20 MB': whole(`"${'x'.repeat(20_000_000)}"`),
  'a key __proto__': whole('{"__proto__":{"Version":"1"}}'),
};
