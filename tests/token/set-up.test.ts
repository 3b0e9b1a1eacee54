import { readFileSync } from 'node:fs';
import net from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { engineConformance } from '../cli/command.ts';
import { hasReport } from '../cli/report.ts';
import { makeAuthority } from '../transports/certificates.ts';
import { workplace } from '../workplace.ts';
import { asMember, family, member, memberScope, type Relative } from './servers/family.ts';
import { type Answering, type Listening, listen, sendJson, sendText } from './servers/listen.ts';

/** Until the test ends. */
async function kept<T extends Pick<Listening, 'close'>>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  onTestFinished(() => server.close());
  return server;
}

async function relative(name: string): Promise<Relative> {
  const start = family[name];
  if (!start) throw new Error(`there is no ${name}`);
  return kept(start());
}

const bound = ['--timeout', '3'];

let reports = 0;

/** The one line that `doctor` ends with; nothing is judged. The address of the server stands as URL. */
async function lineFor(url: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { status, stdout, stderr } = await engineConformance(['doctor', ...args, ...bound], env);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  for (const secret of [member.password, encodeURIComponent(member.password)]) expect(stderr).not.toContain(secret);
  return `${status} ${stderr.trim().replaceAll(url, 'URL')}`;
}

/** The same, which a run ends with too, and writes no report. */
async function lineOfBoth(url: string, args: readonly string[]): Promise<string> {
  reports++;
  const report = `set-up-${reports}`;
  const [run, line] = await Promise.all([
    engineConformance(['run', ...args, ...bound, '--report', report]),
    lineFor(url, args),
  ]);
  expect(`${run.status} ${run.stderr.trim().replaceAll(url, 'URL')}`).toBe(line);
  expect(run.stdout).toBe('');
  expect(hasReport(report)).toBe(false);
  return line;
}

const named = (url: string) => ['--auth-url', url, ...asMember];

async function lineOf(answer: Answering): Promise<string> {
  const { url } = await kept(listen(answer));
  return lineFor(url, named(url));
}

describe('a wrong user or service', () => {
  const wrongPassword = [
    ...['--auth-user', member.name, '--auth-password', 'ec-not-the-password'],
    ...['--auth-service', 'registry.test', '--auth-scope', memberScope],
  ];

  test.each([
    [
      'reference',
      `4 error: POST URL/token refuses the user 'grace' for the service 'registry.test' with 401 Unauthorized: {"error":"invalid_grant","error_description":"the username or password is wrong"}; check --auth-user and its password, then --auth-service`,
    ],
    [
      'distribution 2.5.2',
      `4 error: POST URL/token/ refuses the user 'grace' for the service 'registry.test' with 401 Unauthorized: {"errors":[{"code":"UNAUTHORIZED","message":"authentication required","detail":"invalid credentials"}]}; check --auth-user and its password, then --auth-service`,
    ],
    [
      'distribution 2.8.3',
      `4 error: POST URL/token/ refuses the user 'grace' for the service 'registry.test' with 400 Bad Request: {"errors":[{"code":"UNSUPPORTED_VALUE","message":"unsupported value","detail":"password grant type not supported"}]}; GET refuses the user too, with 401 Unauthorized; check --auth-user and its password, then --auth-service`,
    ],
    [
      'docker_auth 1.14',
      `4 error: POST URL/auth refuses the user 'grace' for the service 'registry.test' with 401 Unauthorized and asks for basic authentication (Basic realm="docker_auth"): Auth failed.; check --auth-user and its password; if a proxy in front of the token server asks for it, bypass the proxy`,
    ],
  ])('%s: a wrong password', async (name, line) => {
    const { url, named } = await relative(name);
    expect(await lineOfBoth(url, [...named, ...wrongPassword])).toBe(line);
  });

  test('a wrong service', async () => {
    const { url } = await relative('reference');
    const args = ['--auth-user', member.name, '--auth-password', member.password, '--auth-service', 'other.test'];
    expect(await lineFor(url, ['--auth-url', url, ...args])).toBe(
      `4 error: POST URL/token refuses the user 'grace' for the service 'other.test' with 400 Bad Request: {"error":"invalid_request","error_description":"no tokens are given for this service"}; check --auth-service, then --auth-user and its password`,
    );
  });

  test('a wrong refresh token', async () => {
    const { url } = await relative('reference');
    const args = ['--auth-url', url, '--auth-service', 'registry.test'];
    expect(await lineFor(url, args, { ENGINE_AUTH_REFRESH_TOKEN: 'canary-refresh-token' })).toBe(
      `4 error: POST URL/token refuses the refresh token for the service 'registry.test' with 400 Bad Request: {"error":"invalid_grant","error_description":"the refresh token is not good for this service"}; check --auth-refresh-token, then --auth-service`,
    );
  });

  test('what the server repeats of the password is not in the line', async () => {
    const line = await lineOf((_request, body, response) => {
      sendText(response, 403, `no: ${body} ${new URLSearchParams(body).get('password')}`);
    });
    expect(line).toMatch(/^4 error: POST URL\/token refuses the user .* 403 Forbidden: no: .*\[redacted\]/);
  });
});

