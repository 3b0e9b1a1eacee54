import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { start, workplace } from '../cli/command.ts';
import { rawServer, rawTcpServer } from '../harness/servers.ts';

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

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

test('what the user says in secret is in no output, however a daemon repeats it', async () => {
  const { text: engine } = await rawServer(tells);
  const { text: tokens } = await rawTcpServer(tells);
  const { ended } = start(
    [
      ...['run', '--target', engine, '--report', 'canaries', '--timeout', '2', '--seed', '1', '--api', '1.23'],
      ...['--auth-url', tokens.replace('tcp:', 'http:'), '--auth-user', 'grace', '--auth-service', 'a'],
      ...['--only', 'events.*', '--only', 'system.*', '--only', 'containers.list.*', '--only', 'versioning.*'],
    ],
    {
      ENGINE_AUTH_PASSWORD: password,
      HTTP_PROXY: `http://grace:${encodeURIComponent(password)}@127.0.0.1:9`,
      NODE_DEBUG: '',
    },
  );
  const { stdout, stderr } = await ended;
  const outputs = new Map<string, string>([
    ['stdout', stdout],
    ['stderr', stderr],
  ]);
  const files = [...filesBelow(path.join(workplace, 'canaries')), ...filesBelow(path.join(workplace, 'state'))];
  for (const file of files) outputs.set(path.basename(file), readFileSync(file, 'utf8'));
  expect([...outputs.keys()]).toEqual(expect.arrayContaining(['report.json', 'index.html', 'junit.xml']));
  expect([...outputs.values()].join('')).toContain('[redacted]');
  const all = [...outputs].flatMap(([name, text]) => {
    const inner = [...text.matchAll(/"base64": ?"([^"]*)"/g)].map(([, base64 = '']) =>
      Buffer.from(base64, 'base64').toString('latin1'),
    );
    return [[name, text] as const, ...inner.map((bytes) => [`${name}, base64`, bytes] as const)];
  });
  const leaks = all.flatMap(([name, text]) =>
    canaries.filter((canary) => text.includes(canary)).map((canary) => `${name}: ${around(text, canary)}`),
  );
  expect([...new Set(leaks)]).toEqual([]);
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
