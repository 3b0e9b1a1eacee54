import { Transform } from 'node:stream';
import { writeJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { WireRequest } from '../transport/wire.ts';
import { endpointOf, jsonBodyOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

const lateMs = 150;

/** Which output gets into the log, and when. */
export const ofLogs: readonly Latitude[] = [
  lateLogs(),
  {
    name: 'no-log-by-default',
    says: 'keeps no log of a container that asks for no logging driver',
    area: 'values',
    ground: { notShown: 'nothing says which logging driver a container has that asks for none' },
    request: loggingNowhere,
  },
];

/** The daemon is asked for the driver none where a container is created without one. */
function loggingNowhere(request: WireRequest): WireRequest {
  if (endpointOf(request) !== 'POST /containers/create') return request;
  const body = jsonBodyOf(request);
  if (!isObject(body)) return request;
  const { HostConfig = null } = body;
  if (HostConfig !== null && (!isObject(HostConfig) || isObject(HostConfig.LogConfig))) return request;
  const changed = { ...body, HostConfig: { ...HostConfig, LogConfig: { Type: 'none', Config: {} } } };
  return { ...request, body: Buffer.from(writeJson(changed)) };
}

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
