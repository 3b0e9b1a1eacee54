import type { ClientDeviation, Traffic } from '../harness/events.ts';

/** What passed through a proxy, in lines of plain text: how much, what was not judged, and what clients did. */
export function trafficLines({ connections, exchanges, notJudged, clients }: Traffic): string[] {
  const unjudged = Object.entries(notJudged);
  const left = unjudged.reduce((sum, [, number]) => sum + number, 0);
  const why = unjudged.map(([reason, number]) => `${number} for ${reason}`).join(', ');
  return [
    `${count(exchanges, 'exchange')} on ${count(connections, 'connection')} passed, ${(exchanges - left).toLocaleString('en')} were judged`,
    ...(left > 0 ? [`not judged: ${why}`] : []),
    ...clients.map(clientLine),
  ];
}

/** `client POST /x [1.23]: sends no body (3 times, first in x7)`; what it sent, where that is not said already. */
export function clientLine({ weight, endpoint, api, says, actual, times, exchange }: ClientDeviation): string {
  const sent = actual === '' ? '' : `: ${actual}`;
  const often = times === 1 ? exchange : `${times} times, first in ${exchange}`;
  return `client${weight === 'beyond' ? ' (not stated)' : ''} ${endpoint} [${api}] ${says}${sent} (${often})`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
