import { type FixtureContext, fixture } from '../../../harness/check.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { settled } from '../../../harness/engine/given.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { membersIn, outcomeWords, textIn } from '../../../harness/token/answer.ts';
import { type Form, passwordForm, refreshForm } from '../../../harness/token/form.ts';
import type { TokenClient } from '../../../harness/token/token-client.ts';
import { currentJudgement } from '../../../harness/verdict/judgement.ts';
import { Blocked, NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { tokenResponse } from '../../../specs/resources/token.ts';

/** An answer that gives a token. What is empty, null or of another type counts as not given. */
export interface Grant {
  readonly exchange: Exchange;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
}

/**
 * Asks for a token by the grant that the server was seen to take: with the user's password or, where that is refused,
 * with a refresh token. For rules that hold whatever the grant is.
 * @throws Blocked when no refresh token could be had for it
 */
export async function ask(tokens: TokenClient, changes: Form = {}): Promise<Exchange> {
  const { server } = tokens;
  if (server.access?.grant === 'password') return tokens.post(passwordForm(server, changes));
  return tokens.post(refreshForm(server, await refreshTokenOf(tokens), changes));
}

/** Asks with the user's password. @throws NotApplicable when the suite was given no user */
export async function askWithPassword(tokens: TokenClient, changes: Form = {}): Promise<Exchange> {
  if (!tokens.server.user) throw new NotApplicable('the suite was given no user of the token server, see --auth-user');
  return tokens.post(passwordForm(tokens.server, changes));
}

/** Asks with a refresh token. */
export function askWithRefreshToken(tokens: TokenClient, refreshToken: string, changes: Form = {}): Promise<Exchange> {
  return tokens.post(refreshForm(tokens.server, refreshToken, changes));
}

/** Whether a refresh token can be had at all. */
export function hasRefreshTokens({ server: { access } }: TokenClient): boolean {
  return access?.refreshFrom !== undefined;
}

/**
 * A refresh token from where the server was seen to give them, or the one that the user of the suite gave.
 * @throws Blocked when none can be had
 */
export async function refreshTokenOf(tokens: TokenClient, changes: Form = {}): Promise<string> {
  const { access, refreshToken } = tokens.server;
  if (access?.refreshFrom === 'given' && refreshToken !== undefined) return refreshToken;
  if (access?.refreshFrom === undefined) {
    throw new Blocked('the server gives no refresh token, by POST or GET; name one with --auth-refresh-token');
  }
  const asked =
    access.refreshFrom === 'get'
      ? tokens.get(changes)
      : tokens.post(passwordForm(tokens.server, { access_type: 'offline', ...changes }));
  const exchange = await settled(asked, 'asking for a refresh token');
  return textIn(exchange.answer, 'refresh_token') ?? lacking(exchange, 'a refresh_token');
}

/** The token that an answer gives; undefined when it gives none. */
export function grantIn(exchange: Exchange): Grant | undefined {
  const { answer } = exchange;
  const accessToken = textIn(answer, 'access_token');
  if (accessToken === undefined) return undefined;
  const refreshToken = textIn(answer, 'refresh_token');
  const scope = membersIn(answer)?.get('scope');
  return {
    ...{ exchange, accessToken },
    ...(refreshToken !== undefined && { refreshToken }),
    ...(typeof scope === 'string' && { scope }),
  };
}

/** Needs a step to give a token. @throws Blocked */
export async function granted(step: Promise<Exchange>): Promise<Grant> {
  return needed(await settled(step, 'a step before the assertion'), 'a token');
}

/** Needs the positive control of a refusal to give a token. @throws Blocked */
export async function controlled(step: Promise<Exchange>): Promise<Grant> {
  return needed(await settled(step, 'the positive control'), 'a token for the positive control');
}

/** Needs any whole answer, whatever it says. @throws Blocked */
export function answered(step: Promise<Exchange>): Promise<Exchange> {
  return settled(step, 'asking for a token');
}

/** Judges that an answer gives a token. Messages tell of tokens only whether they are there. */
export function expectToken(exchange: Exchange): Grant {
  const grant = grantIn(exchange);
  const given = grant ? 'an access_token' : 'no access_token';
  expectValue('the answer', `${outcomeWords(exchange.answer)} with ${given}`, [exchange]).toSatisfy(
    'status 200 with an access_token',
    () => exchange.status === 200 && grant !== undefined,
  );
  if (!grant) throw new Error('an expectation that did not hold let the check go on');
  return grant;
}

/**
 * Judges that an answer refuses: no status of class 2xx and no token (interpretation `token-errors`).
 * @throws Blocked for a status of class 5xx: a server that fails has refused nothing
 */
export function expectNoToken(exchange: Exchange): void {
  const { status, answer } = exchange;
  if (status >= 500) {
    currentJudgement().judged([exchange.id]);
    throw new Blocked(`the server fails with ${outcomeWords(answer)}, which is no refusal`);
  }
  expectValue('the status', status, [exchange]).toSatisfy('none of class 2xx', () => status < 200 || status > 299);
  const given = ['access_token', 'refresh_token', 'token'].filter((name) => membersIn(answer)?.get(name));
  expectValue('the tokens that it has', given, [exchange]).toBe([]);
}

/** Judges a condition of which the values may not be shown. */
export function expectThat(condition: string, holds: boolean, ...exchanges: readonly Exchange[]): void {
  expectValue(condition, holds, exchanges).toBe(true);
}

/** An answer with a token, and what was asked for. */
export interface Asked {
  /** The request in a few words. */
  readonly words: string;
  readonly exchange: Exchange;
  readonly isOffline: boolean;
  readonly hasScope: boolean;
}

/** A token as a user gets it who asks for nothing special, within what the user may do. */
export const onlineToken = fixture('a token', ({ tokens }) => granted(ask(tokens, { scope: toldScope(tokens) })));

/** Answers with tokens: by either grant, online and offline, with a scope and without. */
export const tokenAnswers = fixture('answers with tokens', async ({ tokens }: FixtureContext): Promise<Asked[]> => {
  const scope = toldScope(tokens) ?? 'repository:engine-conformance/sample:pull';
  const asked: Asked[] = [];
  const keep = async (words: string, step: Promise<Exchange>, { access_type, scope: list }: Form) => {
    const exchange = await settled(step, 'asking for a token');
    // Whether a token is given at all is for other rules.
    if (!isTokenAnswer(exchange)) return;
    asked.push({ words, exchange, isOffline: access_type === 'offline', hasScope: list !== undefined });
  };
  const forms: readonly Form[] = [{ scope }, { access_type: 'offline', scope }, {}];
  if (tokens.server.access?.grant === 'password') {
    for (const form of forms) await keep(`the password${wordsOf(form)}`, askWithPassword(tokens, form), form);
  }
  const ofPassword = asked.flatMap(({ exchange }) => textIn(exchange.answer, 'refresh_token') ?? [])[0];
  const isElsewhere = hasRefreshTokens(tokens) && tokens.server.access?.refreshFrom !== 'password';
  const refreshToken = isElsewhere ? await refreshTokenOf(tokens) : ofPassword;
  if (refreshToken !== undefined) {
    for (const form of forms) {
      await keep(`a refresh token${wordsOf(form)}`, askWithRefreshToken(tokens, refreshToken, form), form);
    }
  }
  if (asked.length === 0) throw new Blocked('no answer with a token could be had by any grant');
  return asked;
});

/** What has nothing that only an answer of the endpoint has says nothing of its fields. */
function isTokenAnswer({ status, answer }: Exchange): boolean {
  const members = membersIn(answer);
  return status === 200 && tokenMembers.some((name) => members?.has(name));
}

// `scope` stands in requests too, which some servers repeat.
const tokenMembers = ['token', ...Object.keys(tokenResponse.properties).filter((name) => name !== 'scope')];

function wordsOf({ access_type, scope }: Form): string {
  return `${access_type === undefined ? '' : ` and access_type=${access_type}`}${scope === undefined ? '' : ' and a scope'}`;
}

function toldScope({ server }: TokenClient): string | undefined {
  return server.scopes.join(' ') || undefined;
}

/** Needs an answer to give a token, whatever its status. @throws Blocked */
export async function givesToken(exchange: Exchange): Promise<void> {
  if (!grantIn(exchange)) lacking(exchange, 'a token');
}

function needed(exchange: Exchange, what: string): Grant {
  const grant = grantIn(exchange);
  return grant && exchange.status === 200 ? grant : lacking(exchange, what);
}

function lacking(exchange: Exchange, what: string): never {
  currentJudgement().judged([exchange.id]);
  throw new Blocked(`${what} was needed, and the answer is ${outcomeWords(exchange.answer)} without it`);
}
