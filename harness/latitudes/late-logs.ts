import { Transform } from 'node:stream';
import type { WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

const lateMs = 150;

/** When output gets into the log. */
export const ofLogs: readonly Latitude[] = [lateLogs()];

/** Only a log that is read as it is has a gap at its end; what follows it gets all of it. */
function lateLogs(): Latitude {
  const firstAsked = new Map<string, number>();
  const isLate = (request: WireRequest) => {
    if (endpointOf(request) !== 'GET /containers/{id}/logs' || /[?&]follow=/.test(request.path)) return false;
    const container = /\/containers\/([^/]+)/.exec(request.path)?.[1] ?? '';
    const since = firstAsked.get(container) ?? Date.now();
    firstAsked.set(container, since);
    return Date.now() - since < lateMs;
  };
  return {
    name: 'late-logs',
    says: `has nothing in a log until ${lateMs} ms after it was first read`,
    area: 'time',
    ground: { notShown: 'nothing says how soon output gets into the log' },
    answer: (answer, request) =>
      answer.status === 200 && isLate(request) ? { ...answer, body: Buffer.alloc(0) } : answer,
    incoming: ({ status }, request) => (status < 300 && isLate(request) ? dropsAll() : undefined),
  };
}

function dropsAll(): Transform {
  return new Transform({ transform: (_chunk, _encoding, done) => done() });
}
