import { expect, test } from 'vitest';
import { start } from '../cli/command.ts';
import { writtenBelow } from '../cli/written.ts';
import { rawServer, rawTcpServer } from '../harness/servers.ts';
import type { Ended } from '../launcher.ts';

const password = 'canary-pass/wörd+of=grace';

/** The password as a daemon may write it, also inside base64 of something longer. */
const written = [
  password,
  JSON.stringify({ password }),
  encodeURIComponent(password),
  ...['', 'a', 'ab'].flatMap((before) => {
    const bytes = Buffer.from(`${before}${password} and more`);
    return [bytes.toString('base64'), bytes.toString('base64url')];
  }),
];

/** What of the password must be nowhere: more than half of it, as it is or inside base64. */
const part = 'canary-pass/wörd';
const canaries = [
  part,
  encodeURIComponent(part),
  encodeURI(part),
  ...[0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), Buffer.from(part)])
      .toString('base64')
      .slice(2, 20),
  ),
];

const itself: Readonly<Record<string, string>> = {
  _ping: 'OK',
  version: '{"Version":"1","ApiVersion":"1.23","Os":"linux","Arch":"amd64"}',
  info: '{"EngineRootDir":"/"}',
};

/** Tells the password wherever it can: as a header, in the reason, in JSON, and in pieces of a stream. */
function tells(socket: NodeJS.WritableStream, request: string): void {
  const [, at = ''] = /^GET \/v1\.2\d\/(_ping|version|info) /.exec(request) ?? [];
  const header = `X-Heard: ${written.map(encodeURI).join(' ')}`;
  const body = itself[at];
  if (body !== undefined) {
    socket.end(`HTTP/1.1 200 OK\r\n${header}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    return;
  }
  const message = Buffer.from(JSON.stringify({ message: written.join(' ') }));
  const status = /attach|logs|events|stats|build|images\/create/.test(request) ? '200 OK' : '500 No';
  socket.write(
    `HTTP/1.1 ${status}\r\n${header}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  // Five bytes at a time: every secret is split.
  let from = 0;
  const next = () => {
    const piece = message.subarray(from, from + 5);
    from += 5;
    if (piece.length === 0) {
      socket.end('0\r\n\r\n');
      return;
    }
    socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    socket.write('\r\n');
    setImmediate(next);
  };
  next();
}

/** Where a secret stands, for whoever mends it. */
function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 60), at + part.length + 20);
}

/** A token server that lets the user in once, and then tells what it heard like the daemon. */
function letsInOnce(): typeof tells {
  let grants = 0;
  return (socket, request) => {
    if (grants++ > 0) {
      tells(socket, request);
      return;
    }
    const granted = {
      access_token: 'ec-access',
      refresh_token: 'ec-refresh',
      scope: '',
      expires_in: 300,
      heard: written,
    };
    const body = Buffer.from(JSON.stringify(granted));
    socket.write(`HTTP/1.1 200 OK\r\nX-Heard: ${written.map(encodeURI).join(' ')}\r\n`);
    socket.end(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  };
}

/** Runs against a daemon and a token server that repeat what they hear. */
async function judged(tokens: typeof tells): Promise<Ended> {
  const { text: daemon } = await rawServer(tells);
  const { text: server } = await rawTcpServer(tokens);
  const { ended } = start(
    [
      ...['run', '--target', daemon, '--report', 'canaries', '--timeout', '2', '--seed', '1', '--api', '1.23'],
      ...['--auth-url', server.replace('tcp:', 'http:'), '--auth-user', 'grace', '--auth-service', 'a'],
      ...['--only', 'events.*', '--only', 'system.*', '--only', 'containers.list.*', '--only', 'versioning.*'],
      ...['--only', 'token.*'],
    ],
    {
      ENGINE_AUTH_PASSWORD: password,
      HTTP_PROXY: `http://grace:${encodeURIComponent(password)}@127.0.0.1:9`,
      NODE_DEBUG: '',
    },
  );
  return ended;
}

/** Where a secret stands in texts, also inside base64 of them. */
function leaksIn(texts: ReadonlyMap<string, string>): string[] {
  const all = [...texts].flatMap(([name, text]) => {
    const inner = [...text.matchAll(/"base64": ?"([^"]*)"/g)].map(([, base64 = '']) =>
      Buffer.from(base64, 'base64').toString('latin1'),
    );
    return [[name, text] as const, ...inner.map((bytes) => [`${name}, base64`, bytes] as const)];
  });
  const leaks = all.flatMap(([name, text]) =>
    canaries.filter((canary) => text.includes(canary)).map((canary) => `${name}: ${around(text, canary)}`),
  );
  return [...new Set(leaks)];
}

test('what the user says in secret is in no output, however a daemon repeats it', async () => {
  const { stdout, stderr } = await judged(letsInOnce());
  const outputs = new Map<string, string>([
    ['stdout', stdout],
    ['stderr', stderr],
    ...writtenBelow('canaries'),
    ...writtenBelow('state'),
  ]);
  expect([...outputs.keys()]).toEqual(expect.arrayContaining(['report.json', 'index.html', 'junit.xml']));
  expect([...outputs.values()].join('')).toContain('[redacted]');
  expect(leaksIn(outputs)).toEqual([]);
}, 90_000);

test('nor in the line that says that a token server lets nobody in', async () => {
  const { status, stdout, stderr } = await judged(tells);
  expect(status, stderr).toBe(3);
  expect(stderr).toContain('[redacted]');
  expect(
    leaksIn(
      new Map([
        ['stdout', stdout],
        ['stderr', stderr],
      ]),
    ),
  ).toEqual([]);
}, 90_000);

test.each(['http', 'https', 'tcp', 'ftp'])(
  'an address with a user is refused, and not repeated: %s',
  async (scheme) => {
    const { ended } = start(['run', '--target', `${scheme}://grace:canary-pass@127.0.0.1:9`]);
    const { status, stdout, stderr } = await ended;
    expect(status).toBe(2);
    expect(stdout + stderr).not.toContain('canary-pass');
  },
);