describe('what is no token endpoint', () => {
  test('the path is another', async () => {
    const { url } = await relative('distribution 2.8.3');
    expect(await lineFor(url, named(url))).toBe(
      '4 error: POST and GET URL/token both answer 404 Not Found: there is no token endpoint; check --auth-url, to which /token is appended; if the endpoint has another path, give the full address with --token-url',
    );
    const whole = ['--token-url', `${url}/tokens`, ...asMember];
    expect(await lineFor(url, whole)).toBe(
      '4 error: POST and GET URL/tokens both answer 404 Not Found: there is no token endpoint; check the path in --token-url',
    );
  });

  test('a redirect from /token to /token/', async () => {
    const line = await lineOf((request, _body, response) => {
      response.writeHead(301, { location: `${request.url}/` }).end();
    });
    expect(line).toBe(
      '4 error: POST URL/token answers 301 Moved Permanently and redirects to URL/token/; name that address with --token-url URL/token/',
    );
  });

  test('a proxy that wants to know the user', async () => {
    const line = await lineOf((_request, _body, response) => {
      const headers = { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="intranet"' };
      response.writeHead(401, headers).end('<html><h1>401 Authorization Required</h1></html>');
    });
    expect(line).toBe(
      `4 error: POST URL/token refuses the user 'grace' for the service 'registry.test' with 401 Unauthorized and asks for basic authentication (Basic realm="intranet"); check --auth-user and its password; if a proxy in front of the token server asks for it, bypass the proxy`,
    );
    const forward = await lineOf((_request, _body, response) => {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="intranet"' }).end();
    });
    expect(forward).toBe(
      '4 error: POST URL/token answers 407 Proxy Authentication Required: a proxy asks for credentials; bypass the proxy',
    );
  });

  test.each<[string, number, string, Readonly<Record<string, string>>]>([
    [
      '4 error: POST URL/token answers 405 Method Not Allowed: the server there does not accept POST (a token server that gives tokens only to GET answers 404); check the address in --auth-url',
      405,
      'no',
      {},
    ],
    [
      '3 error: POST URL/token answers 429 Too Many Requests (Retry-After: 60): it accepts no more requests now; check again later',
      429,
      'slow down',
      { 'retry-after': '60' },
    ],
    [
      '3 error: POST URL/token answers 502 Bad Gateway: it, or a gateway in front of it, has a problem: no upstream; check that the token server is running',
      502,
      'no upstream',
      {},
    ],
    [
      '3 error: POST URL/token answers 500 Internal Server Error: it failed: oops; check that the token server is running',
      500,
      'oops',
      {},
    ],
    [
      '4 error: POST URL/token answers 200 OK with a web page: that is not a token endpoint; check the address in --auth-url',
      200,
      '<html>Welcome</html>',
      { 'content-type': 'text/html' },
    ],
    [
      '4 error: POST URL/token answers 200 OK with something other than a JSON object: that is not a token endpoint; check the address in --auth-url',
      200,
      'OK',
      {},
    ],
  ])('%s', async (line, status, text, headers) => {
    expect(await lineOf((_request, _body, response) => sendText(response, status, text, headers))).toBe(line);
  });
});

describe('a connection that cannot be had', () => {
  test('nothing listens there', async () => {
    const { url, close } = await listen(() => {});
    await close();
    expect(await lineOfBoth(url, named(url))).toMatch(
      /^3 error: URL\/token gave no answer to POST: .*; check --auth-url and that the token server is running$/,
    );
    expect(await lineFor(url, ['--token-url', `${url}/a`, ...asMember])).toMatch(
      /^3 error: URL\/a gave no answer to POST: .*; check --token-url and that the token server is running$/,
    );
  });

  test('http on a port of https, and the other way round', async () => {
    const { engine } = await makeAuthority(workplace, 'both-ways');
    const tls = { cert: readFileSync(engine.cert), key: readFileSync(engine.key) };
    const secured = await kept(listen((_request, _body, response) => sendJson(response, 200, {}), tls));
    const plainUrl = secured.url.replace('https:', 'http:');
    expect(await lineFor(plainUrl, named(plainUrl))).toBe(
      '3 error: URL/token: the server there speaks TLS; check --auth-url: write https://',
    );
    const plain = await kept(listen((_request, _body, response) => sendJson(response, 200, {})));
    const securedUrl = plain.url.replace('http:', 'https:');
    expect(await lineFor(securedUrl, named(securedUrl))).toBe(
      '3 error: URL/token: the server there does not speak TLS; check --auth-url: write http://',
    );
  });

  test('something that is no HTTP', async () => {
    const server = net.createServer((socket) => socket.end('SSH-2.0-server\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    expect(await lineFor(url, named(url))).toMatch(/^3 error: URL\/token gave no answer to POST: /);
  });

  test('a private CA: untrusted, another one, and with --tls-ca the right one', async () => {
    const [own, other] = await Promise.all([makeAuthority(workplace, 'own'), makeAuthority(workplace, 'other')]);
    const tls = { cert: readFileSync(own.engine.cert), key: readFileSync(own.engine.key) };
    const reference = await relative('reference');
    const { url } = await kept(
      listen(async (request, body, response) => {
        const headers = { 'content-type': request.headers['content-type'] ?? '' };
        const options = { method: request.method ?? '', headers, ...(request.method === 'POST' && { body }) };
        const answer = await fetch(reference.url + (request.url ?? ''), options);
        sendJson(response, answer.status, Object(await answer.json()));
      }, tls),
    );
    expect(await lineFor(url, named(url))).toBe(
      '3 error: URL/token: its certificate is not signed by a CA that this machine trusts; check the server, or name its CA with --tls-ca',
    );
    expect(await lineFor(url, [...named(url), '--tls-ca', other.ca])).toBe(
      '3 error: URL/token: its certificate is not signed by the CA of --tls-ca; check --tls-ca',
    );
    const args = ['run', ...named(url), '--tls-ca', own.ca, '--only', 'token.answers-200', '--report', 'private-ca'];
    expect(await engineConformance(args)).toMatchObject({ status: 0, stderr: '' });
    // An engine beside it that is reached without TLS has no use for the file.
    const beside = await engineConformance(['doctor', '--target', 'unix:///nothing', ...args.slice(1, -4)]);
    expect(beside.stderr).toMatch(/^error: unix:\/\/\/nothing gave no answer/);
  });
});

test('doctor says by what a token was had, and claims nothing for a user who was not named', async () => {
  const { named } = await relative('distribution 2.8.3');
  const doctor = await engineConformance(['doctor', ...named, ...asMember]);
  expect(doctor.stdout).toContain(
    'tokens by:   grant_type=refresh_token gave a token; refresh tokens come from GET with offline_token=true\n',
  );
  const nobody = await engineConformance(['doctor', ...named]);
  expect(nobody.stdout).toMatch(/^CANNOT: the suite was given no user of the token server/m);
  expect(nobody.stdout).not.toContain('tokens by:');
});
