import type { RecordedExchange } from '../events.ts';
import { curlLine, isCurlLine } from '../recording/curl.ts';
import { madeIdentifier } from '../recording/made-identifier.ts';
import { writesBytes } from '../recording/shell-bytes.ts';
import type { Address } from '../target/address.ts';
import type { TrialStep } from './trial.ts';

/**
 * A shell script that repeats the requests of a trial with curl, with the steps as comments. Identifiers that the
 * daemon assigned are taken from the answers of the new run.
 * @param exchanges in the order in which they began
 * @param image the name of the run's probe image, which has been removed since
 */
export function scriptOf(
  address: Address,
  steps: readonly TrialStep[],
  exchanges: readonly RecordedExchange[],
  image: string,
): string {
  const identifiers = new Map<string, string>();
  const lines = [
    '#!/bin/sh',
    '# Sends what the test sent. IMAGE names the probe image on the daemon (engine-conformance run --image, docs/probe.md).',
    `IMAGE=\${IMAGE:-${image}}`,
  ];
  exchanges.forEach((exchange, place) => {
    lines.push(...steps.filter((step) => step.exchanges === place).map(({ words }) => `# ${oneLine(words)}`));
    const request = lineOf(address, exchange, (text) => {
      let shown = text.replaceAll(image, '{IMAGE}');
      for (const [identifier, name] of identifiers) shown = shown.replaceAll(identifier, `{${name}}`);
      return shown;
    });
    if (exchange.stream && exchange.request.method === 'GET') {
      // Endless answers, such as events, are shown in the background.
      lines.push(`${request} --no-buffer --max-time 30 &`);
      return;
    }
    const made = madeIdentifier(exchange);
    if (made === undefined || identifiers.has(made)) {
      lines.push(request);
      return;
    }
    const name = `ID${identifiers.size + 1}`;
    identifiers.set(made, name);
    lines.push(`${name}=$(${request} | tee /dev/stderr | sed -n 's/.*"Id": *"\\([^"]*\\)".*/\\1/p')`);
  });
  lines.push(...steps.filter((step) => step.exchanges >= exchanges.length).map(({ words }) => `# ${oneLine(words)}`));
  return `${lines.join('\n')}\n`;
}

/** The quoting of a curl line never leaves braces bare, so a variable is always inside single quotes. */
const variable = /\{(IMAGE|ID\d+)\}/g;

function lineOf(address: Address, { request, curl }: RecordedExchange, named: (text: string) => string): string {
  // Bytes that are sent unchanged have no other form.
  if (!isCurlLine(curl)) return curl;
  const { text, base64, truncated } = request.body;
  const { method, path, headers } = request;
  const body = base64 !== undefined ? '@-' : text;
  const line = curlLine(address, {
    method,
    path: named(path),
    headers: headers.map(([name, value]) => [name, named(value)] as const),
    ...(body && { body: named(body) }),
  }).replace(variable, `'"$$$1"'`);
  if (base64 === undefined) return line;
  const written = `${writesBytes(Buffer.from(base64, 'base64'))} | ${line}`;
  return truncated ? `${written} # the body is longer than what was kept of it` : written;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
