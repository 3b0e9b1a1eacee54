import { randomBytes } from 'node:crypto';
import { parseAddress, type TlsFiles } from '../harness/target/address.ts';
import { parseScope, scopesIn } from '../harness/token/scope.ts';
import type { TokenServer } from '../harness/token/token-server.ts';
import { UsageError } from '../harness/usage-error.ts';
import { type TlsFlags, tlsFiles } from './tls-flags.ts';

/** Who may get which tokens, from options or, for the password, ENGINE_AUTH_PASSWORD. */
export interface AuthFlags {
  readonly authUser?: string;
  readonly authPassword?: string;
  readonly authService?: string;
  readonly authScope?: string;
}

/** Where the token server under test is, and what may be requested from it. */
export interface TokenServerFlags extends AuthFlags, TlsFlags {
  readonly authUrl?: string;
  readonly tokenUrl?: string;
  /** From the option or ENGINE_AUTH_REFRESH_TOKEN. */
  readonly authRefreshToken?: string;
}

/** A token server to judge, and how to end it. */
export interface ChosenTokenServer {
  readonly server: TokenServer;
  close(): Promise<void>;
}

/** Used for the service if no token is requested. */
const someService = 'engine-conformance';

/**
 * The token server that the user named; undefined if none.
 * @throws UsageError when an option is invalid, alone or in combination
 */
export function namedTokenServer(flags: TokenServerFlags): TokenServer | undefined {
  const { authUrl, tokenUrl } = flags;
  if (authUrl !== undefined && tokenUrl !== undefined) {
    throw new UsageError('--auth-url and --token-url name the same server; give one of them');
  }
  if (authUrl === undefined && tokenUrl === undefined) {
    refuseWithoutServer(flags);
    return undefined;
  }
  const option: TokenServer['option'] = authUrl === undefined ? '--token-url' : '--auth-url';
  const url = authUrl === undefined ? endpointUrl(option, tokenUrl) : endpointUrl(option, authUrl, '/token');
  const user = userOf(flags);
  const { authService, authRefreshToken: refreshToken } = flags;
  if (authService === '') throw new UsageError('--auth-service must not be empty');
  if (refreshToken === '') throw new UsageError('--auth-refresh-token must not be empty');
  if ((user || refreshToken !== undefined) && authService === undefined) {
    throw new UsageError('name the service to ask tokens for with --auth-service');
  }
  const service = authService ?? someService;
  const files = url.protocol === 'https:' ? tlsFiles(flags) : {};
  const server = {
    option,
    service,
    scopes: scopesOf(flags),
    ...(user && { user }),
    ...(refreshToken && { refreshToken }),
  };
  return { ...placeOf(url, files), ...server };
}

/** A reference token server in this process, with a user of its own. */
export async function embeddedTokenServer(): Promise<ChosenTokenServer> {
  const { startReferenceTokenServer } = await import('../reference/token-server/index.ts');
  const user = { name: 'ada', password: randomBytes(12).toString('hex') };
  const scope = 'repository:samples/app:pull,push repository:samples/base:pull';
  const listen = { host: '127.0.0.1', port: 0 };
  const server = await startReferenceTokenServer({ listen, users: [{ ...user, scope }] });
  return {
    server: {
      ...placeOf(new URL(`${server.url}/token`)),
      ...{ option: '--auth-url', service: 'registry.test', scopes: scopesIn(scope), user },
    },
    close: () => server.close(),
  };
}

/** What must not appear in any output of a run that judges the server. */
export function secretsOf({ user, refreshToken }: TokenServer): string[] {
  return [
    ...(user ? [user.password, `${user.name}:${user.password}`] : []),
    ...(refreshToken === undefined ? [] : [refreshToken]),
  ];
}

/** The user whom the options name. @throws UsageError for a user without a password, or vice versa */
export function userOf({ authUser, authPassword }: AuthFlags): TokenServer['user'] {
  if (authUser === '' || authPassword === '') throw new UsageError('--auth-user and --auth-password must not be empty');
  if (authUser === undefined && authPassword === undefined) return undefined;
  if (authPassword === undefined) {
    throw new UsageError('--auth-user needs a password: --auth-password or ENGINE_AUTH_PASSWORD');
  }
  if (authUser === undefined) throw new UsageError('--auth-password (or ENGINE_AUTH_PASSWORD) needs --auth-user');
  return { name: authUser, password: authPassword };
}

/** The scopes that the options name. @throws UsageError for one in another form */
export function scopesOf({ authScope }: AuthFlags): readonly string[] {
  const scopes = scopesIn(authScope ?? '');
  const wrong = scopes.find((one) => (parseScope(one)?.actions.length ?? 0) === 0);
  if (wrong !== undefined || (authScope !== undefined && scopes.length === 0)) {
    const form = 'write it as repository:<name>:pull,push, and separate several with spaces';
    throw new UsageError(`--auth-scope '${wrong ?? ''}' is not a scope; ${form}`);
  }
  return scopes;
}

function placeOf(url: URL, files: TlsFiles = {}): Pick<TokenServer, 'address' | 'url' | 'path'> {
  return { address: parseAddress(url.origin, files), url: url.href, path: url.pathname + url.search };
}

/** A password in the environment may be meant for another run. */
function refuseWithoutServer({ authUser, authService, authScope }: TokenServerFlags): void {
  const given = Object.entries({ '--auth-user': authUser, '--auth-service': authService, '--auth-scope': authScope });
  const [option] = given.find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined) throw new UsageError(`${option} needs a token server: --auth-url or --token-url`);
}

function endpointUrl(option: string, text = '', appended = ''): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${option} needs an address such as https://auth.example.com`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${option} must not contain a user; use --auth-user and --auth-password`);
  }
  if (url.hash !== '' || (appended !== '' && url.search !== '')) {
    throw new UsageError(`${option} must end with the path; use --token-url to give the full address with a query`);
  }
  if (appended !== '') url.pathname = url.pathname.replace(/\/+$/, '') + appended;
  return url;
}
