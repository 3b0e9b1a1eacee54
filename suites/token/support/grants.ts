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

/** An answer with a token. A value that is empty, null or of another type counts as absent. */
export interface Grant {
  readonly exchange: Exchange;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
}

/**
 * Requests a token with the grant that the server was seen to accept: the user's password or, where that is refused, a
 * refresh token. For rules that are independent of the grant.
 * @throws Blocked when it needs a refresh token and none can be had
 */
export async function ask(tokens: TokenClient, changes: Form = {}): Promise<Exchange> {
  const { server } = tokens;
  if (server.access?.grant === 'password') return tokens.post(passwordForm(server, changes));
  return tokens.post(refreshForm(server, await refreshTokenOf(tokens), changes));
}

/** Requests a token with the user's password. @throws NotApplicable when the suite was given no user */
export async function askWithPassword(tokens: TokenClient, changes: Form = {}): Promise<Exchange> {
  if (!tokens.server.user) throw new NotApplicable('the suite was given no user of the token server, see --auth-user');
  return tokens.post(passwordForm(tokens.server, changes));
}

/** Requests a token with a refresh token. */
export function askWithRefreshToken(tokens: TokenClient, refreshToken: string, changes: Form = {}): Promise<Exchange> {
  return tokens.post(refreshForm(tokens.server, refreshToken, changes));
}

/** Whether the server issues refresh tokens at all, or the user gave one. */
export function hasRefreshTokens({ server: { access } }: TokenClient): boolean {
  return access?.refreshFrom !== undefined;
}

/**
 * A refresh token from a grant that was seen to issue them, or the one given by the user of the suite.
 * @throws Blocked when there is none
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

/** The token in an answer; undefined when there is none. */
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

/** Requires a step to return a token. @throws Blocked */
export async function granted(step: Promise<Exchange>): Promise<Grant> {
  return needed(await settled(step, 'a step before the assertion'), 'a token');
}

/** Requires the positive control of a refusal to return a token. @throws Blocked */
export async function controlled(step: Promise<Exchange>): Promise<Grant> {
  return needed(await settled(step, 'the positive control'), 'a token for the positive control');
}

/** Requires a complete answer, whatever it says. @throws Blocked */
export function answered(step: Promise<Exchange>): Promise<Exchange> {
  return settled(step, 'asking for a token');
}

/** Judges that an answer has a token. Messages say only whether a token is there. */
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
 * Judges that an answer refuses: no 2xx status and no token (interpretation `token-errors`).
 * @throws Blocked for a 5xx status: a server that fails has refused nothing
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

/** Judges a condition whose values must not be shown. */
export function expectThat(condition: string, holds: boolean, ...exchanges: readonly Exchange[]): void {
  expectValue(condition, holds, exchanges).toBe(true);
}

/** An answer with a token, and its request. */
export interface TokenAnswer {
  /** The request in a few words. */
  readonly words: string;
  readonly exchange: Exchange;
  readonly isOffline: boolean;
  readonly hasScope: boolean;
}

/** A token as a user gets it without special requests, within the user's permissions. */
export const onlineToken = fixture('a token', ({ tokens }) => granted(ask(tokens, { scope: toldScope(tokens) })));

/** Answers with tokens: by either grant, online and offline, with and without a scope. */
export const tokenAnswers = fixture(
  'answers with tokens',
  async ({ tokens }: FixtureContext): Promise<TokenAnswer[]> => {
    const scope = toldScope(tokens) ?? 'repository:engine-conformance/sample:pull';
    const asked: TokenAnswer[] = [];
    const keep = async (words: string, step: Promise<Exchange>, { access_type, scope: list }: Form) => {
      const exchange = await settled(step, 'asking for a token');
      // Other rules judge whether there is a token at all.
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
  },
);

/** An answer with none of the endpoint's own members says nothing about its fields. */
function isTokenAnswer({ status, answer }: Exchange): boolean {
  const members = membersIn(answer);
  return status === 200 && tokenMembers.some((name) => members?.has(name));
}

// `scope` also occurs in requests, which some servers echo.
const tokenMembers = ['token', ...Object.keys(tokenResponse.properties).filter((name) => name !== 'scope')];

function wordsOf({ access_type, scope }: Form): string {
  return `${access_type === undefined ? '' : ` and access_type=${access_type}`}${scope === undefined ? '' : ' and a scope'}`;
}

function toldScope({ server }: TokenClient): string | undefined {
  return server.scopes.join(' ') || undefined;
}

/** Requires an answer to have a token, whatever its status. @throws Blocked */
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
