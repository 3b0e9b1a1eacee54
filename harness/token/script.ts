import type { RecordedExchange } from '../events.ts';
import type { TrialStep } from '../property/trial.ts';
import { curlLine } from '../recording/curl.ts';
import type { TokenServer } from './token-server.ts';

/** The variables for the user's secrets, by the parameter in which they are sent. */
const variables: Readonly<Record<string, string>> = {
  password: 'ENGINE_AUTH_PASSWORD',
  refresh_token: 'REFRESH_TOKEN',
};
const redacted = '[redacted]';

/**
 * A shell script that repeats the token requests of a trial with curl, with the steps as comments. The password comes
 * from the environment. A refresh token comes from the previous answer, or from the environment.
 * @param exchanges in the order in which they began, with the secrets removed
 */
export function tokenScriptOf(
  server: TokenServer,
  steps: readonly TrialStep[],
  exchanges: readonly RecordedExchange[],
): string {
  const used = (name: string) => exchanges.some(({ request }) => sent(request).get(name) === redacted);
  const lines = [
    '#!/bin/sh',
    `# Asks ${server.url} for tokens as the test did.`,
    ...(used('password') ? [`: "\${ENGINE_AUTH_PASSWORD:?the password of the user}"`] : []),
    ...(used('refresh_token') ? [`REFRESH_TOKEN=\${ENGINE_AUTH_REFRESH_TOKEN:-}`] : []),
  ];
  exchanges.forEach((exchange, place) => {
    lines.push(...steps.filter((step) => step.exchanges === place).map(commentOf));
    const line = lineOf(server, exchange);
    const gives = exchange.answer?.body.text?.includes(`"refresh_token":"${redacted}"`) === true;
    const isUsed = exchanges.slice(place + 1).some(({ request }) => sent(request).get('refresh_token') === redacted);
    lines.push(gives && isUsed ? `REFRESH_TOKEN=$(${line} | tee /dev/stderr | ${readsRefreshToken})` : line);
  });
  lines.push(...steps.filter((step) => step.exchanges >= exchanges.length).map(commentOf));
  return `${lines.join('\n')}\n`;
}

const readsRefreshToken = `sed -n 's/.*"refresh_token": *"\\([^"]*\\)".*/\\1/p'`;

function commentOf({ words }: TrialStep): string {
  return `# ${words.replace(/\s+/g, ' ')}`;
}

function sent({ body }: RecordedExchange['request']): URLSearchParams {
  return new URLSearchParams(body.text ?? '');
}

/** Each parameter separately, so that curl encodes the values of variables. */
function lineOf({ address, user }: TokenServer, { request }: RecordedExchange): string {
  const { method, path, headers } = request;
  const isForm = method === 'POST';
  const shown = headers.filter(([name]) => !/^(?:authorization|content-type)$/i.test(name));
  const line = curlLine(address, { method, path, headers: shown });
  const asUser = headers.some(([name]) => name.toLowerCase() === 'authorization') && user;
  const words = isForm
    ? [...sent(request)].map(([name, value]) => `--data-urlencode ${parameter(name, value)}`)
    : asUser
      ? [`-u ${quote(`${user.name}:`)}"$ENGINE_AUTH_PASSWORD"`]
      : [];
  return [line.replace(/^curl -i/, 'curl -i -sS'), ...words].join(' ');
}

function parameter(name: string, value: string): string {
  const variable = value === redacted ? variables[name] : undefined;
  return variable === undefined ? quote(`${name}=${value}`) : `"${name}=$${variable}"`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
