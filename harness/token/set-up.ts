import { STATUS_CODES } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import type { Redactor } from '../recording/redact.ts';
import type { Address } from '../target/address.ts';
import { TargetUnreachable } from '../target/identify.ts';
import type { TransportError } from '../transport/errors.ts';
import { headerOf, type WireAnswer } from '../transport/wire.ts';
import { mediaTypeOf, membersIn } from './answer.ts';
import { SetUpWrong } from './set-up-wrong.ts';
import type { TokenServer } from './token-server.ts';

/** What messages about the settings are made from. */
export interface MessageContext {
  readonly server: TokenServer;
  /** A server's message may repeat what it was sent. */
  readonly redactor: Redactor;
}

const running = 'that the token server is running';

/** Why no complete answer came, and what to do about it. */
export async function unreached(
  { server, redactor }: MessageContext,
  method: string,
  error: TransportError,
): Promise<Error> {
  const { url, option, address } = server;
  const cause = { cause: error };
  const certificate = certificateProblem(server, error);
  if (certificate) return new TargetUnreachable(`${url}: ${certificate.what}`, certificate.toCheck, cause);
  const isTls = address.kind === 'tcp' && address.tls !== undefined;
  if (isTls && /WRONG_VERSION_NUMBER|packet length too long|EPROTO/i.test(error.message)) {
    return new TargetUnreachable(`${url}: the server there does not speak TLS`, `${option}: write http://`, cause);
  }
  if (!isTls && error.failure !== 'unreachable' && (await speaksTls(address))) {
    return new TargetUnreachable(`${url}: the server there speaks TLS`, `${option}: write https://`, cause);
  }
  const message = `${url} gave no answer to ${method}: ${redactor.text(error.message)}`;
  return new TargetUnreachable(message, `${option} and ${running}`, cause);
}

const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|DEPTH_ZERO_SELF_SIGNED/;

function certificateProblem({ option, address }: TokenServer, { message }: TransportError) {
  const files = (address.kind === 'tcp' && address.tlsFiles) || {};
  if (untrusted.test(message)) {
    return files.ca === undefined
      ? {
          what: 'its certificate is not signed by a CA that this machine trusts',
          toCheck: 'the server, or name its CA with --tls-ca',
        }
      : { what: 'its certificate is not signed by the CA of --tls-ca', toCheck: '--tls-ca' };
  }
  if (/ALTNAME_INVALID/.test(message)) {
    return { what: 'its certificate is for another host', toCheck: `the host in ${option}` };
  }
  if (/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/.test(message)) {
    return {
      what: 'its certificate is not valid at this time',
      toCheck: 'the certificate, and the clock of this machine',
    };
  }
  if (/CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE/i.test(message)) {
    return { what: 'it requires a client certificate', toCheck: '--tls-cert and --tls-key' };
  }
  return undefined;
}

const handshakeMs = 2_000;

/** Whether the server at an address takes part in a TLS handshake. Nothing is sent to it, so it need not be trusted. */
function speaksTls(address: Address): Promise<boolean> {
  if (address.kind !== 'tcp') return Promise.resolve(false);
  const { host, port } = address;
  return new Promise((resolve) => {
    const socket = tls.connect({ host, port, servername: net.isIP(host) ? '' : host, rejectUnauthorized: false });
    const end = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.setTimeout(handshakeMs, () => end(false));
  });
}

/**
 * What an answer shows to be wrong, independent of the request; undefined when it may come from a token endpoint. A 404
 * is treated separately, as the documents allow it.
 */
