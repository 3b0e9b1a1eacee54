import type { ClientDeviation, Traffic } from '../harness/events.ts';
import { type ApiVersion, apiVersions } from '../specs/versions.ts';
import { counted, thousands } from './counted.ts';

/** One way in which clients deviated from the contract, in all versions in which they did. */
export type ClientMatter = Omit<ClientDeviation, 'api'> & { readonly apis: readonly ApiVersion[] };

/** What clients did, each finding once: first deviations, then what the documents do not mention. */
export function clientMatters(clients: readonly ClientDeviation[]): ClientMatter[] {
  const byMatter = new Map<string, ClientMatter>();
  for (const { api, ...one } of clients) {
    const key = JSON.stringify([one.weight, one.endpoint, one.says]);
    const known = byMatter.get(key);
    const apis = [...(known?.apis ?? []), api].toSorted((a, b) => apiVersions.indexOf(a) - apiVersions.indexOf(b));
    byMatter.set(key, { ...(known ?? one), times: (known?.times ?? 0) + one.times, apis });
  }
  const matters = [...byMatter.values()];
  return (['deviates', 'beyond'] as const).flatMap((weight) => matters.filter((one) => one.weight === weight));
}

/** The outcome for clients, in one sentence. */
export function trafficInWords({ exchanges, clients }: Traffic): string {
  const matters = clientMatters(clients);
  const deviations = matters.filter(({ weight }) => weight === 'deviates').length;
  const beyond = matters.length - deviations;
  if (exchanges === 0) return 'Clients: nothing was sent.';
  const found = deviations === 0 ? 'no deviation' : counted(deviations, 'deviation');
  const more = beyond === 0 ? '' : `; ${counted(beyond, 'thing')} that the documents do not name`;
  return `Clients: ${found} from the contract${more}.`;
}

/** What clients did, one line for each finding. */
export function clientLines({ clients }: Traffic): string[] {
  return clientMatters(clients).map(matterLine);
}

/** How much passed through a proxy, and what was not judged. */
export function passedLines({ connections, exchanges, notJudged }: Traffic): string[] {
  const unjudged = Object.entries(notJudged);
  const left = unjudged.reduce((sum, [, number]) => sum + number, 0);
  const why = unjudged.map(([reason, number]) => `${thousands(number)} (${reason})`).join(', ');
  const judged = left === 0 ? '' : `; ${thousands(exchanges - left)} of them were judged`;
  return [
    `${counted(exchanges, 'exchange')} passed on ${counted(connections, 'connection')}${judged}.`,
    ...(left > 0 ? [`Not judged: ${why}.`] : []),
  ];
}

/** `client POST /x [1.23] sends no body (exchange x7)`; what it sent, unless that was already said. */
export function clientLine(deviation: ClientDeviation): string {
  return `client ${matterLine({ ...deviation, apis: [deviation.api] })}`;
}

function matterLine({ weight, endpoint, apis, says, actual, times, exchange }: ClientMatter): string {
  const sent = actual === '' ? '' : `: ${actual}`;
  const often = times === 1 ? `exchange ${exchange}` : `${thousands(times)} times, first in exchange ${exchange}`;
  const beyond = weight === 'beyond' ? '(not stated) ' : '';
  return `${beyond}${endpoint} [${apis.join(' ')}] ${says}${sent} (${often})`;
}
