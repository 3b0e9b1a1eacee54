import { onTestFinished } from 'vitest';
import { startReferenceTokenServer } from '../../reference/token-server/index.ts';
import { type Answering, sendJson as json, listen } from './servers/listen.ts';

/** A server on a port of its own until the test ends. @returns what `--auth-url` takes */
async function tokenServer(answer: Answering): Promise<string> {
  const { url, close } = await listen(answer);
  onTestFinished(close);
  return url;
}

/** What a server says that takes no notice of what it is asked for. */
const anyToken = {
  access_token: 'any-access-token',
  refresh_token: 'any-refresh-token',
  scope: 'repository:samples/app:pull,push',
  expires_in: 300,
  issued_at: '2020-01-01T00:00:00Z',
};

/** Token servers that are none, by what they do. */
export const broken: Readonly<Record<string, () => Promise<string>>> = {
  hangs: () => tokenServer(() => {}),
  'closes at once': () =>
    tokenServer((request) => {
      request.socket.destroy();
    }),
  'answers 404': () =>
    tokenServer((request, _body, response) => json(response, request.method === 'POST' ? 404 : 401, {})),
  'answers 200 {}': () => tokenServer((_request, _body, response) => json(response, 200, {})),
  'echoes the form as JSON': () =>
    tokenServer((_request, body, response) => {
      json(response, 200, Object.fromEntries(new URLSearchParams(body)));
    }),
};

/** A server that gives everyone the same token for anything. */
export function indifferent(): Promise<string> {
  return tokenServer((_request, _body, response) => json(response, 200, anyToken));
}

/** How a server goes in the middle of a run. */
export const goes: Readonly<Record<string, Answering>> = {
  'closes every connection': (request) => {
    request.socket.destroy();
  },
  hangs: () => {},
};

/** A server that never answers, and tells when it was asked. */
export async function hanging(): Promise<{ url: string; asked: Promise<void> }> {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  return { url: await tokenServer(() => isAsked()), asked };
}

/** A server whose answer to the first requests is the indifferent one, and which goes after that. */
export function leaving(after: number, how: Answering): Promise<string> {
  let count = 0;
  return tokenServer((request, body, response) => {
    count++;
    if (count > after) return how(request, body, response);
    return json(response, 200, anyToken);
  });
}

/** The reference token server behind a gateway that answers some of the requests itself, from the tenth on. */
export async function behindGateway(status: number): Promise<string> {
  const url = await referenceTokens();
  let count = 0;
  return tokenServer(async (request, body, response) => {
    count++;
    if (count > 10 && count % 3 === 0) return json(response, status, { message: 'not now' });
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const { method = '' } = request;
    const answer = await fetch(url + (request.url ?? ''), { method, headers, ...(method === 'POST' && { body }) });
    return json(response, answer.status, Object(await answer.json()));
  });
}

/**
 * A server that repeats every secret that it hears, and with a token every one that it gives, in any spelling.
 * @param begin which of its three kinds of answers comes first
 */
export function talkative(tokens: readonly string[], begin: number): Promise<string> {
  let count = begin;
  return tokenServer((_request, body, response) => {
    count++;
    const form = new URLSearchParams(body);
    const heard = [form.get('password'), form.get('refresh_token')].filter((text) => text !== null);
    const isToken = count % 3 !== 2;
    const secrets = isToken ? [...heard, ...tokens] : heard;
    const spelt = secrets.flatMap((text) => [
      ...[text, encodeURIComponent(text), Buffer.from(text).toString('base64')],
      // No server does so with a token.
      ...(text === form.get('password') ? disguised(text) : []),
    ]);
    const headers = { 'x-heard': encodeURIComponent(secrets.join(' ')), 'set-cookie': `session=${heard.length}` };
    const [access_token = '', refresh_token = ''] = tokens;
    // In turns an answer that gives tokens, an error that tells them, and a text that is no JSON.
    if (isToken) return json(response, 200, { ...anyToken, access_token, refresh_token, spelt }, headers);
    if (count % 2 === 0) return json(response, 400, { error: `wrong: ${spelt.join(', ')}` }, headers);
    response.writeHead(200, headers).end(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(spelt.join('\n'))]));
  });
}

/** In hex, backwards, and as it stands in a web page. */
export function disguised(text: string): string[] {
  const inHtml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');
  return [Buffer.from(text).toString('hex'), [...text].reverse().join(''), inHtml.replaceAll("'", '&#39;')];
}

export const user = { name: 'grace', password: 'canary pass"wörd/+&=%<\'>' } as const;
export const scope = 'repository:samples/app:pull,push repository:samples/base:pull';

/** The reference token server until the test ends. @returns what `--auth-url` takes */
export async function referenceTokens(service?: string): Promise<string> {
  const users = [{ ...user, scope }];
  const options = { listen: { host: '127.0.0.1', port: 0 }, users, ...(service !== undefined && { service }) };
  const server = await startReferenceTokenServer(options);
  onTestFinished(() => server.close());
  return server.url;
}

/** A server that has the token endpoint of another under a path and query of its own. */
export async function elsewhere(url: string): Promise<string> {
  const onward = await tokenServer(async (request, body, response) => {
    if (request.url !== '/oauth2/v1/issue?realm=a') return json(response, 404, {});
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const answer = await fetch(`${url}/token`, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  return `${onward}/oauth2/v1/issue?realm=a`;
}
