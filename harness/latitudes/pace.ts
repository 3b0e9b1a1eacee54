import type { JsonValue } from '../streams/json.ts';
import type { WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

const noHaste = { notShown: 'nothing says how soon an answer comes' } as const;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * How fast an engine is, and how it writes times. The embedded engine answers within milliseconds, so these delays make
 * it many times slower at one thing than at others. Changes of images wait for one another, so their delays add up.
 */
export const ofTime: readonly Latitude[] = [
  slowAt('slow-inspect', ['GET /containers/{id}/json'], 60),
  slowAt('slow-lists', ['GET /containers/json', 'GET /images/json', 'GET /networks', 'GET /volumes'], 80),
  slowAt('slow-create', ['POST /containers/create'], 40),
  slowAt('slow-start', ['POST /containers/{id}/start'], 120),
  slowAt('slow-logs', ['GET /containers/{id}/logs'], 80),
  slowAt('slow-attach', ['POST /containers/{id}/attach'], 120),
  slowAt('slow-exec', ['POST /exec/{id}/start', 'POST /containers/{id}/exec'], 80),
  slowAt('slow-events', ['GET /events'], 120),
  slowAt('slow-removal', ['DELETE /containers/{id}', 'DELETE /images/{name}', 'DELETE /networks/{id}'], 50),
  slowAt('slow-images', ['GET /images/{name}/json', 'GET /images/{name}/history', 'POST /images/load'], 50),
  {
    name: 'times-to-the-second',
    says: 'gives times to the second',
    area: 'time',
    ground: { notShown: 'no resolution of times is stated' },
    against: ['times-to-the-nanosecond', 'times-of-elsewhere'],
    ...variesTimes((time) => time.replace(/\.\d+Z$/, 'Z')),
  },
  {
    name: 'times-to-the-nanosecond',
    says: 'gives times to the nanosecond, with trailing zeros',
    area: 'time',
    ground: { notShown: 'no resolution of times is stated' },
    against: ['times-to-the-second', 'times-of-elsewhere'],
    ...variesTimes(
      (time) => `${time.replace(/(?:\.(\d+))?Z$/, (_end, digits = '') => `.${String(digits).padEnd(9, '0')}`)}Z`,
    ),
  },
  {
    name: 'times-of-elsewhere',
    says: 'gives times with the offset of another time zone',
    area: 'time',
    ground: { notShown: 'no time zone is stated' },
    against: ['times-to-the-second', 'times-to-the-nanosecond'],
    ...variesTimes(inZone),
  },
];

function slowAt(name: string, endpoints: readonly string[], delayMs: number): Latitude {
  const isOne = (request: WireRequest) => endpoints.includes(endpointOf(request) ?? '');
  return {
    name,
    says: `takes ${delayMs} ms for ${endpoints.join(', ')}`,
    area: 'time',
    ground: noHaste,
    delayMs: (request) => (isOne(request) ? delayMs : 0),
  };
}

function variesTimes(change: (time: string) => string): Pick<Latitude, 'json'> {
  const within = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return timestamp.test(value) ? change(value) : value;
    if (Array.isArray(value)) return value.map(within);
    // The documents say that a token's time is in UTC.
    if (typeof value !== 'object' || value === null || 'access_token' in value) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, within(member)]));
  };
  return { json: within };
}

/** The same instant two hours east. The time that stands for never is not changed. */
function inZone(time: string): string {
  if (time.startsWith('0001-')) return time;
  const [, seconds = '', rest = ''] = /^(.{19})(.*)Z$/.exec(time) ?? [];
  const there = new Date(Date.parse(`${seconds}Z`) + 2 * 3_600_000).toISOString().slice(0, 19);
  return `${there}${rest}+02:00`;
}