export async function misplaced(told: MessageContext, method: string, answer: WireAnswer): Promise<Error | undefined> {
  const { server, redactor } = told;
  const { url, option, address } = server;
  const { status } = answer;
  const said = `${method} ${url} answers ${named(status)}`;
  if (status >= 300 && status < 400) {
    const location = redactor.text(headerOf(answer.headers, 'location') ?? '');
    if (!URL.canParse(location, url)) return new SetUpWrong(said, `check the address in ${option}`);
    const { href } = new URL(location, url);
    return new SetUpWrong(`${said} and redirects to ${href}`, `name that address with --token-url ${href}`);
  }
  if (status === 405 || status === 501) {
    const lack = `${said}: the server there does not accept POST (a token server that gives tokens only to GET answers 404)`;
    return new SetUpWrong(lack, `check the address in ${option}`);
  }
  if (status === 407) return new SetUpWrong(`${said}: a proxy asks for credentials`, 'bypass the proxy');
  if (status === 429) {
    const retry = headerOf(answer.headers, 'retry-after');
    const later = retry === undefined ? '' : ` (Retry-After: ${redactor.text(retry)})`;
    return new TargetUnreachable(`${said}${later}: it accepts no more requests now`, 'again later', {});
  }
  if (status >= 500) {
    const who = status === 500 ? 'it failed' : 'it, or a gateway in front of it, has a problem';
    return new TargetUnreachable(`${said}: ${who}${words(told, answer)}`, running, {});
  }
  if (status === 400 && address.kind === 'tcp' && !address.tls && (await speaksTls(address))) {
    return new TargetUnreachable(`${said}: the server there speaks TLS`, `${option}: write https://`, {});
  }
  if (status >= 200 && status < 300 && !membersIn(answer)) {
    const what =
      mediaTypeOf(answer) === 'text/html'
        ? 'a web page'
        : answer.body.length === 0
          ? 'nothing'
          : 'something other than a JSON object';
    return new SetUpWrong(`${said} with ${what}: that is not a token endpoint`, `check the address in ${option}`);
  }
  return undefined;
}

/** Neither method finds anything. */
export function notThere({ server: { url, option } }: MessageContext): SetUpWrong {
  const toDo =
    option === '--auth-url'
      ? 'check --auth-url, to which /token is appended; if the endpoint has another path, give the full address with --token-url'
      : 'check the path in --token-url';
  return new SetUpWrong(`POST and GET ${url} both answer ${named(404)}: there is no token endpoint`, toDo);
}

/**
 * The user gets no token in any way.
 * @param byGet the answer to GET, if that was also tried
 */
export function refused(
  told: MessageContext,
  answer: WireAnswer,
  grant: 'password' | 'refresh_token',
  byGet?: WireAnswer,
): SetUpWrong {
  const { server } = told;
  const who = grant === 'password' ? `the user '${server.user?.name ?? ''}'` : 'the refresh token';
  const what = `POST ${server.url} refuses ${who} for the service '${server.service}' with ${named(answer.status)}`;
  const said = words(told, answer);
  const realm = basicRealm(answer);
  if (realm !== undefined && answer.status === 401) {
    const wants = `${what} and asks for basic authentication (${told.redactor.text(realm)})${said}`;
    return new SetUpWrong(
      wants,
      `check ${credentials(grant)}; if a proxy in front of the token server asks for it, bypass the proxy`,
    );
  }
  const isCredential = answer.status === 401 || byGet?.status === 401 || /invalid_grant|invalid_client/.test(said);
  const order = isCredential ? [credentials(grant), '--auth-service'] : ['--auth-service', credentials(grant)];
  const too = byGet?.status === 401 && answer.status !== 401 ? `; GET refuses the user too, with ${named(401)}` : '';
  return new SetUpWrong(`${what}${said}${too}`, `check ${order.join(', then ')}`);
}

function credentials(grant: 'password' | 'refresh_token'): string {
  return grant === 'password' ? '--auth-user and its password' : '--auth-refresh-token';
}

function basicRealm({ headers }: WireAnswer): string | undefined {
  const challenge = headerOf(headers, 'www-authenticate');
  return challenge !== undefined && /^basic\b/i.test(challenge) ? challenge.slice(0, longestSaid) : undefined;
}

const longestSaid = 160;

/** What the answer says about itself, in one line. */
function words({ redactor }: MessageContext, answer: WireAnswer): string {
  if (mediaTypeOf(answer) === 'text/html') return '';
  const text = redactor.text(answer.body.toString('utf8')).replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  return `: ${text.length > longestSaid ? `${text.slice(0, longestSaid)}…` : text}`;
}

function named(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}
