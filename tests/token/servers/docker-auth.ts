import type { IncomingMessage, ServerResponse } from 'node:http';
import { basicOf, formIn, type Listening, listen, sendJson, sendText } from './listen.ts';
import type { ResourceActions, Signer } from './signer.ts';

/**
 * A description of docker_auth 1.14 with static users and an access list, from its sources:
 *
 * - It is at `/auth` and `/auth/token`, and answers GET and POST alike.
 * - The user comes by basic authentication or, with POST, as `username` and `password` of the form. `grant_type`,
 *   `client_id`, `access_type` and `refresh_token` are not read at all; `service` may be missing.
 * - The answer is the token, as `access_token` and `token`, and nothing else. There are no refresh tokens.
 * - A wrong user is refused with 401, a text, and a challenge of basic authentication; a scope of another form with 400.
 *
 * Here the access list lets each user do everything in repositories below `user/`.
 */
export interface DockerAuthOptions {
  readonly users: readonly { readonly name: string; readonly password: string }[];
  readonly signer: Signer;
}

const goodForSeconds = 900;

/** @returns what is at `url`; the endpoint is at `/auth` below it */
export function startDockerAuth(options: DockerAuthOptions): Promise<Listening> {
  return listen((request, body, response) => answer(options, request, body, response));
}

async function answer(
  { users, signer }: DockerAuthOptions,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost');
  if (!['/auth', '/auth/token'].includes(url.pathname)) return sendText(response, 404, 'Not found');
  const form = formIn(request, body);
  // What is in the form goes before what is in the query.
  const value = (name: string) => form.get(name) ?? url.searchParams.get(name) ?? '';
  const basic = basicOf(request);
  const inForm = request.method === 'POST' && value('username') !== '' && value('password') !== '';
  const given = basic ?? (inForm ? { name: value('username'), password: value('password') } : undefined);
  const account = value('account') || (given?.name ?? '');
  if (basic && account !== basic.name) {
    return sendText(response, 400, 'Bad request: user and account are not the same');
  }
  const scopes = [...form.getAll('scope'), ...url.searchParams.getAll('scope')];
  const asked: ResourceActions[] = [];
  for (const scope of value('scope') === '' ? [] : scopes.flatMap((list) => list.split(' '))) {
    const parts = scope.split(':');
    if (parts.length !== 3 && parts.length !== 4)
      return sendText(response, 400, `Bad request: invalid scope: "${scope}"`);
    const [type = '', ...rest] = parts;
    const actions = (rest.pop() ?? '').split(',').toSorted();
    asked.push({ type: type.replace(/\(.*$/, ''), name: rest.join(':'), actions });
  }
  if (!users.some(({ name, password }) => name === account && password === given?.password)) {
    return sendText(response, 401, 'Auth failed.', { 'www-authenticate': `Basic realm="${signer.issuer}"` });
  }
  const access = asked.map((one) => (one.name.startsWith(`${account}/`) ? one : { ...one, actions: [] }));
  const token = await signer.sign({ subject: account, service: value('service'), access, seconds: goodForSeconds });
  sendJson(response, 200, { access_token: token, token });
}
