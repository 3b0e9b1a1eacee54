import { fixture } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { isObject } from '../../harness/expect/json-path.ts';
import type { Form } from '../../harness/token/form.ts';
import type { TokenClient } from '../../harness/token/token-client.ts';
import { clientId } from '../../harness/token/token-server.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';

/** An answer that gives a token. What is empty, null or of another type counts as not given. */
export interface Grant {
  readonly exchange: Exchange;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
}

/** The form of a user who asks for a token, with some parameters changed or, as undefined, left out. */
export function passwordForm({ server }: TokenClient, changes: Form = {}): Form {
  const { name: username, password } = server.user ?? {};
  return { grant_type: 'password', service: server.service, client_id: clientId, username, password, ...changes };
}

/** The form of a client that has a refresh token. */
export function refreshForm({ server }: TokenClient, refreshToken: string, changes: Form = {}): Form {
  const form = { grant_type: 'refresh_token', service: server.service, client_id: clientId };
  return { ...form, refresh_token: refreshToken, ...changes };
}

/** The token that an answer gives; undefined when it gives none. */
export function grantIn(exchange: Exchange): Grant | undefined {
  const members = membersOf(exchange);
  const text = (name: string) => {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const accessToken = text('access_token');
  if (!accessToken) return undefined;
  const refreshToken = text('refresh_token');
  const scope = text('scope');
  return { exchange, accessToken, ...(refreshToken && { refreshToken }), ...(scope !== undefined && { scope }) };
}

/** Needs a step to give a token. @throws Blocked */
export async function granted(step: Promise<Exchange>): Promise<Grant> {
  return needed(await given(step, 200));
}

/** Needs the positive control of a refusal to give a token. @throws Blocked */
export async function controlled(step: Promise<Exchange>): Promise<Grant> {
  return needed(await control(step, 200));
}

/** Needs a user's offline access: a token with a refresh token. @throws Blocked */
export async function offline(tokens: TokenClient, changes: Form = {}): Promise<Grant & { refreshToken: string }> {
  const grant = await granted(tokens.post(passwordForm(tokens, { access_type: 'offline', ...changes })));
  const { refreshToken } = grant;
  if (refreshToken === undefined) return lacking(grant.exchange, 'a refresh_token');
  return { ...grant, refreshToken };
}

/** Needs any whole answer, whatever it says. @throws Blocked */
export function answered(step: Promise<Exchange>): Promise<Exchange> {
  return settled(step, 'asking for a token');
}

/** Judges that an answer gives a token. Messages tell of tokens only whether they are there. */
export function expectToken(exchange: Exchange): Grant {
  expect(exchange).toHaveStatus(200);
  const grant = grantIn(exchange);
  expectThat('the answer has an access_token', grant !== undefined, exchange);
  if (!grant) throw new Error('an expectation that did not hold let the check go on');
  return grant;
}

/** Judges that an answer refuses: no status of class 2xx and no token (interpretation `token-errors`). */
export function expectNoToken(exchange: Exchange): void {
  const { status } = exchange;
  expectValue('the status', status, [exchange]).toSatisfy('none of class 2xx', () => status < 200 || status > 299);
  const given = ['access_token', 'refresh_token', 'token'].filter((name) => membersOf(exchange)[name]);
  expectValue('the tokens that it has', given, [exchange]).toBe([]);
}

/** Judges a condition of which the values may not be shown. */
export function expectThat(condition: string, holds: boolean, ...exchanges: readonly Exchange[]): void {
  expectValue(condition, holds, exchanges).toBe(true);
}

/** A token as a user gets it who asks for nothing special, within what the user may do. */
export const onlineToken = fixture('a token', async ({ tokens }) => {
  const scope = tokens.server.scopes.join(' ') || undefined;
  return granted(tokens.post(passwordForm(tokens, { scope })));
});

/** The answer with a refresh token. */
export const offlineAnswer = fixture('a token with a refresh token', async ({ tokens }) => {
  const scope = tokens.server.scopes.join(' ') || undefined;
  const exchange = await given(tokens.post(passwordForm(tokens, { access_type: 'offline', scope })), 200);
  await isTokenAnswer(exchange);
  return exchange;
});

/** What gives neither kind of token is no answer of the endpoint, and says nothing of its fields. @throws Blocked */
async function isTokenAnswer(exchange: Exchange): Promise<void> {
  const { access_token, refresh_token } = membersOf(exchange);
  if (access_token === undefined && refresh_token === undefined) await lacking(exchange, 'an access_token');
}

/** Needs an answer to give a token, whatever its status. @throws Blocked */
export async function givesToken(exchange: Exchange): Promise<void> {
  await needed(exchange);
}

async function needed(exchange: Exchange): Promise<Grant> {
  return grantIn(exchange) ?? lacking(exchange, 'an access_token');
}

function lacking(exchange: Exchange, what: string): Promise<never> {
  const without = Promise.reject(new Deviation(what, exchange.described));
  return settled(without, `reading ${what} in ${exchange.id}`);
}

function membersOf(exchange: Exchange) {
  try {
    return isObject(exchange.json) ? exchange.json : {};
  } catch (error) {
    if (error instanceof Deviation) return {};
    throw error;
  }
}
